// Bots as servers of the Model Context Protocol.
import { type FamilyFacts, MB } from '../family.ts'

export const family = {
  title: 'MCP',
  prefix: '',
  bodyLimit: 1 * MB,
  unserved: {},
  own: true,
} satisfies FamilyFacts
