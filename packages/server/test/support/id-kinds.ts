// The kind of object that each id in the contract names, by its location. An unlisted id fails the
// tests, so that none is forgotten.

import type { InputLocation, ServedOperation } from './served-operations.ts'
import type { ThingKind } from './tenants.ts'

/** The kind of object that a field names; null for a field that only looks like an id. */
const fieldKinds: Record<string, ThingKind | null> = {
  botId: 'bot',
  participantIds: 'user',
  messageId: 'message',
  userId: 'user',
  userIds: 'user',
  fileId: 'file',
  conversationId: 'conversation',
  knowledgeBaseId: 'knowledgeBase',
  ids: 'file',
  workspaceIds: 'workspace',
  targetWorkspaceId: 'workspace',
  // Belongs to a removed API.
  taskId: null,
  handle: 'handle',
  tags: 'tag',
  // A key that the caller chooses within its own scope.
  'account.preferences.key': 'preference',
  // Names of tags, not their values.
  discriminateByTags: null,
  workflowId: 'workflow',
  versionId: 'botVersion',
  issueId: 'issue',
  parentWorkflowId: 'workflow',
  eventId: 'event',
  // Belongs to a removed API and has no effect.
  currentTaskId: null,
  // No such objects exist.
  invoiceIds: null,
  // Claimed, not looked up; a claimed identifier has its own test.
  identifier: null,
  sandboxIdentifiers: null,
  interfaceId: 'interface',
  integrationId: 'integration',
  installedByBotId: 'bot',
  // A column of the table in the path.
  keyColumn: null,
  // Within the bot in the path.
  integrationInstanceAlias: null,
  alias: null,
  // Names that the caller chooses for its own objects.
  errorId: null,
  traceId: null,
  // Any bot, conversation or user; a budget for another tenant's has no effect.
  scopeId: null,
}
const isChatFamily = (family: string) => ['chat', 'webchat', 'live'].includes(family)
const chatKinds: Record<string, ThingKind> = {
  conversationId: 'chatConversation',
  userId: 'chatUser',
  messageId: 'chatMessage',
}
/** The kind of `{id}` in a path, by the segment before it. */
const pathKinds: Record<string, ThingKind | null> = {
  conversations: 'conversation',
  messages: 'message',
  users: 'user',
  feedback: 'feedback',
  events: 'event',
  scheduled: 'scheduledEvent',
  files: 'file',
  'knowledge-bases': 'knowledgeBase',
  'knowledge-sources': 'knowledgeSource',
  tables: 'table',
  bots: 'bot',
  baks: 'botKey',
  versions: 'botVersion',
  // Numbers within the bot in the path.
  revisions: null,
  'copilot-runs': null,
  issues: 'issue',
  integrations: 'integration',
  iaks: 'integrationKey',
  usages: 'bot',
  'workspace-members': 'account',
  members: 'invitee',
  interfaces: 'interface',
  plugins: 'plugin',
  // The name of a tag, and of an example of the server.
  tags: null,
  examples: null,
  pats: 'pat',
  sessions: 'session',
  invitations: 'invitation',
  archives: 'archive' as const,
  backups: null,
  workspaces: 'workspace',
  preferences: 'preference',
  workflows: 'workflow',
  'dead-letters': 'deadLetter',
  broadcasts: 'broadcast',
  handoffs: 'handoff',
  notes: 'note',
  erasures: 'erasure',
  'canned-replies': 'cannedReply',
  'curated-answers': 'curatedAnswer',
  'knowledge-checks': 'knowledgeCheck',
  'webhook-requests': 'webhookRequest',
  'model-budgets': null,
  'model-providers': null,
  'mcp-servers': null,
  mcp: 'bot',
  // Names of channels of the server.
  'channel-guides': null,
}
const chatPathKinds: Record<string, ThingKind> = {
  conversations: 'chatConversation',
  messages: 'chatMessage',
  events: 'chatEvent',
}
/** For `/states/{type}/{id}/{name}`, see `stateParams`. */
const stateKinds: Record<string, ThingKind | null> = {
  type: null,
  id: 'conversation',
  name: null,
}
export const stateParams: Record<string, string> = {
  type: 'conversation',
  name: 'memory',
}
const chosenKinds: Record<string, ThingKind> = {
  'chat.createUser': 'chosenUser',
  'chat.createConversation': 'chosenConversation',
  'chat.getOrCreateConversation': 'chosenConversation',
  'webchat.generateUserKey': 'chatUser',
}

/** Null for a field that names no object, undefined for an unlisted field that looks like an id. */
export function findIdKind(
  { name, family, url }: ServedOperation,
  place: InputLocation,
  field: string,
): ThingKind | null | undefined {
  // Names products for sale; there are none.
  if (url.startsWith('/v2/billing/')) return null
  if (place === 'params') {
    if (name === 'admin.transferBot') return 'spareBot'
    // Another operation redelivers the usual ones.
    if (name === 'platform.redeliverEditedDeadLetter') return 'spareDeadLetter'
    if (name === 'platform.closeHandoff') return 'spareHandoff'
    if (name === 'platform.erasePersonalData') return 'spareUser'
    if (field === 'alias') return null
    // A name that the caller chooses.
    if (field === 'destinationKey') return null
    if (url.includes('/states/{type}/{id}/{name}')) return stateKinds[field]
    const before = new RegExp(`([\\w-]+)/\\{${field}\\}`).exec(url)?.[1] ?? ''
    if (field === 'webhookId') return 'webhook'
    if (field === 'integrationId' && url.includes('/bots/{botId}/')) return 'installed'
    const named = /(integration|interface|plugin)s\/\{name\}\/\{version\}$/.exec(
      url,
    )?.[1] as 'plugin' | undefined
    if (named) return field === 'name' ? `${named}Name` : null
    if (field === 'platform') return null
    if (field !== 'userId')
      return isChatFamily(family) ? chatPathKinds[before] : pathKinds[before]
  }
  // A name within an observation, which need not be unique.
  if (field === 'id' && /Observations?$/.test(name)) return null
  if (field === 'id' && place === 'body') return chosenKinds[name]
  if (name === 'admin.getMultipleUsages' && field === 'ids') return 'bot'
  if (/^platform\.(redeliver|discard)Failures$/.test(name) && field === 'ids')
    return 'deadLetter'
  // A new name for the caller's own table.
  if (family === 'tables' && place === 'body' && field === 'tags') return null
  // Row ids in the table in the path.
  if (family === 'tables' && (field === 'id' || field === 'ids')) return null
  // A name within the caller's own files.
  if (name === 'webchat.createFile' && (field === 'key' || field === 'tags')) return null
  if (field === 'key' && place === 'body')
    return {
      'files.upsertFile': 'fileKey' as const,
      'platform.setModelProvider': null,
      'platform.setMcpServer': null,
      // Of a group of questions of the caller's own bot.
      'platform.dismissMissedQuestion': null,
    }[name]
  if (isChatFamily(family) && chatKinds[field]) return chatKinds[field]
  const looksLikeId = /(^|[a-z])(id|ids|key|keys|handle|alias|identifiers?|tags)$/i.test(
    field,
  )
  return fieldKinds[field] === undefined && !looksLikeId ? null : fieldKinds[field]
}

/** Table names have no dashes. */
export const toTableName = (named: string) => named.replaceAll('-', '_')
