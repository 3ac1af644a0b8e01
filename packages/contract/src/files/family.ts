import { type FamilyFacts, MB } from '../family.ts'

export const family = {
  title: 'Files',
  prefix: '',
  bodyLimit: 1 * MB,
  unserved: {},
  stability: ['documented'],
} satisfies FamilyFacts
