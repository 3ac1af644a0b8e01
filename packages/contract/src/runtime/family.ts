import { type FamilyFacts, MB } from '../family.ts'

export const family = {
  position: 1,
  title: 'Runtime',
  prefix: '',
  bodyLimit: 1 * MB,
  unserved: {},
  stability: ['documented', 'experimental'],
} satisfies FamilyFacts
