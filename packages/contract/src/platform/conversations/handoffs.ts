import { Type as T } from 'typebox'
import {
  byId,
  Count,
  closed,
  Done,
  Json,
  Meta,
  Moment,
  nullable,
  paging,
  TagChanges,
  Tags,
} from '../../fields.ts'
import {
  Handoff,
  HandoffDetails,
  HandoffRules,
  HandoffTimes,
  newHandoff,
} from '../../models/conversations/handoff.ts'
import { Message } from '../../models/conversations/message.ts'
import { operation } from '../../operation.ts'

const response = closed({ handoff: Handoff })
const account = nullable(T.String({ maxLength: 100 }))

const filter = {
  /** `open`: waiting or assigned. */
  state: T.Optional(T.Enum(['open', 'waiting', 'closed'])),
  /** An account, or `me`; only open ones, unless `state` is `closed`. */
  assignedTo: T.Optional(T.String()),
  conversationId: T.Optional(T.String()),
  source: T.Optional(Handoff.properties.source),
  tags: T.Optional(Tags),
  /** Words of the name of a participant, or of a message. */
  text: T.Optional(T.String({ minLength: 1, maxLength: 500 })),
}

export const handoffs = {
  requestHandoff: operation({
    method: 'POST',
    path: '/v1/platform/handoffs',
    access: 'bot',
    permission: 'conversations.write',
    summary: 'Request a person for a conversation',
    description:
      'Returns the open handoff of the conversation, if it has one. With `botReceives: nothing` (the ' +
      'default, which the rules of the bot may change), messages and events of the conversation are ' +
      'stored, and not delivered to the bot. ' +
      'A person who hands over is assigned with `assign`, and ends the running answer.',
    body: closed({
      conversationId: T.String(),
      ...newHandoff,
      botReceives: T.Optional(T.Enum(['nothing', 'everything'])),
      assign: T.Optional(T.Boolean()),
    }),
    response,
    errors: ['ResourceNotFound', 'InvalidPayload'],
  }),
  listHandoffs: operation({
    method: 'GET',
    path: '/v1/platform/handoffs',
    access: 'bot',
    permission: 'conversations.read',
    summary: 'List handoffs, newest first',
    description:
      '`sortDirection=asc`: oldest first. `text`: words of the name of a participant, or of one ' +
      'message; the last word may be incomplete. If more than 5,000 messages match, the search ends ' +
      'after 2,000 handoffs.',
    query: T.Object({
      ...paging,
      ...filter,
      sortDirection: T.Optional(T.Enum(['asc', 'desc'])),
    }),
    response: closed({ handoffs: T.Array(HandoffDetails), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  countHandoffs: operation({
    method: 'GET',
    path: '/v1/platform/handoffs/count',
    access: 'bot',
    permission: 'conversations.read',
    summary: 'Get the number of matching handoffs',
    description: 'Counting stops at 1,000.',
    query: T.Object(filter),
    response: closed({ count: Count }),
    errors: ['InvalidQuery'],
  }),
  getHandoff: operation({
    method: 'GET',
    path: '/v1/platform/handoffs/{id}',
    access: 'bot',
    permission: 'conversations.read',
    summary: 'Get a handoff',
    params: byId,
    response: closed({ handoff: HandoffDetails }),
    errors: ['ResourceNotFound'],
  }),
  updateHandoff: operation({
    method: 'PUT',
    path: '/v1/platform/handoffs/{id}',
    access: 'bot',
    permission: 'conversations.write',
    summary: 'Change the tags of a handoff',
    description:
      'Also of a closed one. It has 50 tags at most, with names of 100 characters.',
    params: byId,
    body: closed({ tags: TagChanges }),
    response,
    errors: ['ResourceNotFound', 'InvalidPayload'],
  }),
  assignHandoff: operation({
    method: 'POST',
    path: '/v1/platform/handoffs/{id}/assign',
    access: 'bot',
    permission: 'conversations.write',
    summary: 'Assign a handoff to a person',
    description:
      '`from` is the account to which it was assigned, as the caller has seen it: the request fails ' +
      'if this has changed. `to: null` lets it wait again.',
    params: byId,
    body: closed({ from: account, to: account }),
    response,
    errors: [
      'ResourceNotFound',
      'ReferenceNotFound',
      'ResourceLockedConflict',
      'RelationConflict',
    ],
  }),
  answerHandoff: operation({
    method: 'POST',
    path: '/v1/platform/handoffs/{id}/messages',
    access: 'bot',
    permission: 'conversations.write',
    summary: 'Answer a conversation in person',
    description:
      'The handoff must be assigned to the caller. The message has the name of the caller.',
    params: byId,
    body: closed({ type: T.String(), payload: Json }),
    status: 201,
    response: closed({ message: Message }),
    errors: ['ResourceNotFound', 'ResourceLockedConflict', 'RelationConflict'],
  }),
  readHandoff: operation({
    method: 'POST',
    path: '/v1/platform/handoffs/{id}/read',
    access: 'bot',
    permission: 'conversations.write',
    audit: false,
    summary: 'Set read messages of a handoff',
    description:
      'The caller, who must be assigned to the handoff, has read the messages up to this one. The ' +
      "position only moves forward; the user's chat shows it.",
    params: byId,
    body: closed({ messageId: T.String() }),
    response: Done,
    errors: ['ResourceNotFound', 'ResourceLockedConflict', 'RelationConflict'],
  }),
  closeHandoff: operation({
    method: 'POST',
    path: '/v1/platform/handoffs/{id}/close',
    access: 'bot',
    permission: 'conversations.write',
    summary: 'Close a handoff',
    description:
      'The bot receives the conversation again, and the event `handoff_closed`; sessions of the ' +
      'plugin `hitl` send no event. If it is assigned, only this person and the bot can close it.',
    params: byId,
    body: closed({ outcome: T.Enum(['returned', 'solved']) }),
    response,
    errors: ['ResourceNotFound', 'ResourceLockedConflict', 'RelationConflict'],
  }),
  getHandoffRules: operation({
    method: 'GET',
    path: '/v1/platform/handoff-rules',
    access: 'bot',
    permission: 'bots.read',
    summary: 'Get the rules for handoffs',
    response: closed({ rules: HandoffRules }),
  }),
  setHandoffRules: operation({
    method: 'PUT',
    path: '/v1/platform/handoff-rules',
    access: 'bot',
    permission: 'bots.update',
    audit: 'UPDATE_BOT',
    summary: 'Replace the rules for handoffs',
    description: 'With `{}`, only bots and people hand over.',
    body: HandoffRules,
    response: closed({ rules: HandoffRules }),
    errors: ['InvalidPayload'],
  }),
  getHandoffTimes: operation({
    method: 'GET',
    path: '/v1/platform/handoff-times',
    access: 'bot',
    permission: 'insights.read',
    summary: 'Get response times of handoffs',
    description:
      'Of handoffs requested from `from` (30 days ago by default) to `to` (now by default), at most ' +
      '366 days. Sessions of the plugin `hitl` are included.',
    query: T.Object({ from: T.Optional(Moment), to: T.Optional(Moment) }),
    response: HandoffTimes,
    errors: ['InvalidQuery'],
  }),
}
