// Another tenant's id, in every field that accepts an id, gets the same response as an unknown id.
// Fields and ids come from the contract (operation-requests.ts), so new operations and fields are
// covered automatically.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/lib/ids.ts'
import { findIdKind } from '../support/id-kinds.ts'
import {
  alwaysRejected,
  headersFor,
  type OperationRequest,
  requestFor,
  toAddress,
} from '../support/operation-requests.ts'
import { openScene, type Scene } from '../support/scene.ts'
import {
  getProperties,
  type InputLocation,
  type ServedOperation,
  servedOperations,
} from '../support/served-operations.ts'
import { shared } from '../support/tenant-packages.ts'
import {
  asIntegration,
  bearing,
  digestTenant,
  type Headers,
  makeTenant,
  type Tenant,
  type ThingKind,
} from '../support/tenants.ts'

let scene: Scene
let mine: Tenant
let theirs: Tenant
let before: Record<string, string>

beforeAll(async () => {
  scene = await openScene()
  await scene.call('POST', '/v1/admin/integrations', {
    headers: scene.admin,
    body: { name: 'everybodys', version: '1.0.0', visibility: 'public' },
  })
  theirs = await makeTenant(scene, 'owner')
  mine = await makeTenant(scene, 'stranger')
  before = await digestTenant(scene, theirs)
}, 60_000)
afterAll(() => scene?.close())

async function ask(
  operation: ServedOperation,
  request: OperationRequest,
): Promise<{ status: number; text: string }> {
  const reply = await scene.app.server.inject({
    method: request.method,
    url: toAddress(operation, request),
    headers: request.headers,
    ...(request.body && { payload: request.body }),
  })
  return { status: reply.statusCode, text: reply.body }
}

const toUlid = (prefix: Parameters<typeof newId>[0]) => () => newId(prefix)
const word = () => `unknown-${randomBytes(6).toString('hex')}`
const unknownIds: Record<ThingKind, () => string> = {
  account: toUlid('account'),
  bot: toUlid('bot'),
  botKey: toUlid('key'),
  botVersion: toUlid('botVersion'),
  pat: toUlid('patoken'),
  session: toUlid('session'),
  archive: toUlid('archive'),
  invitation: toUlid('invitation'),
  invitee: toUlid('account'),
  spareBot: toUlid('bot'),
  integration: toUlid('integration'),
  installed: toUlid('integration'),
  interface: toUlid('interface'),
  plugin: toUlid('plugin'),
  user: toUlid('user'),
  conversation: toUlid('conversation'),
  message: toUlid('message'),
  event: toUlid('event'),
  scheduledEvent: toUlid('event'),
  feedback: toUlid('feedback'),
  broadcast: toUlid('broadcast'),
  handoff: toUlid('handoff'),
  note: toUlid('note'),
  cannedReply: toUlid('cannedReply'),
  curatedAnswer: toUlid('curatedAnswer'),
  knowledgeCheck: toUlid('knowledgeCheck'),
  spareHandoff: toUlid('handoff'),
  spareUser: toUlid('user'),
  erasure: toUlid('erasure'),
  file: toUlid('file'),
  knowledgeBase: toUlid('knowledgeBase'),
  knowledgeSource: toUlid('knowledgeSource'),
  table: toUlid('table'),
  integrationKey: toUlid('integrationKey'),
  workflow: toUlid('workflow'),
  issue: toUlid('issue'),
  webhookRequest: toUlid('webhookRequest'),
  deadLetter: toUlid('delivery'),
  spareDeadLetter: toUlid('delivery'),
  chatUser: toUlid('user'),
  chatConversation: toUlid('conversation'),
  chatMessage: toUlid('message'),
  chatEvent: toUlid('event'),
  chosenUser: word,
  chosenConversation: word,
  fileKey: word,
  handle: word,
  preference: word,
  tag: word,
  integrationName: word,
  interfaceName: word,
  pluginName: word,
  webhook: randomUUID,
  workspace: randomUUID,
}

function unknownId(kind: ThingKind): string {
  const create = unknownIds[kind]
  if (!create)
    throw new Error(`foreign-ids.test.ts: add the kind "${kind}" to unknownIds`)
  return create()
}

/**
 * Ids that are public: used handles and chat URLs. Access to chats is tested in
 * access-matrix.test.ts.
 */
const common: ThingKind[] = ['handle', 'webhook']

