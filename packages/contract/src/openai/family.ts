// For libraries that speak the wire format of OpenAI.
import { type FamilyFacts, MB } from '../family.ts'

export const family = {
  position: 10,
  title: 'OpenAI-compatible',
  prefix: '',
  bodyLimit: 40 * MB,
  unserved: {},
  own: true,
} satisfies FamilyFacts
