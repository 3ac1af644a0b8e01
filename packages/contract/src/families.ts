// Lists the families, which are the APIs of the server, with their operations, URL prefixes and
// body limits. A limit counts the bytes received: the server accepts exactly that many and answers
// one more with 413.
import { account } from './admin/account.ts'
import { actionRuns } from './admin/action-runs.ts'
import { activities } from './admin/activities.ts'
import { allowlists } from './admin/allowlists.ts'
import { audit } from './admin/audit.ts'
import { billing } from './admin/billing.ts'
import { botInsights } from './admin/bot-insights.ts'
import { botIssues } from './admin/bot-issues.ts'
import { botKeys } from './admin/bot-keys.ts'
import { botVersions } from './admin/bot-versions.ts'
import { bots } from './admin/bots.ts'
import { hubIntegrations } from './admin/hub-integrations.ts'
import { integrationKeys } from './admin/integration-keys.ts'
import { integrationLogs } from './admin/integration-logs.ts'
import { integrations as adminIntegrations } from './admin/integrations.ts'
import { interfaces } from './admin/interfaces.ts'
import { introspection } from './admin/introspection.ts'
import { members } from './admin/members.ts'
import { plugins } from './admin/plugins.ts'
import { shareableIds } from './admin/shareable-ids.ts'
import { tokens } from './admin/tokens.ts'
import { usages } from './admin/usages.ts'
import { vrl } from './admin/vrl.ts'
import { workspaces } from './admin/workspaces.ts'
import { conversations as chatConversations } from './chat/conversations.ts'
import { events as chatEvents } from './chat/events.ts'
import { messages as chatMessages } from './chat/messages.ts'
import { participants as chatParticipants } from './chat/participants.ts'
import { users as chatUsers } from './chat/users.ts'
import { media as cognitiveMedia } from './cognitive/media.ts'
import { text as cognitiveText } from './cognitive/text.ts'
import { files as fileOperations } from './files/files.ts'
import { knowledgeBases } from './files/knowledge-bases.ts'
import { passages } from './files/passages.ts'
import { conversations as liveConversations } from './live/conversations.ts'
import { messages as liveMessages } from './live/messages.ts'
import { messages as mcpMessages } from './mcp/messages.ts'
import { billing as newerBilling } from './newer/billing.ts'
import { integrations as newerIntegrations } from './newer/integrations.ts'
import { usage as newerUsage } from './newer/usage.ts'
import { compatible } from './openai/openai.ts'
import type { Group, UnservedOperation } from './operation.ts'
import { archives } from './platform/archives.ts'
import { audit as platformAudit } from './platform/audit.ts'
import { backups } from './platform/backups.ts'
import { bots as platformBots } from './platform/bots.ts'
import { cannedReplies } from './platform/canned-replies.ts'
import { conversationNotes } from './platform/conversation-notes.ts'
import { conversations as platformConversations } from './platform/conversations.ts'
import { deadLetters } from './platform/dead-letters.ts'
import { deployments } from './platform/deployments.ts'
import { documents } from './platform/documents.ts'
import { events as platformEvents } from './platform/events.ts'
import { examples } from './platform/examples.ts'
import { feedback as platformFeedback } from './platform/feedback.ts'
import { handoffs } from './platform/handoffs.ts'
import { health as platformHealth } from './platform/health.ts'
import { history } from './platform/history.ts'
import { insights as platformInsights } from './platform/insights.ts'
import { installation } from './platform/installation.ts'
import { installedIntegrations } from './platform/installed-integrations.ts'
import { invitations } from './platform/invitations.ts'
import { issues as platformIssues } from './platform/issues.ts'
import { knowledge } from './platform/knowledge.ts'
import { knowledgeSources } from './platform/knowledge-sources.ts'
import { liveUpdates } from './platform/live.ts'
import { logs as platformLogs } from './platform/logs.ts'
import { mcp as platformMcp } from './platform/mcp.ts'
import { members as platformMembers } from './platform/members.ts'
import { models as platformModels } from './platform/models.ts'
import { personalData } from './platform/personal-data.ts'
import { queue as platformQueue } from './platform/queue.ts'
import { redaction } from './platform/redaction.ts'
import { retention } from './platform/retention.ts'
import { security } from './platform/security.ts'
import { sessions } from './platform/sessions.ts'
import { signIn } from './platform/sign-in.ts'
import { tableChanges } from './platform/table-changes.ts'
import { tableImports } from './platform/table-imports.ts'
import { tableViews } from './platform/table-views.ts'
import { traces } from './platform/traces.ts'
import { users as platformUsers } from './platform/users.ts'
import { versions as platformVersions } from './platform/versions.ts'
import { webhookRequests } from './platform/webhook-requests.ts'
import { actions } from './runtime/actions.ts'
import { conversations } from './runtime/conversations.ts'
import { events } from './runtime/events.ts'
import { insights } from './runtime/insights.ts'
import { integrations } from './runtime/integrations.ts'
import { messages } from './runtime/messages.ts'
import { participants } from './runtime/participants.ts'
import { states } from './runtime/states.ts'
import { tags } from './runtime/tags.ts'
import { users } from './runtime/users.ts'
import { workflows } from './runtime/workflows.ts'
import { rows as tableRows } from './tables/rows.ts'
import { tables as tableOperations } from './tables/tables.ts'
import { conversations as webchatConversations } from './webchat/conversations.ts'
import { events as webchatEvents } from './webchat/events.ts'
import { files as webchatFiles } from './webchat/files.ts'
import { messages as webchatMessages } from './webchat/messages.ts'
import { metrics as webchatMetrics } from './webchat/metrics.ts'
import { participants as webchatParticipants } from './webchat/participants.ts'
import { users as webchatUsers } from './webchat/users.ts'

