// Plans of every list operation, with each of its filters and orders, on tables with up to a
// million rows. Calls the operation, and explains the statements that the server sent. The contract
// names the operations and filters; one without a value here fails.
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { rareId } from '../support/filled-rows/columns.ts'
import { fillTables } from '../support/many-rows.ts'
import { openRuntimeScene, type RuntimeScene } from '../support/runtime-scene.ts'
import {
  listNodes,
  openExplainer,
  recordStatements,
  type SentStatement,
} from '../support/sent-statements.ts'
import {
  getProperties,
  getRequired,
  type ServedOperation,
  servedOperations,
} from '../support/served-operations.ts'

/** Limit of the blocks of 8 KiB that one statement reads: the time would depend on the machine. */
const maxBlocks = 30_000
/** A sequential scan of a table with fewer rows is accepted. */
const manyRows = 5_000

let scene: RuntimeScene
let chatHeaders: Record<string, string>
let conversationId: string
let explainer: ReturnType<typeof openExplainer>
let record: ReturnType<typeof recordStatements>
/** Estimated rows of each table. */
const rowCounts = new Map<string, number>()

beforeAll(async () => {
  scene = await openRuntimeScene()
  const person = await scene.chatUser()
  chatHeaders = person.headers
  const { body } = await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
    headers: chatHeaders,
    body: {},
  })
  conversationId = body.conversation.id
  await fillTables(scene.connection, {
    bot: scene.botId,
    workspace: scene.workspaceId,
    account: scene.accountId,
    chatUser: person.id,
    telegram: 'intver_01J0000000000000000TELEGRAM',
    table: 'table_orders',
    column: 'number',
  })
  await countRows()
  explainer = openExplainer(scene.connection)
  record = recordStatements()
}, 300_000)
afterAll(async () => {
  vi.restoreAllMocks()
  await explainer?.close()
  await scene?.close()
})

async function countRows() {
  const client = new pg.Client(scene.connection)
  await client.connect()
  const { rows } = await client.query<{ relname: string; reltuples: number }>(
    `select relname, reltuples from pg_class where relkind = 'r'`,
  )
  for (const { relname, reltuples } of rows) rowCounts.set(relname, reltuples)
  await client.end()
}

/** Every operation with pages, and daily statistics. */
const listings = servedOperations.filter(
  (operation) =>
    'nextToken' in getProperties(operation, 'query') ||
    operation.name === 'admin.getBotAnalytics',
)

const moments = (field: string) => [
  `${field}=2025-01-01T00:00:00Z`,
  `${field}=2026-01-01T00:00:30Z`,
  `${field}=2030-01-01T00:00:00Z`,
]
const tags = ['tags.tg:lang=fr', 'tags.tg:id=rare', 'tags.tg:id=none']

