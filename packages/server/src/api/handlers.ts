// The handlers of all operations, in the contract's structure. A missing one does not compile.
import type {
  admin,
  chat,
  cognitive,
  files,
  Group,
  Handlers,
  live,
  mcp,
  newer,
  openai,
  platform,
  runtime,
  tables,
  webchat,
} from '@botstead/contract'
import type { Contexts } from '../http/services.ts'
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
import {
  messages as chatMessages,
  keyedCreateMessage as keyedCreateChatMessage,
} from './chat/messages.ts'
import { participants as chatParticipants } from './chat/participants.ts'
import { users as chatUsers } from './chat/users.ts'
import { media as cognitiveMedia } from './cognitive/media.ts'
import { text as cognitiveText } from './cognitive/text.ts'
import { files as fileHandlers } from './files/files.ts'
import { knowledgeBases } from './files/knowledge-bases.ts'
import { passages } from './files/passages.ts'
import { conversations as liveConversations } from './live/conversations.ts'
import { messages as liveMessages } from './live/messages.ts'
import { messages as mcpMessages } from './mcp/messages.ts'
import { billing as newerBilling } from './newer/billing.ts'
import { integrations as newerIntegrations } from './newer/integrations.ts'
import { usage as newerUsage } from './newer/usage.ts'
import { compatible } from './openai/compatible.ts'
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
import { keyedCreateMessage, messages } from './runtime/messages.ts'
import { participants } from './runtime/participants.ts'
import { states } from './runtime/states.ts'
import { tags } from './runtime/tags.ts'
import { users } from './runtime/users.ts'
import { workflows } from './runtime/workflows.ts'
import { rows as tableRowHandlers } from './tables/rows.ts'
import { tables as tableHandlers } from './tables/tables.ts'
import { conversations as webchatConversations } from './webchat/conversations.ts'
import { events as webchatEvents } from './webchat/events.ts'
import { files as webchatFiles } from './webchat/files.ts'
import {
  keyedCreateMessage as keyedCreateWebchatMessage,
  messages as webchatMessages,
} from './webchat/messages.ts'
import { metrics as webchatMetrics } from './webchat/metrics.ts'
import { participants as webchatParticipants } from './webchat/participants.ts'
import { users as webchatUsers } from './webchat/users.ts'

type Family<Groups extends Record<string, Group>> = {
  [Name in keyof Groups]: Handlers<Groups[Name], Contexts>
}

type AllFamilies = {
  runtime: Family<typeof runtime>
  chat: Family<typeof chat>
  webchat: Family<typeof webchat>
  live: Family<typeof live>
  admin: Family<typeof admin>
  files: Family<typeof files>
  tables: Family<typeof tables>
  newer: Family<typeof newer>
  cognitive: Family<typeof cognitive>
  openai: Family<typeof openai>
  mcp: Family<typeof mcp>
  platform: Family<typeof platform>
}

export const handlers: AllFamilies = {
  runtime: {
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
  },
  chat: {
    conversations: chatConversations,
    participants: chatParticipants,
    messages: chatMessages,
    users: chatUsers,
    events: chatEvents,
  },
  webchat: {
    conversations: webchatConversations,
    participants: webchatParticipants,
    messages: webchatMessages,
    users: webchatUsers,
    events: webchatEvents,
    files: webchatFiles,
    metrics: webchatMetrics,
  },
  live: { conversations: liveConversations, messages: liveMessages },
  admin: {
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
  },
  files: { files: fileHandlers, passages, knowledgeBases },
  tables: { tables: tableHandlers, rows: tableRowHandlers },
  newer: { billing: newerBilling, usage: newerUsage, integrations: newerIntegrations },
  cognitive: { text: cognitiveText, media: cognitiveMedia },
  openai: { compatible },
  mcp: { messages: mcpMessages },
  platform: {
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
  },
}

/** Operations that write one message, with an Idempotency-Key. */
export const messageOperations = {
  'runtime.createMessage': keyedCreateMessage,
  'chat.createMessage': keyedCreateChatMessage,
  'webchat.createMessage': keyedCreateWebchatMessage,
}
