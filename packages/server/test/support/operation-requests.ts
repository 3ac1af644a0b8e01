// A request for any served operation, made from its schemas: what must be there, as small as it may be, with ids that belong to a tenant.
// Every id in the contract is known here by its place; a new one that is not stops the tests, so that nothing is left out by forgetting.
import {
  type ErrorType,
  type Family,
  families,
  may,
  type Operation,
  permissionFor,
  type Role,
} from '@botstead/contract'
import { chatIntegrationId, chatVersion } from '../../src/modules/catalog/integrations/hub.ts'
import { shared } from './tenant-packages.ts'
import {
  asIntegration,
  bearing,
  type Headers,
  type Kind,
  publicWorkspaceId,
  rightHeaders,
  type Tenant,
} from './tenants.ts'

export interface ServedOperation extends Operation {
  name: string
  family: string
  /** With what the family puts before it. */
  url: string
}
export type Place = 'params' | 'query' | 'body'

export interface OperationRequest {
  method: Operation['method']
  params: Record<string, string>
  query: Record<string, string>
  headers: Headers
  body?: Record<string, unknown>
}

export const servedOperations: ServedOperation[] = (Object.entries(families) as [string, Family][]).flatMap(
  ([family, { served, prefix }]) =>
    Object.values(served).flatMap((group) =>
      Object.entries(group).map(([id, operation]) => ({
        ...operation,
        family,
        name: `${family}.${id}`,
        url: prefix + operation.path,
      })),
    ),
)

/** By the table of the contract. Where there are no members, anybody. */
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
const schemaOf = (operation: Operation, place: Place) => (operation[place] ?? {}) as Schema
export const propertiesOf = (operation: Operation, place: Place): Record<string, Schema> =>
  schemaOf(operation, place).properties ?? {}
export const requiredOf = (operation: Operation, place: Place) => schemaOf(operation, place).required ?? []
export const isClosed = (operation: Operation) => schemaOf(operation, 'body').additionalProperties === false

/** What a field names; null for one that only looks like an id. */
const fieldKinds: Record<string, Kind | null> = {
  botId: 'bot',
  participantIds: 'user',
  messageId: 'message',
  userId: 'user',
  fileId: 'file',
  conversationId: 'conversation',
  ids: 'file',
  workspaceIds: 'workspace',
  targetWorkspaceId: 'workspace',
  // of an API that is gone
  taskId: null,
  handle: 'handle',
  tags: 'tag',
  // the caller's own word for a place in their own drawer
  'account.preferences.key': 'preference',
  // names of tags, not their values
  discriminateByTags: null,
  workflowId: 'workflow',
  versionId: 'botVersion',
  issueId: 'issue',
  parentWorkflowId: 'workflow',
  eventId: 'event',
  // names an API that is gone; nothing is done with it
  currentTaskId: null,
  // nobody has any
  invoiceIds: null,
  // claimed, not looked up; what happens to one that is taken has a test of its own
  identifier: null,
  sandboxIdentifiers: null,
  interfaceId: 'interface',
  integrationId: 'integration',
  installedByBotId: 'bot',
  // a column of the table that the path names
  keyColumn: null,
  // within the bot that the path names
  integrationInstanceAlias: null,
  // one's own words for things of one's own
  errorId: null,
  traceId: null,
}
const chatKinds: Record<string, Kind> = {
  conversationId: 'chatConversation',
  userId: 'chatUser',
  messageId: 'chatMessage',
}
/** Of `{id}` in a path, by what stands before it. */
const pathKinds: Record<string, Kind | null> = {
  ...{
    conversations: 'conversation',
    messages: 'message',
    users: 'user',
    events: 'event',
    scheduled: 'scheduledEvent',
    files: 'file',
    'knowledge-bases': 'knowledgeBase',
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
  },
  // the name of a tag
  tags: null,
  ...{
    pats: 'pat',
    workspaces: 'workspace',
    preferences: 'preference',
    workflows: 'workflow',
    'dead-letters': 'deadLetter',
  },
}
const chatPathKinds: Record<string, Kind> = {
  conversations: 'chatConversation',
  messages: 'chatMessage',
  events: 'chatEvent',
}
/** Of `/states/{type}/{id}/{name}`: see `stateParams`. */
const stateKinds: Record<string, Kind | null> = { type: null, id: 'conversation', name: null }
const stateParams: Record<string, string> = { type: 'conversation', name: 'memory' }
const chosenKinds: Record<string, Kind> = {
  'chat.createUser': 'chosenUser',
  'chat.createConversation': 'chosenConversation',
  'chat.getOrCreateConversation': 'chosenConversation',
}

