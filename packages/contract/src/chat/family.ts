import { type FamilyFacts, MB } from '../family.ts'

export const family = {
  position: 2,
  title: 'Chat',
  prefix: '/chat/{webhookId}',
  bodyLimit: 1 * MB,
  unserved: {},
} satisfies FamilyFacts
