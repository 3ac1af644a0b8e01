// Operations of official clients newer than `apiVersion`, from all APIs.
import { type FamilyFacts, MB } from '../family.ts'

export const family = {
  position: 8,
  title: 'Newer clients',
  prefix: '',
  bodyLimit: 1 * MB,
  unserved: {},
  own: true,
} satisfies FamilyFacts