/** Null for what names nothing, undefined for what looks like an id and is not known. */
export function kindOf(
  { name, family, url }: ServedOperation,
  place: Place,
  field: string,
): Kind | null | undefined {
  // of what is for sale, which is nothing
  if (url.startsWith('/v2/billing/')) return null
  if (place === 'params') {
    if (name === 'admin.transferBot') return 'spareBot'
    // the caller's own word
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
    if (field !== 'userId') return family === 'chat' ? chatPathKinds[before] : pathKinds[before]
  }
  // an observation's own word, which need not be the only one
  if (field === 'id' && /Observations?$/.test(name)) return null
  if (field === 'id' && place === 'body') return chosenKinds[name]
  if (name === 'admin.getMultipleUsages' && field === 'ids') return 'bot'
  // what one calls a table of one's own
  if (family === 'tables' && place === 'body' && field === 'tags') return null
  // numbers of rows, in the table that the path names
  if (family === 'tables' && (field === 'id' || field === 'ids')) return null
  if (field === 'key' && place === 'body') return name === 'files.upsertFile' ? 'fileKey' : undefined
  if (family === 'chat' && chatKinds[field]) return chatKinds[field]
  const looksLikeId = /(^|[a-z])(id|ids|key|keys|handle|alias|identifiers?|tags)$/i.test(field)
  return fieldKinds[field] === undefined && !looksLikeId ? null : fieldKinds[field]
}

/** Tables have no dashes in their names. */
const tableNameOf = (named: string) => named.replaceAll('-', '_')

