// Requests with an Idempotency-Key for tests of many keys, and queries that find their effects by a
// unique mark.
import type { ConnectionSettings } from '../../src/core/db/database.ts'
import { runQuery } from './delivery-audit.ts'

export interface Effect {
  name: string
  request(mark: string): { path: string; headers: Record<string, string>; body: object }
  /** The id of the created object in the response. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests read single fields of responses
  idIn(answer: any): string
  /** Selects `mark` and `id` for the marks in $1. */
  stored: string
}

export interface EffectDeps {
  asBot: Record<string, string>
  botId: string
  /** Path of the bot's chat. */
  chat: string
  /** Headers of a participant. */
  asUser: Record<string, string>
  conversationId: string
}

export const effectsFor = ({
  asBot,
  botId,
  chat,
  asUser,
  conversationId,
}: EffectDeps): Effect[] => [
  {
    name: 'createUser',
    request: (mark) => ({
      path: '/v1/chat/users',
      headers: asBot,
      body: { tags: {}, name: mark },
    }),
    idIn: ({ user }) => user.id,
    stored: 'select name as mark, id from "user" where name = any($1)',
  },
  {
    name: 'createConversation',
    request: (mark) => ({
      path: '/v1/chat/conversations',
      headers: asBot,
      body: { channel: 'channel', tags: {}, properties: { mark } },
    }),
    idIn: ({ conversation }) => conversation.id,
    stored: `select properties ->> 'mark' as mark, id
      from conversation where properties ->> 'mark' = any($1)`,
  },
  {
    name: 'createEvent',
    request: (mark) => ({
      path: '/v1/chat/events',
      headers: asBot,
      body: { type: 'noted', payload: { mark } },
    }),
    idIn: ({ event }) => event.id,
    stored: `select payload ->> 'mark' as mark, id from event where payload ->> 'mark' = any($1)`,
  },
  {
    name: 'createMessage',
    request: (mark) => ({
      path: '/v1/chat/messages',
      headers: asBot,
      body: {
        conversationId,
        userId: botId,
        type: 'text',
        tags: {},
        payload: { text: mark },
      },
    }),
    idIn: ({ message }) => message.id,
    stored: `select payload ->> 'text' as mark, id from message where payload ->> 'text' = any($1)`,
  },
  {
    name: 'createMessage of the chat',
    request: (mark) => ({
      path: `${chat}/messages`,
      headers: asUser,
      body: { conversationId, payload: { type: 'text', text: mark } },
    }),
    idIn: ({ message }) => message.id,
    stored: `select payload ->> 'text' as mark, id from message where payload ->> 'text' = any($1)`,
  },
]

/** Returns the ids of all stored objects by mark. */
export async function storedBy(
  settings: ConnectionSettings,
  { stored }: Effect,
  marks: string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>(marks.map((mark) => [mark, []]))
  for (const { mark, id } of await runQuery<{ mark: string; id: string }>(
    settings,
    stored,
    [marks],
  ))
    found.get(mark)!.push(id)
  return found
}
