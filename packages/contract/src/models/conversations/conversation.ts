import { type Static, Type as T } from 'typebox'
import { closed, id, Properties, Tags, Timestamp } from '../../fields.ts'

/**
 * A thread of messages in one channel of one integration. `integration` is the alias of the
 * installation.
 * @component
 */
export const Conversation = closed({
  id: id('conv'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  channel: T.String(),
  integration: T.String(),
  tags: Tags,
  messageCount: T.Integer(),
  properties: T.Optional(Properties),
  currentWorkflowId: T.Optional(id('wrkflow')),
})
export type Conversation = Static<typeof Conversation>
