// Builds a minimal valid request for any served operation from its schemas, with ids of a tenant.
// Every id in the contract is listed here by its location; an unlisted one fails the tests, so that
// none is forgotten.
import {
  type ErrorType,
  type Family,
  families,
  may,
  type Operation,
  permissionFor,
  type Role,
} from '@botstead/contract'
import { chatIntegrationId, chatVersion } from '../../src/core/catalog/integrations/hub.ts'
import { shared } from './tenant-packages.ts'
import {
  asIntegration,
  bearing,
  type Headers,
  publicWorkspaceId,
  rightHeaders,
  type Tenant,
  type ThingKind,
} from './tenants.ts'

export interface ServedOperation extends Operation {
  name: string
  family: string
  /** The URL with the prefix of its family. */
  url: string
}
export type InputLocation = 'params' | 'query' | 'body'

export interface OperationRequest {
  method: Operation['method']
  params: Record<string, string>
  query: Record<string, string>
  headers: Headers
  body?: Record<string, unknown>
}

export const servedOperations: ServedOperation[] = (
  Object.entries(families) as [string, Family][]
).flatMap(([family, { served, prefix }]) =>
  Object.values(served).flatMap((group) =>
    Object.entries(group).map(([id, operation]) => ({
      ...operation,
      family,
      name: `${family}.${id}`,
      url: prefix + operation.path,
    })),
  ),
)

/** Roles from the contract's table. Operations without members allow any role. */
export function permits(operation: ServedOperation, role: Role): boolean {
  const permission = permissionFor(operation.family, operation)
  return permission === undefined || may(role, permission)
}

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  const?: unknown
  enum?: unknown[]
  minLength?: number
  minimum?: number
  additionalProperties?: boolean | Schema
}
const schemaOf = (operation: Operation, place: InputLocation) => (operation[place] ?? {}) as Schema
export const propertiesOf = (operation: Operation, place: InputLocation): Record<string, Schema> =>
  schemaOf(operation, place).properties ?? {}
export const requiredOf = (operation: Operation, place: InputLocation) =>
  schemaOf(operation, place).required ?? []
export const isClosed = (operation: Operation) =>
  schemaOf(operation, 'body').additionalProperties === false

/** The kind of object that a field names; null for a field that only looks like an id. */
const fieldKinds: Record<string, ThingKind | null> = {
  botId: 'bot',
  participantIds: 'user',
  messageId: 'message',
  userId: 'user',
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
  handoffs: 'handoff',
  notes: 'note',
  erasures: 'erasure',
  'canned-replies': 'cannedReply',
  'webhook-requests': 'webhookRequest',
  'model-budgets': null,
  'model-providers': null,
  'mcp-servers': null,
  mcp: 'bot',
}
const chatPathKinds: Record<string, ThingKind> = {
  conversations: 'chatConversation',
  messages: 'chatMessage',
  events: 'chatEvent',
}
/** For `/states/{type}/{id}/{name}`, see `stateParams`. */
const stateKinds: Record<string, ThingKind | null> = { type: null, id: 'conversation', name: null }
const stateParams: Record<string, string> = { type: 'conversation', name: 'memory' }
const chosenKinds: Record<string, ThingKind> = {
  'chat.createUser': 'chosenUser',
  'chat.createConversation': 'chosenConversation',
  'chat.getOrCreateConversation': 'chosenConversation',
  'webchat.generateUserKey': 'chatUser',
}

