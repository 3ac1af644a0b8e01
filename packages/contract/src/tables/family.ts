import { type FamilyFacts, MB } from '../family.ts'

export const family = {
  title: 'Tables',
  prefix: '',
  bodyLimit: 40 * MB,
  unserved: {},
  stability: ['documented'],
} satisfies FamilyFacts
