import { Type as T } from 'typebox'
import { Count, closed, Json, NewTags, Properties, Timestamp } from '../../fields.ts'
import { operation } from '../../operation.ts'

/** The id that the object has on the server that it comes from. */
const keptId = (prefix: string) =>
  T.String({
    pattern: `^${prefix}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`,
    maxLength: 36,
    examples: [`${prefix}_01JV8D3Q6K0X9W5Y2T7R4M1N8B`],
  })
const times = { createdAt: Timestamp, updatedAt: Timestamp }
const maxItems = 100

export const history = {
  importHistory: operation({
    method: 'POST',
    path: '/v1/platform/history',
    access: 'bot',
    summary: 'Import users, conversations and messages of another server',
    description:
      'Keeps ids and times, and delivers nothing. Existing objects stay unchanged, so an import can ' +
      'be repeated. Tags have the names that the bot sees, such as `telegram:id`. Send the messages ' +
      'of a conversation in ascending order, and the newest request first. Returns the numbers of new ' +
      'objects.',
    body: closed({
      users: T.Optional(
        T.Array(
          closed({
            id: keptId('user'),
            ...times,
            integration: T.Optional(T.String({ minLength: 1, maxLength: 200 })),
            name: T.Optional(T.String({ maxLength: 200 })),
            pictureUrl: T.Optional(T.String({ maxLength: 40_000 })),
            tags: NewTags,
            properties: T.Optional(Properties),
          }),
          { maxItems },
        ),
      ),
      conversations: T.Optional(
        T.Array(
          closed({
            id: keptId('conv'),
            ...times,
            integration: T.String({ minLength: 1, maxLength: 200 }),
            channel: T.String({ minLength: 1, maxLength: 200 }),
            tags: NewTags,
            properties: T.Optional(Properties),
            participantIds: T.Array(T.String({ maxLength: 36 }), { maxItems: 1000 }),
          }),
          { maxItems },
        ),
      ),
      messages: T.Optional(
        T.Array(
          closed({
            id: keptId('msg'),
            ...times,
            conversationId: T.String({ maxLength: 36 }),
            /** The bot's own id for messages that the bot wrote. Users may have been deleted. */
            userId: T.String({ minLength: 1, maxLength: 36 }),
            direction: T.Enum(['incoming', 'outgoing']),
            type: T.String({ maxLength: 200 }),
            payload: Json,
            tags: NewTags,
          }),
          { maxItems },
        ),
      ),
    }),
    response: closed({ users: Count, conversations: Count, messages: Count }),
    errors: ['ResourceNotFound'],
  }),
}
