// Operations of chats that the external contract does not have, at the same address.
import { type FamilyFacts, MB } from '../family.ts'

export const family = {
  position: 4,
  title: 'Live chat',
  prefix: '/chat/{webhookId}',
  bodyLimit: 1 * MB,
  unserved: {},
  own: true,
} satisfies FamilyFacts
