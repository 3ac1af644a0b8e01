import { type FamilyFacts, MB } from '../family.ts'

export const family = {
  title: 'Runtime',
  prefix: '',
  bodyLimit: 1 * MB,
  unserved: {},
  stability: ['documented', 'experimental'],
} satisfies FamilyFacts
