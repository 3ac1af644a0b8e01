import { type FamilyFacts, MB } from '../family.ts'

export const family = {
  position: 5,
  title: 'Admin',
  prefix: '',
  bodyLimit: 50 * MB,
  unserved: {},
  stability: ['documented', 'experimental'],
} satisfies FamilyFacts
