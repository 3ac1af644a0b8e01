// Written by `npm run generate` from the files beside it.
import { account } from './admin/account.ts'
import { activities } from './admin/activities.ts'
import { allowlists } from './admin/allowlists.ts'
import { audit as adminAudit } from './admin/audit.ts'
import { botKeys } from './admin/bot-keys.ts'
import { bots } from './admin/bots.ts'
import { hubIntegrations } from './admin/hub-integrations.ts'
import { integrationKeys } from './admin/integration-keys.ts'
import { integrationLogs } from './admin/integration-logs.ts'
import { integrations as adminIntegrations } from './admin/integrations.ts'
import { interfaces } from './admin/interfaces.ts'
import { introspection } from './admin/introspection.ts'
import { members as adminMembers } from './admin/members.ts'
import { plugins } from './admin/plugins.ts'
import { tokens } from './admin/tokens.ts'
import { workspaces } from './admin/workspaces.ts'
import { conversations as chatConversations } from './chat/conversations.ts'
import { events as chatEvents } from './chat/events.ts'
import { messages as chatMessages } from './chat/messages.ts'
import { participants as chatParticipants } from './chat/participants.ts'
import { users as chatUsers } from './chat/users.ts'
import { files as filesFiles } from './files/files.ts'
import { conversations as liveConversations } from './live/conversations.ts'
import { messages as liveMessages } from './live/messages.ts'
import { integrations as newerIntegrations } from './newer/integrations.ts'
import { audit as platformAudit } from './platform/audit.ts'
import { deadLetters } from './platform/dead-letters.ts'
import { deployments } from './platform/deployments.ts'
import { events as platformEvents } from './platform/events.ts'
import { feedback } from './platform/feedback.ts'
import { health } from './platform/health.ts'
import { history } from './platform/history.ts'
import { liveUpdates } from './platform/live.ts'
import { logs } from './platform/logs.ts'
import { members as platformMembers } from './platform/members.ts'
import { queue } from './platform/queue.ts'
import { actions } from './runtime/actions.ts'
import { conversations as runtimeConversations } from './runtime/conversations.ts'
import { events as runtimeEvents } from './runtime/events.ts'
import { integrations as runtimeIntegrations } from './runtime/integrations.ts'
import { messages as runtimeMessages } from './runtime/messages.ts'
import { participants as runtimeParticipants } from './runtime/participants.ts'
import { states } from './runtime/states.ts'
import { tags } from './runtime/tags.ts'
import { users as runtimeUsers } from './runtime/users.ts'
import { workflows } from './runtime/workflows.ts'
import { rows } from './tables/rows.ts'
import { tables } from './tables/tables.ts'
import { conversations as webchatConversations } from './webchat/conversations.ts'
import { events as webchatEvents } from './webchat/events.ts'
import { files as webchatFiles } from './webchat/files.ts'
import { messages as webchatMessages } from './webchat/messages.ts'
import { metrics } from './webchat/metrics.ts'
import { participants as webchatParticipants } from './webchat/participants.ts'
import { users as webchatUsers } from './webchat/users.ts'

export const handlers = {
  admin: {
    account,
    activities,
    allowlists,
    audit: adminAudit,
    botKeys,
    bots,
    hubIntegrations,
    integrationKeys,
    integrationLogs,
    integrations: adminIntegrations,
    interfaces,
    introspection,
    members: adminMembers,
    plugins,
    tokens,
    workspaces,
  },
  chat: {
    conversations: chatConversations,
    events: chatEvents,
    messages: chatMessages,
    participants: chatParticipants,
    users: chatUsers,
  },
  files: {
    files: filesFiles,
  },
  live: {
    conversations: liveConversations,
    messages: liveMessages,
  },
  newer: {
    integrations: newerIntegrations,
  },
  platform: {
    audit: platformAudit,
    deadLetters,
    deployments,
    events: platformEvents,
    feedback,
    health,
    history,
    liveUpdates,
    logs,
    members: platformMembers,
    queue,
  },
  runtime: {
    actions,
    conversations: runtimeConversations,
    events: runtimeEvents,
    integrations: runtimeIntegrations,
    messages: runtimeMessages,
    participants: runtimeParticipants,
    states,
    tags,
    users: runtimeUsers,
    workflows,
  },
  tables: {
    rows,
    tables,
  },
  webchat: {
    conversations: webchatConversations,
    events: webchatEvents,
    files: webchatFiles,
    messages: webchatMessages,
    metrics,
    participants: webchatParticipants,
    users: webchatUsers,
  },
}