/** Null for a field that names no object, undefined for an unlisted field that looks like an id. */
export function idKindOf(
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
    const named = /(integration|interface|plugin)s\/\{name\}\/\{version\}$/.exec(url)?.[1] as
      | 'plugin'
      | undefined
    if (named) return field === 'name' ? `${named}Name` : null
    if (field === 'platform') return null
    if (field !== 'userId') return isChatFamily(family) ? chatPathKinds[before] : pathKinds[before]
  }
  // A name within an observation, which need not be unique.
  if (field === 'id' && /Observations?$/.test(name)) return null
  if (field === 'id' && place === 'body') return chosenKinds[name]
  if (name === 'admin.getMultipleUsages' && field === 'ids') return 'bot'
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
    }[name]
  if (isChatFamily(family) && chatKinds[field]) return chatKinds[field]
  const looksLikeId = /(^|[a-z])(id|ids|key|keys|handle|alias|identifiers?|tags)$/i.test(field)
  return fieldKinds[field] === undefined && !looksLikeId ? null : fieldKinds[field]
}

/** Table names have no dashes. */
const tableNameOf = (named: string) => named.replaceAll('-', '_')

/** Values that the schemas cannot express, or that would be too small to have an effect. */
const bodies: Record<string, (tenant: Tenant, nth: number) => Record<string, unknown>> = {
  'admin.runVrl': () => ({ data: {}, script: '.a = 1' }),
  // A development version; other versions are unique by number.
  'admin.createIntegration': ({ named }) => ({
    name: `${named}/made`,
    version: '1.0.0',
    dev: true,
  }),
  'admin.createInterface': ({ named }, nth) => ({ name: `${named}/made`, version: `1.${nth}.0` }),
  'admin.createPlugin': ({ named }, nth) => ({
    name: `${named}/made`,
    version: `1.${nth}.0`,
    code: { node: '', browser: '' },
  }),
  'admin.validateIntegrationCreation': ({ named }) => ({ name: `${named}/made`, version: '1.0.0' }),
  'admin.transferBot': ({ things }) => ({ targetWorkspaceId: things.workspace[1] }),
  'admin.createWorkspaceMember': ({ mark }, nth) => ({ email: `${mark}-new-${nth}@example.org` }),
  'files.setFilePassages': ({ mark }) => ({
    passages: [{ content: `shared ${mark}` }, { content: mark }],
  }),
  'chat.createMessage': () => ({ payload: { type: 'text', text: 'a' } }),
  'webchat.createMessage': () => ({ payload: { type: 'text', text: 'a' } }),
  'webchat.createEvent': () => ({ payload: { type: 'custom', data: {} } }),
  // A new one for each request.
  'files.copyFile': () => ({ overwrite: true }),
  // Not one of those that other operations use.
  'platform.redeliverDeadLetters': () => ({ reason: 'of none' }),
  'platform.discardDeadLetters': () => ({ reason: 'of none' }),
  'platform.resolveIssues': () => ({ lastSeenBefore: '2020-01-01' }),
  // Other operations need the installed one.
  'admin.publishFromBotJson': ({ mark, things }) => {
    const named = { version: '1.0.0', enabled: true }
    const tg = {
      ...named,
      name: `telegram-${mark}`,
      id: things.integration[0],
      configuration: { mark },
    }
    return {
      botJson: {
        kind: 'bot',
        version: 1,
        user: { tags: { mark: {} } },
        integrations: { chat: { ...named, name: 'chat', version: chatVersion }, tg },
      },
    }
  },
  'runtime.createConversation': () => ({ channel: 'dm' }),
  'runtime.getOrCreateConversation': () => ({ channel: 'dm' }),
  // No handler would process a started workflow.
  'runtime.createWorkflow': () => ({ status: 'listening' }),
  'runtime.getOrCreateWorkflow': () => ({ status: 'listening' }),
  // An immediate expiry would send an event during other tests.
  'runtime.setStateExpiry': () => ({ expiry: 3_600_000 }),
  'runtime.initializeIncomingMessage': ({ things }, nth) => ({
    userId: things.user[nth] ?? things.user[0],
    conversationId: things.conversation[0],
  }),
  // By the server id, which clients see for conversations without a chosen id.
  'tables.createTable': ({ named }, nth) => ({
    name: `${tableNameOf(named)}${nth}Table`,
    schema: { a: { type: 'string' } },
  }),
  // Keeps its name, so the request is repeatable.
  'tables.renameTableColumn': ({ mark }) => ({ name: mark, newName: mark }),
  'tables.createTableRows': ({ mark }) => ({ rows: [{ [mark]: 'made' }] }),
  'tables.updateTableRows': ({ mark }) => ({ rows: [{ id: 1, [mark]: 'changed' }] }),
  'tables.upsertTableRows': ({ mark }) => ({
    keyColumn: mark,
    rows: [{ [mark]: mark }, { [mark]: 'upserted' }],
  }),
  'tables.deleteTableRows': ({ mark }) => ({ filter: { [mark]: mark } }),
  'cognitive.generateText': () => question,
  'cognitive.generateTextStream': () => question,
  'cognitive.transcribeAudio': () => ({ url: 'data:audio/mpeg;base64,AAAA' }),
  'openai.createChatCompletion': () => ({ ...question, model: 'auto' }),
  'platform.setModelProvider': () => ({ models: { small: {} } }),
  'mcp.sendMcpMessage': () => ({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  'platform.setMcpServer': () => ({ url: 'https://mcp.example.org' }),
  'platform.createModelBudget': () => ({ maximum: 1_000_000 }),
  'runtime.callAction': ({ things }) => ({
    type: 'chat:sendEvent',
    input: { conversationId: things.chatConversation[1], payload: {} },
  }),
}

bodies['platform.importTableColumns'] = ({ mark }) => ({ columns: { [mark]: mark } })
bodies['platform.changeTableRows'] = ({ mark }) => ({ filter: {}, values: { [mark]: mark } })
bodies['platform.previewColumnConversion'] = ({ mark }) => ({ column: mark, type: 'array' })
bodies['platform.convertTableColumn'] = ({ mark }) => ({ column: mark, type: 'object' })
bodies['platform.createInvitation'] = ({ mark }, nth) => ({
  email: `${mark}-invited-${nth}@example.org`,
})
// Nothing listens there, so the refresh ends at once.
bodies['platform.createKnowledgeSource'] = () => ({ url: 'http://127.0.0.1:9/new' })
bodies['platform.assignHandoff'] = () => ({ from: null, to: null })
bodies['platform.setPassword'] = () => ({ password: null })

const question = { messages: [{ role: 'user', content: 'a' }] }

/** Operations that apply to no object here, with their error for permitted callers. */
export const alwaysRejected: Record<string, ErrorType> = Object.fromEntries(
  [
    'admin.changeAISpendQuota',
    ...['setBillingAddress', 'setPlan', 'getAddon', 'setAddons', 'previewSubscriptionUpdate'].map(
      newer,
    ),
    ...['setCancelAtPeriodEnd', 'setAutoRechargeSettings', 'createTrial', 'removeTrial'].map(newer),
    ...['createCreditGrant', 'payInvoice', 'setPaymentMethod', 'createPaymentMethodIntent'].map(
      newer,
    ),
    'platform.deleteModelBudget',
    'platform.deleteModelProvider',
  ].map((name) => [name, 'ResourceNotFound']),
)
// The chats of the tenants have no admin secret.
alwaysRejected['webchat.generateUserKey'] = 'Forbidden'
// The servers of these tests have no models.
for (const name of ['generateText', 'generateTextStream', 'transcribeAudio', 'generateAudio'])
  alwaysRejected[`cognitive.${name}`] = 'ReferenceNotFound'
for (const name of ['cognitive.generateAudioStream', 'cognitive.generateImage'])
  alwaysRejected[name] = 'ReferenceNotFound'
for (const name of ['createChatCompletion', 'createEmbeddings'])
  alwaysRejected[`openai.${name}`] = 'ReferenceNotFound'
// The handoffs of the tenants are assigned to no one.
alwaysRejected['platform.answerHandoff'] = 'ResourceLockedConflict'
alwaysRejected['platform.readHandoff'] = 'ResourceLockedConflict'
// An operation before has announced other content.
alwaysRejected['platform.indexFile'] = 'InvalidPayload'
// It needs a receipt that the installation signed.
alwaysRejected['platform.repeatErasure'] = 'InvalidPayload'
// The MCP servers of the tenants do not answer.
alwaysRejected['platform.getMcpTool'] = 'ResourceNotFound'
// Their originals were not kept.
alwaysRejected['platform.replayWebhookRequest'] = 'LimitExceeded'
// Only for the operator of the installation.
for (const name of ['getInstallationState', 'checkInstallation', 'listBackups', 'createBackup'])
  alwaysRejected[`platform.${name}`] = 'Forbidden'
for (const name of ['createBackupLink', 'deleteBackup'])
  alwaysRejected[`platform.${name}`] = 'Forbidden'
// Codes that work once; a session that a token does not have.
alwaysRejected['platform.signInWithLink'] = 'Unauthorized'
alwaysRejected['platform.endSession'] = 'InvalidPayload'
alwaysRejected['platform.signInWithPassword'] = 'Unauthorized'
for (const name of ['previewInvitation', 'signInWithInvitation', 'acceptInvitation'])
  alwaysRejected[`platform.${name}`] = 'ResourceGone'
// The servers of these tests have no provider.
for (const name of ['startOpenId', 'signInWithOpenId'])
  alwaysRejected[`platform.${name}`] = 'ResourceNotFound'
for (const name of ['confirmSecondFactor', 'replaceRecoveryCodes', 'removeSecondFactor'])
  alwaysRejected[`platform.${name}`] = 'Forbidden'
function newer(name: string) {
  return `newer.${name}`
}

/** Values of required fields that name no object. */
const words: Record<string, string> = {
  'runtime.listTagValues.key': 'tg:id',
  'platform.deleteModelBudget.id': 'budget_01KAJ0ZP5S8V3N7Q4XW2R9TDHM',
  'platform.setModelProvider.name': 'own',
  'platform.deleteModelProvider.name': 'none',
  'platform.setMcpServer.name': 'new',
  'platform.getMcpServer.name': 'docs',
  'platform.deleteMcpServer.name': 'docs',
  'platform.getIntegrationUses.alias': 'tg',
  'platform.getIntegrationSetupLink.alias': 'tg',
  'platform.setIntegrationIdentifier.alias': 'tg',
  'platform.listSandboxConversations.alias': 'tg',
  'platform.listWebhookRequests.alias': 'tg',
  'platform.getWebhookRequest.alias': 'tg',
  'platform.replayWebhookRequest.alias': 'tg',
  'platform.getExample.example': 'faq-bot',
  'newer.getPlan.planId': 'self-hosted',
  'newer.getWorkspaceUsage.period': new Date().toISOString(),
  'newer.getWorkspaceUsages.period': new Date().toISOString(),
  'newer.getAddon.addonId': 'none',
  'newer.payInvoice.invoiceId': 'none',
  'files.copyFile.destinationKey': 'copied',
  'files.listFileTagValues.tag': 'nth',
  // Occurs in passages of every tenant.
  'files.searchFiles.query': 'shared',
  'tables.getTableRow.id': '1',
  'admin.listActionRuns.integrationName': 'chat',
  'admin.getIntegrationLogs.timeStart': '2020-01-01',
  'admin.getIntegrationByName.version': 'latest',
  'admin.getPublicIntegrationById.id': chatIntegrationId,
  'admin.getPublicIntegration.name': 'chat',
  'admin.getPublicWorkspace.id': publicWorkspaceId,
  'admin.getMultipleUsages.types': 'bot_count',
  'admin.listUsageActivity.type': 'ai_spend',
  'admin.listUsageActivityDaily.type': 'ai_spend',
  'admin.getBotLogs.timeStart': '2020-01-01',
  'admin.getBotAnalytics.startDate': '2026-01-01',
  'admin.getBotAnalytics.endDate': '2026-01-31',
  'admin.getPublicIntegration.version': '0.7.6',
  'admin.getInterfaceByName.version': 'latest',
  'admin.getPluginByName.version': 'latest',
  'admin.getPluginCode.platform': 'node',
  'admin.getPublicInterfaceById.id': shared.interface,
  'admin.getPublicInterface.name': shared.name,
  'admin.getPublicInterface.version': 'latest',
  'admin.getPublicPluginById.id': shared.plugin,
  'admin.getPublicPlugin.name': shared.name,
  'admin.getPublicPlugin.version': 'latest',
  'admin.getDereferencedPublicPluginById.id': shared.plugin,
  'admin.getPublicPluginCode.id': shared.plugin,
  'admin.getPublicPluginCode.platform': 'node',
}

/** Operations for integrations alone. */
const forIntegrations = ['runtime.configureIntegration', 'newer.getIntegrationInstanceIdentifiers']
/** Operations that delete the caller. */
export const endsItsCaller = ['admin.deleteAccount']
export const headersFor = (operation: ServedOperation, tenant: Tenant): Headers =>
  endsItsCaller.includes(operation.name)
    ? bearing(tenant.leaver)
    : rightHeadersFor(operation, tenant)
const rightHeadersFor = (operation: ServedOperation, tenant: Tenant): Headers => {
  if (/^platform\.(signInWith|startOpenId)/.test(operation.name))
    return { 'x-botstead-session': '1' }
  return forIntegrations.includes(operation.name)
    ? asIntegration(tenant)
    : rightHeaders[operation.access](tenant)
}

/** Builds a request with the owner's credentials. `nth` selects the object of each kind. */
export function requestFor(operation: ServedOperation, tenant: Tenant, nth = 0): OperationRequest {
  const thing = (place: InputLocation, field: string) => {
    const things = tenant.things[idKindOf(operation, place, field) as ThingKind]
    return words[`${operation.name}.${field}`] ?? (things && (things[nth] ?? things[0]))
  }
  const names = [...operation.url.matchAll(/\{(\w+)\}/g)].map(([, field]) => field!)
  const params = Object.fromEntries(
    names.map((field) => [
      field,
      field === 'webhookId'
        ? tenant.things.webhook[0]!
        : (thing('params', field) ?? stateParams[field]!),
    ]),
  )
  const query = Object.fromEntries(
    requiredOf(operation, 'query').map((field) => {
      const schema = propertiesOf(operation, 'query')[field]!
      // A list in an address has one member.
      return [
        field,
        words[`${operation.name}.${field}`] ??
          String(
            filled(schema.type === 'array' ? (schema.items ?? {}) : schema, () =>
              thing('query', field),
            ),
          ),
      ]
    }),
  )
  const least = Object.fromEntries(
    requiredOf(operation, 'body').map((field) => [
      field,
      filled(propertiesOf(operation, 'body')[field]!, () => thing('body', field)),
    ]),
  )
  const body = operation.body && { ...least, ...bodies[operation.name]?.(tenant, nth) }
  return {
    method: operation.method,
    params,
    query,
    headers: headersFor(operation, tenant),
    ...(body && { body }),
  }
}

/** Returns the smallest value that a schema accepts. */
function filled(schema: Schema, thing: () => string | undefined): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return filled(schema.anyOf[0]!, thing)
  if (schema.type === 'object') {
    const { properties = {}, required = [] } = schema
    return Object.fromEntries(
      required.map((field) => [field, filled(properties[field]!, () => undefined)]),
    )
  }
  if (schema.type === 'array') return []
  if (schema.type === 'boolean') return false
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0
  return thing() ?? 'a'.repeat(schema.minLength ?? 1)
}

export const addressOf = ({ url }: ServedOperation, { params, query }: OperationRequest) => {
  const path = url.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name]!))
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}
