import { type Static, Type as T } from 'typebox'
import { closed } from '../../fields.ts'
import { Conversation } from './conversation.ts'
import { Message } from './message.ts'

const NamedParticipant = closed({
  id: T.String(),
  name: T.Optional(T.String()),
  /** Id that the chat client chose. */
  fid: T.Optional(T.String()),
  pictureUrl: T.Optional(T.String()),
  /** Alias of the integration that created the user. */
  integration: T.Optional(T.String()),
})

/**
 * A conversation in the results of a search. `match` is the last message with the words,
 * `lastUserMessage` the last one of a user among the last hundred. `participants` are the first
 * five, without the bot and the members who answer. Counts end at 1,000.
 * @component
 */
export const FoundConversation = closed({
  conversation: Conversation,
  lastMessage: T.Optional(Message),
  lastUserMessage: T.Optional(Message),
  match: T.Optional(Message),
  participants: T.Array(NamedParticipant),
  participantCount: T.Integer(),
  deadLetterCount: T.Integer(),
  feedback: closed({ positive: T.Integer(), negative: T.Integer() }),
})
export type FoundConversation = Static<typeof FoundConversation>
