// Models, as `@botpress/cognitive` calls them.
import { type FamilyFacts, MB } from '../family.ts'

export const family = {
  position: 9,
  title: 'Cognitive',
  prefix: '',
  bodyLimit: 40 * MB,
  unserved: {},
  own: true,
} satisfies FamilyFacts
