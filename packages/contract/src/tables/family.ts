import { type FamilyFacts, MB } from '../family.ts'

export const family = {
  position: 7,
  title: 'Tables',
  prefix: '',
  bodyLimit: 40 * MB,
  unserved: {},
  stability: ['documented'],
} satisfies FamilyFacts
