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
import { archives } from '../../features/archive/api/platform/archives.ts'
import { backups } from '../../features/archive/api/platform/backups.ts'
import { conversations as platformConversations } from '../../features/conversation-search/api/platform/conversations.ts'
import { users as platformUsers } from '../../features/conversation-search/api/platform/users.ts'
import { cannedReplies } from '../../features/handoffs/api/platform/canned-replies.ts'
import { conversationNotes } from '../../features/handoffs/api/platform/conversation-notes.ts'
import { handoffs } from '../../features/handoffs/api/platform/handoffs.ts'
import { actionRuns } from '../../features/insights/api/admin/action-runs.ts'
import { billing } from '../../features/insights/api/admin/billing.ts'
import { botInsights } from '../../features/insights/api/admin/bot-insights.ts'
import { botIssues } from '../../features/insights/api/admin/bot-issues.ts'
import { usages } from '../../features/insights/api/admin/usages.ts'
import { billing as newerBilling } from '../../features/insights/api/newer/billing.ts'
import { usage as newerUsage } from '../../features/insights/api/newer/usage.ts'
import { bots as platformBots } from '../../features/insights/api/platform/bots.ts'
import { insights as platformInsights } from '../../features/insights/api/platform/insights.ts'
import { issues as platformIssues } from '../../features/insights/api/platform/issues.ts'
import { traces } from '../../features/insights/api/platform/traces.ts'
import { insights } from '../../features/insights/api/runtime/insights.ts'
import { knowledgeBases } from '../../features/knowledge/api/files/knowledge-bases.ts'
import { passages } from '../../features/knowledge/api/files/passages.ts'
import { knowledge } from '../../features/knowledge/api/platform/knowledge.ts'
import { knowledgeSources } from '../../features/knowledge/api/platform/knowledge-sources.ts'
import { messages as mcpMessages } from '../../features/mcp/api/mcp/messages.ts'
import { mcp as platformMcp } from '../../features/mcp/api/platform/mcp.ts'
import { media as cognitiveMedia } from '../../features/models/api/cognitive/media.ts'
import { text as cognitiveText } from '../../features/models/api/cognitive/text.ts'
import { compatible } from '../../features/models/api/openai/compatible.ts'
import { models as platformModels } from '../../features/models/api/platform/models.ts'
import { installation } from '../../features/operator/api/platform/installation.ts'
import { personalData } from '../../features/privacy/api/platform/personal-data.ts'
import { redaction } from '../../features/privacy/api/platform/redaction.ts'
import { retention } from '../../features/privacy/api/platform/retention.ts'
import { shareableIds } from '../../features/shared-addresses/api/admin/shareable-ids.ts'
import { vrl } from '../../features/shared-addresses/api/admin/vrl.ts'
import { installedIntegrations } from '../../features/shared-addresses/api/platform/installed-integrations.ts'
import { invitations } from '../../features/sign-in/api/platform/invitations.ts'
import { security } from '../../features/sign-in/api/platform/security.ts'
import { sessions } from '../../features/sign-in/api/platform/sessions.ts'
import { signIn } from '../../features/sign-in/api/platform/sign-in.ts'
import { tableChanges } from '../../features/table-tools/api/platform/table-changes.ts'
import { tableImports } from '../../features/table-tools/api/platform/table-imports.ts'
import { tableViews } from '../../features/table-tools/api/platform/table-views.ts'
import { botVersions } from '../../features/versions/api/admin/bot-versions.ts'
import { documents } from '../../features/versions/api/platform/documents.ts'
import { examples } from '../../features/versions/api/platform/examples.ts'
import { versions as platformVersions } from '../../features/versions/api/platform/versions.ts'
import { webhookRequests } from '../../features/webhook-diary/api/platform/webhook-requests.ts'
import type { Contexts } from '../http/services.ts'
import { account } from './admin/account.ts'
import { activities } from './admin/activities.ts'
import { allowlists } from './admin/allowlists.ts'
import { audit } from './admin/audit.ts'
import { botKeys } from './admin/bot-keys.ts'
import { bots } from './admin/bots.ts'
import { hubIntegrations } from './admin/hub-integrations.ts'
import { integrationKeys } from './admin/integration-keys.ts'
import { integrationLogs } from './admin/integration-logs.ts'
import { integrations as adminIntegrations } from './admin/integrations.ts'
import { interfaces } from './admin/interfaces.ts'
import { introspection } from './admin/introspection.ts'
import { members } from './admin/members.ts'
import { plugins } from './admin/plugins.ts'
import { tokens } from './admin/tokens.ts'
import { workspaces } from './admin/workspaces.ts'
import { conversations as chatConversations } from './chat/conversations.ts'
import { events as chatEvents } from './chat/events.ts'
import {
  messages as chatMessages,
  keyedCreateMessage as keyedCreateChatMessage,
} from './chat/messages.ts'
import { participants as chatParticipants } from './chat/participants.ts'
import { users as chatUsers } from './chat/users.ts'
import { files as fileHandlers } from './files/files.ts'
import { conversations as liveConversations } from './live/conversations.ts'
import { messages as liveMessages } from './live/messages.ts'
import { integrations as newerIntegrations } from './newer/integrations.ts'
import { audit as platformAudit } from './platform/audit.ts'
import { deadLetters } from './platform/dead-letters.ts'
import { deployments } from './platform/deployments.ts'
import { events as platformEvents } from './platform/events.ts'
import { feedback as platformFeedback } from './platform/feedback.ts'
import { health as platformHealth } from './platform/health.ts'
import { history } from './platform/history.ts'
import { liveUpdates } from './platform/live.ts'
import { logs as platformLogs } from './platform/logs.ts'
import { members as platformMembers } from './platform/members.ts'
import { queue as platformQueue } from './platform/queue.ts'
import { actions } from './runtime/actions.ts'
import { conversations } from './runtime/conversations.ts'
import { events } from './runtime/events.ts'
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
