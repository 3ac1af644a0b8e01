// Bots as servers of the Model Context Protocol.
import { type FamilyFacts, MB } from '../family.ts'

export const family = {
  position: 11,
  title: 'MCP',
  prefix: '',
  bodyLimit: 1 * MB,
  unserved: {},
  own: true,
} satisfies FamilyFacts