/** Queries of each filter, by operation and field, or by field: common, rare and absent values. */
const filters: Record<string, string[]> = {
  tags,
  'files.listFiles.tags': ['tags.kind=usual', 'tags.kind=rare', 'tags.none=none'],
  ids: [`ids[0]=${rareId('file')}`],
  workspaceIds: [`workspaceIds[0]=${rareId('wkspace')}`],
  participantIds: [`participantIds[0]=${rareId('user')}`, 'participantIds[0]=:bot'],
  integrationName: ['integrationName=telegram', 'integrationName=none'],
  integrationNames: ['integrationNames[0]=telegram', 'integrationNames[0]=name0'],
  pluginNames: ['pluginNames[0]=name0', 'pluginNames[0]=name100', 'pluginNames[0]=none'],
  channel: ['channel=dm', 'channel=group', 'channel=none'],
  ...Object.fromEntries(
    [
      'afterDate',
      'beforeDate',
      'timeStart',
      'timeEnd',
      'timestampFrom',
      'timestampUntil',
      'dateFrom',
      'dateUntil',
      'lastSeenBefore',
    ].map((field) => [field, moments(field)]),
  ),
  minMessageCount: ['minMessageCount=5', 'minMessageCount=1000', 'minMessageCount=20000'],
  maxMessageCount: ['maxMessageCount=20', 'maxMessageCount=5'],
  conversationId: [
    `conversationId=${rareId('conv')}`,
    `conversationId=conv_${'X'.repeat(26)}`,
  ],
  eventId: [`eventId=${rareId('evt')}`, 'eventId=none'],
  text: ['text=usual', 'text=u', 'text=rare', 'text=usual%20word7', 'text=none'],
  'platform.searchUsers.name': ['name=user', 'name=u', 'name=rare', 'name=none'],
  integration: ['integration=tg', 'integration=other', 'integration=none'],
  userId: [`userId=${rareId('user')}`, 'userId=none'],
  messageId: [`messageId=${rareId('msg')}`, 'messageId=none'],
  workflowId: [`workflowId=${rareId('wrkflow')}`, 'workflowId=none'],
  parentWorkflowId: [`parentWorkflowId=${rareId('wrkflow')}`, 'parentWorkflowId=none'],
  'runtime.listEvents.type': [
    'type=message_created',
    'type=tg:added',
    'type=other:rare',
    'type=none',
  ],
  'runtime.listTagValues.type': ['type=user', 'type=conversation', 'type=message'],
  'platform.listDeadLetters.type': ['type=message_created', 'type=rare', 'type=none'],
  'platform.listFailures.type': ['type=message_created', 'type=rare', 'type=none'],
  reason: ['reason=failed', 'reason=none'],
  assignedTo: ['assignedTo=me', 'assignedTo=none'],
  statuses: ['completed', 'failed', 'listening'].map((status) => `statuses[0]=${status}`),
  name: ['name=usual', 'name=name7', 'name=rare', 'name=none'],
  handle: ['handle=handle7', 'handle=none'],
  search: ['search=name', 'search=none'],
  language: ['language=en', 'language=de', 'language=none'],
  'platform.listAuditEntries.search': ['search=updateBot', 'search=rare', 'search=none'],
  version: ['version=latest', 'version=0.0.1', 'version=9.9.9'],
  interfaceId: [`interfaceId=${rareId('ifver')}`],
  interfaceName: ['interfaceName=name1'],
  installedByBotId: [`installedByBotId=${rareId('bot')}`],
  level: ['level=info', 'level=error', 'level=debug'],
  contains: ['contains=line', 'contains=rare', 'contains=none'],
  messageContains: [
    'messageContains=line',
    'messageContains=rare',
    'messageContains=none',
  ],
  botId: [`botId=${rareId('bot')}`],
  taskId: ['taskId=none'],
  after: ['after=0', 'after=5'],
  around: [`around=msg_${'75'.padStart(26, '0')}`],
  'platform.listObservations.id': ['id=rare', 'id=none'],
  traceId: ['traceId=trace7', 'traceId=none'],
  limit: ['limit=5'],
  flow: ['flow=main', 'flow=none'],
  days: ['days=1', 'days=90'],
  startDate: ['startDate=2026-01-01'],
  endDate: ['endDate=2026-01-05'],
  kind: ['kind=event', 'kind=message'],
  knowledgeBaseId: [
    'knowledgeBaseId=usual',
    'knowledgeBaseId=rare',
    'knowledgeBaseId=none',
  ],
  'platform.searchFilesByName.name': [
    'name=key',
    'name=k',
    'name=key%20rare',
    'name=none',
  ],
}

/** Fields that do not filter. */
const paging = [
  'nextToken',
  'pageSize',
  'sortField',
  'sortDirection',
  'sortBy',
  'direction',
]

interface Schema {
  type?: string
  enum?: unknown[]
}

function listQueries(operation: ServedOperation, field: string): string[] {
  const queries = filters[`${operation.name}.${field}`] ?? filters[field]
  if (queries) return queries
  const { type, enum: values } = getProperties(operation, 'query')[field] as Schema
  if (values) return values.map((value) => `${field}=${value}`)
  if (type === 'boolean') return [`${field}=true`, `${field}=false`]
  throw new Error(`Add a value of ${operation.name}.${field} to \`filters\``)
}