interface Named {
  part: InputLocation | 'headers'
  field: string
  kind: ThingKind
  put: (request: OperationRequest, id: string) => OperationRequest
}

/**
 * Returns all fields of an operation that accept an id: a single one, a list, or the value of a
 * tag.
 */
function idsIn(operation: ServedOperation): Named[] {
  const names = [...operation.url.matchAll(/\{(\w+)\}/g)].map(
    ([, field]) => ['params', field!] as const,
  )
  const others = (['query', 'body'] as const).flatMap((part) =>
    Object.keys(getProperties(operation, part)).map((field) => [part, field] as const),
  )
  const found = [...names, ...others].flatMap(([part, field]): Named[] => {
    const kind = findIdKind(operation, part, field)
    if (!kind || common.includes(kind)) return []
    return [
      {
        part,
        field,
        kind,
        put: (request, id) => ({
          ...request,
          [part]: { ...request[part], ...written(operation, part, field, id) },
        }),
      },
    ]
  })
  return [
    ...found,
    ...(byHand[operation.name] ?? []),
    ...(operation.access === 'bot' ? integrationHeaders : []),
  ]
}

function written(
  { family }: ServedOperation,
  part: InputLocation,
  field: string,
  id: string,
): Record<string, unknown> {
  if (field !== 'tags') return { [field]: propertyIsList(field) ? [id] : id }
  if (part === 'body') return { tags: { id } }
  if (family === 'files') return { tags: JSON.stringify({ mark: id }) }
  return ['admin', 'tables'].includes(family) ? { 'tags.mark': id } : { 'tags.tg:id': id }
}
const propertyIsList = (field: string) =>
  ['ids', 'participantIds', 'workspaceIds'].includes(field)

const inBody =
  (make: (id: string) => Record<string, unknown>): Named['put'] =>
  (request, id) => ({ ...request, body: { ...request.body, ...make(id) } })
/** A message for fields with nested ids. */
const imported = {
  type: 'text',
  payload: {},
  tags: {},
  createdAt: '2026-01-01T00:00:00.000Z',
  discriminateByTags: [],
}
const implementing: Named = {
  part: 'body',
  field: 'interfaces.id',
  kind: 'interface',
  put: inBody((id) => ({ interfaces: { a: { id } } })),
}
const throughAny: Named[] = (['interface', 'integration'] as const).map((kind) => ({
  part: 'body',
  field: `dependencies.${kind}s.id`,
  kind,
  put: inBody((id) => ({ dependencies: { [`${kind}s`]: { a: { id } } } })),
}))
const backed: Named = {
  part: 'query',
  field: 'interfaces',
  kind: 'integration',
  put: (request, id) => ({
    ...request,
    query: { ...request.query, 'interfaces.used': id },
  }),
}
const byHand: Record<string, Named[]> = {
  'runtime.importMessages': [
    {
      part: 'body',
      field: 'messages[].conversationId',
      kind: 'conversation',
      put: (request, conversationId) => ({
        ...request,
        body: {
          messages: [{ ...imported, conversationId, userId: mine.things.user[0] }],
        },
      }),
    },
    {
      part: 'body',
      field: 'messages[].userId',
      kind: 'user',
      put: (request, userId) => ({
        ...request,
        body: {
          messages: [
            { ...imported, userId, conversationId: mine.things.conversation[0] },
          ],
        },
      }),
    },
  ],
  'runtime.callAction': [
    {
      part: 'body',
      field: 'input.conversationId',
      kind: 'chatConversation',
      put: inBody((conversationId) => ({
        type: 'chat:sendEvent',
        input: { conversationId, payload: {} },
      })),
    },
  ],
  'admin.publishFromBotJson': [
    {
      part: 'body',
      field: 'botJson.integrations.id',
      kind: 'integration',
      put: inBody((id) => ({
        botJson: {
          kind: 'bot',
          version: 1,
          integrations: { a: { id, name: 'a', version: '1.0.0', enabled: true } },
        },
      })),
    },
    {
      part: 'body',
      field: 'botJson.plugins.id',
      kind: 'plugin',
      put: inBody((id) => ({
        botJson: {
          kind: 'bot',
          version: 1,
          plugins: { a: { id, name: 'a', version: '1.0.0', enabled: true } },
        },
      })),
    },
  ],
  'admin.updateBotAllowlist': [
    {
      part: 'body',
      field: 'users',
      kind: 'account',
      put: inBody((id) => ({ users: { [id]: true } })),
    },
  ],
  'admin.updateBot': [
    {
      part: 'body',
      field: 'integrations',
      kind: 'integration',
      put: inBody((id) => ({ integrations: { [id]: { enabled: true } } })),
    },
    {
      part: 'body',
      field: 'integrations.integrationId',
      kind: 'integration',
      put: inBody((id) => ({ integrations: { a: { integrationId: id } } })),
    },
    {
      part: 'body',
      field: 'plugins.id',
      kind: 'plugin',
      put: inBody((id) => ({ plugins: { a: { id } } })),
    },
    {
      part: 'body',
      field: 'plugins.integrations.integrationId',
      kind: 'integration',
      put: inBody((integrationId) => ({
        plugins: {
          a: {
            id: shared.plugin,
            integrations: { a: { integrationId, integrationAlias: integrationId } },
          },
        },
      })),
    },
  ],
  'admin.createIntegration': [implementing],
  'admin.validateIntegrationCreation': [implementing],
  'admin.updateIntegration': [implementing],
  'admin.validateIntegrationUpdate': [implementing],
  'admin.createPlugin': throughAny,
  'admin.updatePlugin': throughAny,
  'admin.getDereferencedPlugin': [backed],
  'admin.getDereferencedPublicPluginById': [backed],
}
const integrationHeaders: Named[] = [
  {
    part: 'headers',
    field: 'x-integration-id',
    kind: 'integration',
    put: (request, id) => ({
      ...request,
      headers: { ...request.headers, 'x-integration-id': id },
    }),
  },
]

