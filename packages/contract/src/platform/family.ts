import { type FamilyFacts, MB } from '../family.ts'

export const family = {
  position: 12,
  title: 'Platform',
  prefix: '',
  bodyLimit: 1 * MB,
  unserved: {},
  own: true,
} satisfies FamilyFacts