function listOrders(operation: ServedOperation): string[] {
  const properties = getProperties(operation, 'query') as Record<string, Schema>
  const [by, to] = properties.sortField
    ? ['sortField', 'sortDirection']
    : ['sortBy', 'direction']
  const fields = properties[by!]?.enum ?? []
  return fields.flatMap((field) =>
    properties[to!]!.enum!.map((direction) => `${by}=${field}&${to}=${direction}`),
  )
}

/** Returns the query strings of an operation: each filter alone, and each order. */
function listVariants(operation: ServedOperation): string[] {
  const required = getRequired(operation, 'query')
  const fields = Object.keys(getProperties(operation, 'query')).filter(
    (field) => !paging.includes(field),
  )
  const base = required.map((field) => listQueries(operation, field)[0]!)
  const changed = required.flatMap((field, at) =>
    listQueries(operation, field).map((query) => base.with(at, query).join('&')),
  )
  const optional = fields.filter((field) => !required.includes(field))
  const more = [
    ...optional.flatMap((field) => listQueries(operation, field)),
    ...listOrders(operation),
  ]
  const extended = more.map((query) => [...base, query].join('&'))
  return [...new Set([base.join('&'), ...changed, ...extended])]
}

/** Values of `{id}` and the like in paths. */
const pathValues: Record<string, () => string> = {
  webhookId: () => scene.webhookId,
  conversationId: () => conversationId,
  key: () => 'tg:id',
  'runtime.listParticipants.id': () => rareId('conv'),
  'chat.listParticipants.id': () => conversationId,
  'chat.listMessages.conversationId': () => conversationId,
  'chat.listParticipants.conversationId': () => conversationId,
  'webchat.listParticipants.id': () => conversationId,
  'webchat.listConversationMessages.id': () => conversationId,
  'admin.getBotLogs.id': () => scene.botId,
  'admin.getBotAnalytics.id': () => scene.botId,
  'admin.listBotIssues.id': () => scene.botId,
  'admin.listActionRuns.id': () => scene.botId,
  'admin.listActionRuns.botId': () => scene.botId,
  'admin.getIntegrationLogs.id': () => rareId('intver'),
  'admin.listUsageActivity.id': () => scene.workspaceId,
  'admin.listUsageActivityDaily.id': () => scene.workspaceId,
  'files.listFileTagValues.tag': () => 'kind',
  'files.listFilePassages.id': () => rareId('file'),
  'platform.listBroadcastRecipients.id': () => rareId('broadcast'),
  'platform.exportBroadcastRecipients.id': () => rareId('broadcast'),
  'platform.listKnowledgePages.id': () => rareId('ksource'),
  'live.listOwnFeedback.id': () => conversationId,
  'platform.listCopilotRuns.botId': () => scene.botId,
  'platform.listDraftRevisions.botId': () => scene.botId,
  'platform.listDraftTexts.botId': () => scene.botId,
  'platform.listMcpServers.botId': () => scene.botId,
  'platform.listSandboxConversations.botId': () => scene.botId,
  'platform.listVersions.botId': () => scene.botId,
  'platform.listWebhookRequests.botId': () => scene.botId,
  alias: () => 'tg',
  'platform.listNumberedMessages.id': () => rareId('conv'),
  'platform.getConversationTranscript.id': () => rareId('conv'),
  'platform.listConversationNotes.id': () => rareId('conv'),
}

function toUrl(operation: ServedOperation, query: string): string {
  const path = operation.url.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = pathValues[`${operation.name}.${name}`] ?? pathValues[name]
    if (value) return encodeURIComponent(value())
    if (operation.access === 'workspace' && name === 'id') return scene.workspaceId
    throw new Error(`Add a value of ${operation.name}.${name} to \`pathValues\``)
  })
  return query ? `${path}?${query.replace(':bot', scene.botId)}` : path
}

