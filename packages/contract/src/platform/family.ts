import { type FamilyFacts, MB } from '../family.ts'

export const family = {
  title: 'Platform',
  prefix: '',
  bodyLimit: 1 * MB,
  unserved: {},
  own: true,
} satisfies FamilyFacts
