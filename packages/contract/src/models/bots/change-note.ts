import { type Static, Type as T } from 'typebox'
import { closed } from '../../fields.ts'
import type { Permission } from '../../permissions.ts'

/** The topics of change notes, with the permission to receive them. */
export const topicPermissions = {
  bots: 'bots.list',
  versions: 'bots.read',
  drafts: 'bots.read',
  copilot: 'bots.read',
  messages: 'conversations.read',
  messageSearch: 'conversations.read',
  conversations: 'conversations.read',
  users: 'conversations.read',
  events: 'data.read',
  deadLetters: 'data.read',
  broadcasts: 'data.read',
  handoffs: 'conversations.read',
  typing: 'conversations.read',
  receipts: 'conversations.read',
  issues: 'bots.read',
  logs: 'bots.read',
  modelCalls: 'models.read',
  integrations: 'packages.read',
  members: 'members.list',
  archives: 'workspace.archive',
  files: 'knowledge.read',
  tables: 'tables.read',
  tableRows: 'tables.read',
  tableJobs: 'tables.read',
  webhookRequests: 'data.read',
} as const satisfies Record<string, Permission>

export type Topic = keyof typeof topicPermissions
export const topics = Object.keys(topicPermissions) as Topic[]

const text = T.Optional(T.String())

/**
 * Something of this topic has changed. `ready`: the stream continues where it was cut, or begins.
 * `reset`: notes were missed, so everything may have changed. Without `id`, several objects have
 * changed; without `botId`, an object of the workspace, or bots. `typing`: a user of a conversation
 * with an open handoff writes. `receipts`: a user has received or read messages of a conversation.
 * `messageSearch`: a search finds further messages, some seconds after they were stored.
 * `tableRows`: rows of the table `id` have changed. `drafts`: `id` is the revision that was saved.
 * `copilot`: a request to the copilot of the bot has another state.
 * @component
 */
export const ChangeNote = closed({
  topic: T.Enum([...topics, 'ready', 'reset']),
  botId: text,
  id: text,
  conversationId: text,
})
export type ChangeNote = Static<typeof ChangeNote>
