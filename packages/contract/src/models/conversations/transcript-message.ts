import { type Static, Type as T } from 'typebox'
import { closed } from '../../fields.ts'
import { Message } from './message.ts'

/**
 * A message with its author. `author.integration` is the alias of the integration that created the
 * user; the name is absent if the user was deleted or has none. `author.accountId`: the member who
 * answered in place of the bot.
 * @component
 */
export const TranscriptMessage = closed({
  message: Message,
  author: closed({
    id: T.String(),
    isBot: T.Boolean(),
    name: T.Optional(T.String()),
    /** Id that the chat client chose. */
    fid: T.Optional(T.String()),
    pictureUrl: T.Optional(T.String()),
    integration: T.Optional(T.String()),
    accountId: T.Optional(T.String()),
  }),
})
export type TranscriptMessage = Static<typeof TranscriptMessage>