/**
 * Replaces what may differ between two responses: new ids and keys, times, signed URLs, and the
 * requested id.
 */
const comparable = (text: string, id: string) =>
  text
    .replaceAll(id, '<id>')
    .replaceAll(/err_\d{14}x[0-9A-F]{8}/g, '<error>')
    .replaceAll(/\b[a-z]+_[0-9A-HJKMNP-TV-Z]{26}\b/g, '<made>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<moment>')
    .replaceAll(/"key":"ey[\w.-]+"/g, '<key>')
    .replaceAll(/"(url|uploadUrl)":"[^"]+"/g, '<address>')
    // The own object may be new; a foreign one would be visible by its id.
    .replaceAll(/"created":\w+/g, '<created>')
    .replaceAll(/"(signingSecret|newSigningSecret)":"[\w-]+"/g, '<secret>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<made>')
    .replaceAll(/"name":"bot-\w{8}"/g, '<name>')
    .replaceAll(/"bp_[a-z]{3}_\w+"/g, '<token>')

const leaks = (answer: string, request: unknown) => {
  const sent = JSON.stringify(request)
  return [theirs.mark, theirs.named, ...Object.values(theirs.things).flat()].filter(
    (secret) => answer.includes(secret) && !sent.includes(secret),
  )
}

/** Names that every tenant can use for its own objects. */
const mayHaveToo: ThingKind[] = [
  'chosenUser',
  'chosenConversation',
  'fileKey',
  'preference',
  'tag',
]

/** Succeeds also for users who are not participants. */
const harmless = ['chat.removeParticipant userId', 'webchat.removeParticipant userId']

/** Stores ids as text, and so returns foreign ids that the caller sent. */
const notes = ['runtime.captureObservation']

/**
 * Operations that create objects with such names run last, because the names exist for this tenant
 * from then on.
 */
const makes = (operation: ServedOperation) =>
  Number(
    notes.includes(operation.name) ||
      idsIn(operation).some(
        ({ part, kind }) => part === 'body' && mayHaveToo.includes(kind),
      ),
  )
const naming = servedOperations
  // Opens a new conversation instead of a foreign one: webchat.test.ts.
  .filter(
    (operation) => operation.name !== 'webchat.initialize' && idsIn(operation).length > 0,
  )
  .sort((a, b) => makes(a) - makes(b))
  .map((operation) => [operation.name, operation] as const)

test('lists nothing of other tenants without a foreign id', async () => {
  for (const operation of servedOperations.filter(
    ({ method, stream }) => method === 'GET' && !stream,
  )) {
    const request = requestFor(operation, mine)
    const { status, text } = await ask(operation, request)
    const rejection = alwaysRejected[operation.name]
    const rejected = rejection === 'Forbidden' ? 403 : 404
    const expected = rejection ? rejected : 200
    expect([operation.name, status, leaks(text, request)]).toEqual([
      operation.name,
      expected,
      [],
    ])
  }
})

