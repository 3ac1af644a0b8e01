import { type FamilyFacts, MB } from '../family.ts'

export const family = {
  position: 6,
  title: 'Files',
  prefix: '',
  bodyLimit: 1 * MB,
  unserved: {},
  stability: ['documented'],
} satisfies FamilyFacts
