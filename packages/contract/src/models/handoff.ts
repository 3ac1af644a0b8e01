import { type Static, Type as T } from 'typebox'
import { closed, Tags, Timestamp } from '../fields.ts'
import { Message } from './message.ts'

const text = T.Optional(T.String())
const at = T.Optional(Timestamp)

export const newHandoff = {
  /** Why the bot cannot answer. */
  reason: T.Optional(T.String({ maxLength: 500 })),
  /** What the person should know. */
  summary: T.Optional(T.String({ maxLength: 10_000 })),
}

/**
 * A person answers a conversation in place of the bot. A conversation has at most one that is not
 * closed.
 */
export const Handoff = closed({
  id: T.String(),
  conversationId: T.String(),
  state: T.Enum(['waiting', 'assigned', 'closed']),
  ...newHandoff,
  /** With `nothing`, messages and events are not delivered to the bot until the handoff is closed. */
  botReceives: T.Enum(['nothing', 'everything']),
  /** An account; absent for a request of the bot. */
  requestedBy: text,
  /** The account that answers. */
  assignedTo: text,
  requestedAt: Timestamp,
  assignedAt: at,
  /** The first answer of a person. */
  answeredAt: at,
  closedAt: at,
  /** `returned`: the bot continues. `solved`: there is nothing left to do. */
  outcome: T.Optional(T.Enum(['returned', 'solved'])),
  tags: Tags,
})
export type Handoff = Static<typeof Handoff>

/** `user` is the first participant, except for the bot and members of the workspace. */
export const HandoffDetails = closed({
  ...Handoff.properties,
  user: T.Optional(closed({ id: T.String(), name: text, pictureUrl: text })),
  lastMessage: T.Optional(Message),
})
export type HandoffDetails = Static<typeof HandoffDetails>