const listHeaders = ({ access }: ServedOperation): Record<string, string>[] => {
  if (access === 'bot') return [scene.asBot, scene.asTg, scene.asOther]
  return [access === 'chatUser' ? chatHeaders : scene.admin]
}

/**
 * Pending events are found by the deliveries of their bot, which are few: an index of pending ones
 * would be written twice with every message.
 */
const allowedScans = ['delivery']

/** Returns the faults of the plan: sequential scans, unfilled tables and many read blocks. */
async function findFaults(statement: SentStatement): Promise<string[]> {
  const { root, blocks } = await explainer.explain(statement)
  const nodes = listNodes(root)
  for (const { 'Relation Name': table } of nodes) if (table) readTables.add(table)
  const scans = nodes
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name']!)
    .filter((table) => isLarge(table) && !allowedScans.includes(table))
    .map((table) => `sequential scan of ${table}`)
  return blocks <= maxBlocks ? scans : [...scans, `${blocks} blocks`]
}

const isLarge = (table: string) => (rowCounts.get(table) ?? 0) >= manyRows

/** Tables of the plans. */
const readTables = new Set<string>()

const isQuery = ({ text }: SentStatement) => /^\s*(with|select)\b/i.test(text)

const checked = new Set<string>()

async function checkCall(
  url: string,
  headers: Record<string, string>,
): Promise<string[]> {
  const sent: SentStatement[] = []
  const reply = await record(sent, () => scene.call('GET', url, { headers }))
  // An integration may not call every operation, and not see every object.
  const hidden = headers['x-integration-alias'] && [403, 404].includes(reply.status)
  if (reply.status !== 200 && !hidden)
    return [`status ${reply.status}: ${JSON.stringify(reply.body)}`]
  const faults: string[] = []
  for (const statement of sent.filter(isQuery)) {
    const key = JSON.stringify(statement)
    if (checked.has(key)) continue
    checked.add(key)
    for (const fault of await findFaults(statement))
      faults.push(
        `${fault}: ${statement.text.slice(0, 3000)} ${JSON.stringify(statement.values)}`,
      )
  }
  return faults
}

test.each(listings.map((operation) => [operation.name, operation] as const))(
  '%s reads its pages by indexes',
  async (_, operation) => {
    const faults: string[] = []
    for (const query of listVariants(operation))
      for (const headers of listHeaders(operation)) {
        const found = await checkCall(toUrl(operation, query), headers)
        const as = headers['x-integration-alias'] ?? ''
        faults.push(...found.map((fault) => `${query} ${as}: ${fault}`))
      }
    expect(faults).toEqual([])
  },
  120_000,
)

/** Tables that stay small, and tables read by the key of a row of another table. */
const smallTables = [
  'token',
  'bot_allowed_member',
  'package_line',
  'audit_chain',
  // Lanes with pending deliveries have partial indexes; a bot has one row of code.
  'lane',
  'bot_code',
  'delivery_attempt',
  'worker',
  // A row for each member who answers for the bot; members that wait for the proof of their address.
  'handoff_agent',
  'pending_member',
  'analytics_progress',
  'analytics_day',
  'integration_view',
  'carried_key',
  // At most 200 of a bot; a row for each indexed file, by the bot.
  'knowledge_check',
  'file_index',
  // A row for each bot with a draft, by the bot.
  'bot_trial',
  // By the name of the table of a broadcast, and by the users that a suggestion names.
  'bot_table',
  'table_text_column',
  'person_member',
  // By the id of a version; at most 50 of a workspace.
  'bot_version',
  'model_provider',
]

test('every table that a listing reads is large, or stays small', () => {
  const filled = [...rowCounts]
    .filter(([, rows]) => rows >= 1_000)
    .map(([table]) => table)
  expect(
    [...readTables].filter((table) => ![...filled, ...smallTables].includes(table)),
  ).toEqual([])
})
