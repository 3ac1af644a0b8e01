import { type FamilyFacts, MB } from '../family.ts'

export const family = {
  position: 3,
  title: 'Webchat',
  // The client id of a webchat is the webhook id of its integration.
  prefix: '/webchat/{webhookId}',
  bodyLimit: 1 * MB,
  unserved: {},
  own: true,
} satisfies FamilyFacts