export interface Family {
  title: string
  /** Precedes an operation's path in the URL. */
  prefix: string
  bodyLimit: number
  served: Record<string, Group>
  unserved: Record<string, UnservedOperation>
  /** Stability tags of the OpenAPI document and its operations, as in the external document. */
  stability?: readonly ('documented' | 'experimental')[]
  /**
   * The family has no external document to compare with: only Botstead or newer clients have it.
   */
  own?: true
}

const MB = 1_048_576

export const apiVersion = '1.82.0'

export const runtime = {
  conversations,
  participants,
  messages,
  users,
  events,
  states,
  workflows,
  actions,
  integrations,
  tags,
  insights,
}
export const chat = {
  conversations: chatConversations,
  participants: chatParticipants,
  messages: chatMessages,
  users: chatUsers,
  events: chatEvents,
}
export const webchat = {
  conversations: webchatConversations,
  participants: webchatParticipants,
  messages: webchatMessages,
  users: webchatUsers,
  events: webchatEvents,
  files: webchatFiles,
  metrics: webchatMetrics,
}
/** What chats of this server have beside the external contract, at the same address. */
export const live = { conversations: liveConversations, messages: liveMessages }
export const admin = {
  account,
  tokens,
  workspaces,
  bots,
  botKeys,
  botVersions,
  botInsights,
  botIssues,
  introspection,
  actionRuns,
  integrations: adminIntegrations,
  integrationKeys,
  integrationLogs,
  hubIntegrations,
  members,
  allowlists,
  interfaces,
  plugins,
  usages,
  billing,
  shareableIds,
  vrl,
  audit,
  activities,
}
export const files = { files: fileOperations, passages, knowledgeBases }
export const tables = { tables: tableOperations, rows: tableRows }
/** Operations of official clients newer than `apiVersion`, from all APIs. */
export const newer = { billing: newerBilling, usage: newerUsage, integrations: newerIntegrations }
/** Models, as `@botpress/cognitive` calls them. */
export const cognitive = { text: cognitiveText, media: cognitiveMedia }
/** For libraries that speak the wire format of OpenAI. */
export const openai = { compatible }
/** Bots as servers of the Model Context Protocol. */
export const mcp = { messages: mcpMessages }
export const platform = {
  deadLetters,
  deployments,
  documents,
  events: platformEvents,
  conversations: platformConversations,
  feedback: platformFeedback,
  handoffs,
  conversationNotes,
  personalData,
  redaction,
  retention,
  cannedReplies,
  history,
  tableChanges,
  tableImports,
  tableViews,
  insights: platformInsights,
  bots: platformBots,
  issues: platformIssues,
  liveUpdates,
  traces,
  logs: platformLogs,
  queue: platformQueue,
  members: platformMembers,
  health: platformHealth,
  models: platformModels,
  mcp: platformMcp,
  audit: platformAudit,
  users: platformUsers,
  versions: platformVersions,
  examples,
  webhookRequests,
  installedIntegrations,
  installation,
  backups,
  archives,
  knowledge,
  knowledgeSources,
  signIn,
  sessions,
  invitations,
  security,
}

export const families = {
  runtime: {
    title: 'Runtime',
    prefix: '',
    bodyLimit: 1 * MB,
    served: runtime,
    unserved: {},
    stability: ['documented', 'experimental'],
  },
  chat: {
    title: 'Chat',
    prefix: '/chat/{webhookId}',
    bodyLimit: 1 * MB,
    served: chat,
    unserved: {},
  },
  webchat: {
    title: 'Webchat',
    // The client id of a webchat is the webhook id of its integration.
    prefix: '/webchat/{webhookId}',
    bodyLimit: 1 * MB,
    served: webchat,
    unserved: {},
    own: true,
  },
  live: {
    title: 'Live chat',
    prefix: '/chat/{webhookId}',
    bodyLimit: 1 * MB,
    served: live,
    unserved: {},
    own: true,
  },
  admin: {
    title: 'Admin',
    prefix: '',
    bodyLimit: 50 * MB,
    served: admin,
    unserved: {},
    stability: ['documented', 'experimental'],
  },
  files: {
    title: 'Files',
    prefix: '',
    bodyLimit: 1 * MB,
    served: files,
    unserved: {},
    stability: ['documented'],
  },
  tables: {
    title: 'Tables',
    prefix: '',
    bodyLimit: 40 * MB,
    served: tables,
    unserved: {},
    stability: ['documented'],
  },
  newer: {
    title: 'Newer clients',
    prefix: '',
    bodyLimit: 1 * MB,
    served: newer,
    unserved: {},
    own: true,
  },
  cognitive: {
    title: 'Cognitive',
    prefix: '',
    bodyLimit: 40 * MB,
    served: cognitive,
    unserved: {},
    own: true,
  },
  openai: {
    title: 'OpenAI-compatible',
    prefix: '',
    bodyLimit: 40 * MB,
    served: openai,
    unserved: {},
    own: true,
  },
  mcp: {
    title: 'MCP',
    prefix: '',
    bodyLimit: 1 * MB,
    served: mcp,
    unserved: {},
    own: true,
  },
  platform: {
    title: 'Platform',
    prefix: '',
    bodyLimit: 1 * MB,
    served: platform,
    unserved: {},
    own: true,
  },
} satisfies Record<string, Family>
export type FamilyName = keyof typeof families

/** Limits the bodies that third parties send to integrations (`/webhooks/{webhookId}/*`). */
export const webhookBodyLimit = 100 * MB