test('finds own objects by tag, so that the tests with foreign tags are meaningful', async () => {
  const byTag = servedOperations.filter((operation) =>
    Object.hasOwn(getProperties(operation, 'query'), 'tags'),
  )
  expect(byTag.map(({ name }) => name).sort()).toEqual([
    'admin.listBots',
    'files.listFiles',
    'files.listKnowledgeBases',
    'files.searchFiles',
    'platform.countHandoffs',
    'platform.findAnswers',
    'platform.listHandoffs',
    'platform.searchConversations',
    'platform.searchUsers',
    'runtime.listConversations',
    'runtime.listMessages',
    'runtime.listUsers',
    'runtime.listWorkflows',
    'tables.listTables',
  ])
  // Answers are found only if they are likely: features/knowledge/search/knowledge.test.ts.
  for (const operation of byTag.filter(({ name }) => name !== 'platform.findAnswers')) {
    const own = mine.things.tag.map((tag) =>
      idsIn(operation)
        .find(({ field }) => field === 'tags')!
        .put(requestFor(operation, mine), tag),
    )
    const found = await Promise.all(
      own.map(async (request) => {
        const [value] = Object.values(JSON.parse((await ask(operation, request)).text))
        return typeof value === 'number' ? value : (value as unknown[]).length
      }),
    )
    expect([operation.name, Math.max(...found) > 0]).toEqual([operation.name, true])
  }
})

test('covers most operations', () => expect(naming.length).toBeGreaterThan(50))

describe("another tenant's id gets the response for an unknown id", () => {
  test.each(naming)('%s', async (_, operation) => {
    const right = requestFor(operation, mine)
    for (const { part, field, kind, put } of idsIn(operation)) {
      for (const foreign of theirs.things[kind]) {
        const unknown = unknownId(kind)
        const named = put(right, foreign)
        const [answer, usual] = [
          await ask(operation, named),
          await ask(operation, put(right, unknown)),
        ]
        const what = `${part} ${field} ${foreign}: ${answer.status} ${answer.text.slice(0, 300)}`
        expect([answer.status, comparable(answer.text, foreign)], what).toEqual([
          usual.status,
          comparable(usual.text, unknown),
        ])
        expect(leaks(answer.text, named), what).toEqual([])
        const isRefused =
          [400, 403, 404].includes(answer.status) ||
          harmless.includes(`${operation.name} ${field}`)
        if (part === 'params' && !mayHaveToo.includes(kind))
          expect(isRefused, what).toBe(true)
        expect(answer.status, what).toBeLessThan(500)
      }
    }
  })

  test('also with the key of an integration', async () => {
    const headers: Headers = {
      ...bearing(mine.integrationKey),
      'x-bot-id': mine.things.bot[0]!,
    }
    for (const operation of servedOperations.filter(({ access }) => access === 'bot')) {
      const right = { ...requestFor(operation, mine), headers }
      for (const { field, kind, put } of idsIn(operation).filter(
        ({ part }) => part !== 'headers',
      )) {
        const [foreign, unknown] = [theirs.things[kind][0]!, unknownId(kind)]
        const [answer, usual] = [
          await ask(operation, put(right, foreign)),
          await ask(operation, put(right, unknown)),
        ]
        const what = `${operation.name} ${field} ${answer.text.slice(0, 300)}`
        expect([answer.status, comparable(answer.text, foreign)], what).toEqual([
          usual.status,
          comparable(usual.text, unknown),
        ])
        expect(leaks(answer.text, [right, foreign]), what).toEqual([])
      }
    }
  })
})