/** What the schemas cannot say, or would make too small to show anything. */
const bodies: Record<string, (tenant: Tenant, nth: number) => Record<string, unknown>> = {
  'admin.runVrl': () => ({ data: {}, script: '.a = 1' }),
  // one under development: of the others there is one of a number only
  'admin.createIntegration': ({ named }) => ({ name: `${named}/made`, version: '1.0.0', dev: true }),
  'admin.createInterface': ({ named }, nth) => ({ name: `${named}/made`, version: `1.${nth}.0` }),
  'admin.createPlugin': ({ named }, nth) => ({
    name: `${named}/made`,
    version: `1.${nth}.0`,
    code: { node: '', browser: '' },
  }),
  'admin.validateIntegrationCreation': ({ named }) => ({ name: `${named}/made`, version: '1.0.0' }),
  'admin.transferBot': ({ things }) => ({ targetWorkspaceId: things.workspace[1] }),
  'admin.createWorkspaceMember': ({ mark }, nth) => ({ email: `${mark}-new-${nth}@example.org` }),
  'files.setFilePassages': ({ mark }) => ({ passages: [{ content: `shared ${mark}` }, { content: mark }] }),
  'chat.createMessage': () => ({ payload: { type: 'text', text: 'a' } }),
  // as often as it is asked for
  'files.copyFile': () => ({ overwrite: true }),
  // none of those that the others are tried with
  'platform.redeliverDeadLetters': () => ({ reason: 'of none' }),
  'platform.discardDeadLetters': () => ({ reason: 'of none' }),
  // what is installed is needed by the others
  'admin.publishFromBotJson': ({ mark, things }) => {
    const named = { version: '1.0.0', enabled: true }
    const tg = { ...named, name: `telegram-${mark}`, id: things.integration[0], configuration: { mark } }
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
  // nobody is there to work on one that is started
  'runtime.createWorkflow': () => ({ status: 'listening' }),
  'runtime.getOrCreateWorkflow': () => ({ status: 'listening' }),
  // one that is over at once would tell the bot so while others are tried
  'runtime.setStateExpiry': () => ({ expiry: 3_600_000 }),
  'runtime.initializeIncomingMessage': ({ things }, nth) => ({
    userId: things.user[nth] ?? things.user[0],
    conversationId: things.conversation[0],
  }),
  // by our id, which clients see of the conversation that they gave none
  'tables.createTable': ({ named }, nth) => ({
    name: `${tableNameOf(named)}${nth}Table`,
    schema: { a: { type: 'string' } },
  }),
  // to what it is called already: so it can be done again
  'tables.renameTableColumn': ({ mark }) => ({ name: mark, newName: mark }),
  'tables.createTableRows': ({ mark }) => ({ rows: [{ [mark]: 'made' }] }),
  'tables.updateTableRows': ({ mark }) => ({ rows: [{ id: 1, [mark]: 'changed' }] }),
  'tables.upsertTableRows': ({ mark }) => ({
    keyColumn: mark,
    rows: [{ [mark]: mark }, { [mark]: 'upserted' }],
  }),
  'tables.deleteTableRows': ({ mark }) => ({ filter: { [mark]: mark } }),
  'runtime.callAction': ({ things }) => ({
    type: 'chat:sendEvent',
    input: { conversationId: things.chatConversation[1], payload: {} },
  }),
}

/** Those that can apply to nothing here: what they say to everybody who may ask. */
export const alwaysRefused: Record<string, ErrorType> = Object.fromEntries(
  [
    'admin.changeAISpendQuota',
    ...['setBillingAddress', 'setPlan', 'getAddon', 'setAddons', 'previewSubscriptionUpdate'].map(newer),
    ...['setCancelAtPeriodEnd', 'setAutoRechargeSettings', 'createTrial', 'removeTrial'].map(newer),
    ...['createCreditGrant', 'payInvoice', 'setPaymentMethod', 'createPaymentMethodIntent'].map(newer),
  ].map((name) => [name, 'ResourceNotFound']),
)
function newer(name: string) {
  return `newer.${name}`
}

/** Of what names no thing, and yet must be there. */
const words: Record<string, string> = {
  'runtime.listTagValues.key': 'tg:id',
  'newer.getPlan.planId': 'self-hosted',
  'newer.getWorkspaceUsage.period': new Date().toISOString(),
  'newer.getWorkspaceUsages.period': new Date().toISOString(),
  ...{ 'newer.getAddon.addonId': 'none', 'newer.payInvoice.invoiceId': 'none' },
  ...{ 'files.copyFile.destinationKey': 'copied', 'files.listFileTagValues.tag': 'nth' },
  // in passages of every tenant
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
  ...{
    'admin.getInterfaceByName.version': 'latest',
    'admin.getPluginByName.version': 'latest',
    'admin.getPluginCode.platform': 'node',
  },
  ...{
    'admin.getPublicInterfaceById.id': shared.interface,
    'admin.getPublicInterface.name': shared.name,
    'admin.getPublicInterface.version': 'latest',
  },
  ...{
    'admin.getPublicPluginById.id': shared.plugin,
    'admin.getPublicPlugin.name': shared.name,
    'admin.getPublicPlugin.version': 'latest',
  },
  ...{ 'admin.getDereferencedPublicPluginById.id': shared.plugin },
  ...{ 'admin.getPublicPluginCode.id': shared.plugin, 'admin.getPublicPluginCode.platform': 'node' },
}

/** Operations for integrations alone. */
const forIntegrations = ['runtime.configureIntegration', 'newer.getIntegrationInstanceIdentifiers']
/** Who asks for it is not there afterwards. */
export const endsItsCaller = ['admin.deleteAccount']
export const headersFor = (operation: ServedOperation, tenant: Tenant): Headers =>
  endsItsCaller.includes(operation.name) ? bearing(tenant.leaver) : rightHeadersFor(operation, tenant)
const rightHeadersFor = (operation: ServedOperation, tenant: Tenant): Headers =>
  forIntegrations.includes(operation.name) ? asIntegration(tenant) : rightHeaders[operation.access](tenant)

/** With the credentials that it takes, of whom everything belongs to. `nth` is which thing of each kind. */
export function requestFor(operation: ServedOperation, tenant: Tenant, nth = 0): OperationRequest {
  const thing = (place: Place, field: string) => {
    const things = tenant.things[kindOf(operation, place, field) as Kind]
    return words[`${operation.name}.${field}`] ?? (things && (things[nth] ?? things[0]))
  }
  const names = [...operation.url.matchAll(/\{(\w+)\}/g)].map(([, field]) => field!)
  const params = Object.fromEntries(
    names.map((field) => [
      field,
      field === 'webhookId' ? tenant.things.webhook[0]! : (thing('params', field) ?? stateParams[field]!),
    ]),
  )
  const query = Object.fromEntries(
    requiredOf(operation, 'query').map((field) => {
      const schema = propertiesOf(operation, 'query')[field]!
      // a list in an address is its only member
      return [
        field,
        words[`${operation.name}.${field}`] ??
          String(
            filled(schema.type === 'array' ? (schema.items ?? {}) : schema, () => thing('query', field)),
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

/** The least that a schema accepts. */
function filled(schema: Schema, thing: () => string | undefined): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return filled(schema.anyOf[0]!, thing)
  if (schema.type === 'object') {
    const { properties = {}, required = [] } = schema
    return Object.fromEntries(required.map((field) => [field, filled(properties[field]!, () => undefined)]))
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