describe('a page token is valid only for its listing', () => {
  /** Listings that are always empty, so without a second page. */
  const empty = ['admin.listActivities', 'newer.listInvoices']
  // The server would deliver them: queue-listings.test.ts.
  empty.push('platform.listPendingDeliveries')
  // Only for the operator of the installation.
  empty.push('platform.listBackups')
  // The drafts of the tenants have no stored revision.
  empty.push('platform.listDraftRevisions', 'platform.listCopilotRuns')
  // They are made of code.
  empty.push('platform.listDraftTexts')
  const listings = servedOperations.filter(
    (operation) =>
      Object.hasOwn(getProperties(operation, 'query'), 'nextToken') &&
      !empty.includes(operation.name),
  )
  interface Page {
    name: string
    token: string
    turn: (token: string, tenant?: Tenant, headers?: Headers) => ReturnType<typeof ask>
  }

  const turned = (
    operation: ServedOperation,
    query: Record<string, string>,
    tenant: Tenant,
    headers = headersFor(operation, tenant),
  ) => {
    const request = requestFor(operation, tenant)
    const filter: Record<string, string> = [
      'runtime.listMessages',
      'runtime.listEvents',
    ].includes(operation.name)
      ? { conversationId: tenant.things.conversation[0]! }
      : {}
    return ask(operation, {
      ...request,
      headers,
      query: { ...request.query, ...filter, ...query },
    })
  }
  const firstPage = async (operation: ServedOperation, tenant: Tenant): Promise<Page> => {
    const { status, text } = await turned(operation, { pageSize: '1' }, tenant)
    expect(status, `${operation.name} ${text}`).toBe(200)
    const turn: Page['turn'] = (nextToken, by = tenant, headers) =>
      turned(operation, { pageSize: '1', nextToken }, by, headers)
    const { meta, nextToken } = JSON.parse(text)
    const token = meta ? (meta.nextToken ?? meta.newer) : nextToken
    return { name: operation.name, token, turn }
  }

  test('rejects it in the same listing of another tenant and in other own listings', {
    timeout: 60_000,
  }, async () => {
    expect(listings.length).toBeGreaterThan(10)
    const own = await Promise.all(listings.map((operation) => firstPage(operation, mine)))
    const foreign = await Promise.all(
      listings.map((operation) => firstPage(operation, theirs)),
    )
    expect(
      [...own, ...foreign]
        .filter(({ token }) => typeof token !== 'string')
        .map(({ name }) => name),
    ).toEqual([])
    for (const { name, token, turn } of own) {
      expect([name, (await turn(token)).status]).toEqual([name, 200])
      const invalid = 'bWFkZS11cC1ieS1hLXN0cmFuZ2Vy'
      const usual = comparable((await turn(invalid)).text, invalid)
      const turned = [...foreign, ...own.filter((one) => one.name !== name)].map(
        async (wrong) => {
          const { status, text } = await turn(wrong.token)
          expect([name, wrong.name, status, comparable(text, wrong.token)]).toEqual([
            name,
            wrong.name,
            400,
            usual,
          ])
        },
      )
      await Promise.all(turned)
    }
  })

  test('rejects it for another caller or another bot of the same tenant', async () => {
    for (const operation of listings.filter(({ access }) => access === 'bot')) {
      const { token, turn } = await firstPage(operation, mine)
      const integration = { ...asIntegration(mine) }
      const second = { ...headersFor(operation, mine), 'x-bot-id': mine.things.bot[1]! }
      for (const headers of [integration, second])
        expect([
          operation.name,
          [400, 403, 404].includes((await turn(token, mine, headers)).status),
        ]).toEqual([operation.name, true])
    }
  })
})

test('moves an identifier only between bots of one tenant', async () => {
  const configure = (tenant: Tenant, identifier: string, alias: string, bot = 0) =>
    scene.call('POST', '/v1/chat/integrations/configure', {
      headers: {
        ...bearing(tenant.token),
        'x-bot-id': tenant.things.bot[bot]!,
        'x-integration-alias': alias,
      },
      body: { identifier },
    })
  expect((await configure(theirs, 'team', 'chat')).status).toBe(200)
  expect((await configure(mine, 'team', 'chat')).body).toMatchObject({
    code: 409,
    type: 'AlreadyExists',
  })
  expect((await configure(theirs, 'team', 'chat', 1)).status).toBe(200)
  expect((await configure(mine, 'team', 'tg')).status).toBe(200)
  const { db } = scene.app.services
  const holders = await db
    .selectFrom('installation')
    .select(['bot_id', 'alias'])
    .where('identifier', '=', 'team')
    .orderBy('alias')
    .execute()
  expect(holders).toEqual([
    { bot_id: theirs.things.bot[1], alias: 'chat' },
    { bot_id: mine.things.bot[0], alias: 'tg' },
  ])
  await db
    .updateTable('installation')
    .set({ identifier: null })
    .where('identifier', '=', 'team')
    .execute()
})

test('changes nothing of the other tenant', async () => {
  const { installation: _changedAbove, ...now } = await digestTenant(scene, theirs)
  const { installation: _before, ...then } = before
  expect(now).toEqual(then)
})
