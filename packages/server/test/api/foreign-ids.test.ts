// With one's own credentials and another tenant's ids, wherever an operation takes one: the answer is the one for an id that nobody has.
// Places and ids come from the contract (operation-requests.ts), so that a new operation, or a new field, is tried from its first day.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/infra/lib/ids.ts'
import {
  addressOf,
  alwaysRefused,
  headersFor,
  kindOf,
  type OperationRequest,
  type Place,
  propertiesOf,
  requestFor,
  type ServedOperation,
  servedOperations,
} from '../support/operation-requests.ts'
import { openScene, type Scene } from '../support/scene.ts'
import { shared } from '../support/tenant-packages.ts'
import {
  asIntegration,
  bearing,
  digestOf,
  type Headers,
  type Kind,
  makeTenant,
  type Tenant,
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
  before = await digestOf(scene, theirs)
}, 60_000)
afterAll(() => scene?.close())

async function ask(
  operation: ServedOperation,
  given: OperationRequest,
): Promise<{ status: number; text: string }> {
  const reply = await scene.app.server.inject({
    ...{ method: given.method, url: addressOf(operation, given), headers: given.headers },
    ...(given.body && { payload: given.body }),
  })
  return { status: reply.statusCode, text: reply.body }
}

const ulidOf = (prefix: Parameters<typeof newId>[0]) => () => newId(prefix)
const word = () => `nobody-${randomBytes(6).toString('hex')}`
const newOf: Record<Kind, () => string> = {
  ...{
    account: ulidOf('account'),
    bot: ulidOf('bot'),
    botKey: ulidOf('key'),
    botVersion: ulidOf('botVersion'),
    pat: ulidOf('patoken'),
    invitee: ulidOf('account'),
    spareBot: ulidOf('bot'),
    integration: ulidOf('integration'),
    installed: ulidOf('integration'),
    interface: ulidOf('interface'),
    plugin: ulidOf('plugin'),
  },
  ...{
    user: ulidOf('user'),
    conversation: ulidOf('conversation'),
    message: ulidOf('message'),
    event: ulidOf('event'),
    scheduledEvent: ulidOf('event'),
  },
  file: ulidOf('file'),
  knowledgeBase: ulidOf('knowledgeBase'),
  table: ulidOf('table'),
  integrationKey: ulidOf('integrationKey'),
  workflow: ulidOf('workflow'),
  issue: ulidOf('issue'),
  deadLetter: ulidOf('delivery'),
  ...{
    chatUser: ulidOf('user'),
    chatConversation: ulidOf('conversation'),
    chatMessage: ulidOf('message'),
    chatEvent: ulidOf('event'),
  },
  ...{
    chosenUser: word,
    chosenConversation: word,
    fileKey: word,
    handle: word,
    preference: word,
    tag: word,
    integrationName: word,
    interfaceName: word,
    pluginName: word,
  },
  ...{ webhook: randomUUID, workspace: randomUUID },
}

/** What is no secret: that a handle is taken, and that there is a chat at an address. Who may enter it, access-matrix.test.ts asks. */
const common: Kind[] = ['handle', 'webhook']

interface Named {
  place: Place | 'headers'
  field: string
  kind: Kind
  put: (given: OperationRequest, id: string) => OperationRequest
}

/** Wherever the operation takes an id: alone, in a list, as the value of a tag. */
function idsIn(operation: ServedOperation): Named[] {
  const names = [...operation.url.matchAll(/\{(\w+)\}/g)].map(([, field]) => ['params', field!] as const)
  const others = (['query', 'body'] as const).flatMap((place) =>
    Object.keys(propertiesOf(operation, place)).map((field) => [place, field] as const),
  )
  const found = [...names, ...others].flatMap(([place, field]): Named[] => {
    const kind = kindOf(operation, place, field)
    if (!kind || common.includes(kind)) return []
    return [
      {
        place,
        field,
        kind,
        put: (given, id) => ({
          ...given,
          [place]: { ...given[place], ...written(operation, place, field, id) },
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
  place: Place,
  field: string,
  id: string,
): Record<string, unknown> {
  if (field !== 'tags') return { [field]: propertyIsList(field) ? [id] : id }
  if (place === 'body') return { tags: { id } }
  if (family === 'files') return { tags: JSON.stringify({ mark: id }) }
  return ['admin', 'tables'].includes(family) ? { 'tags.mark': id } : { 'tags.tg:id': id }
}
const propertyIsList = (field: string) => ['ids', 'participantIds', 'workspaceIds'].includes(field)

const inBody =
  (make: (id: string) => Record<string, unknown>): Named['put'] =>
  (given, id) => ({ ...given, body: { ...given.body, ...make(id) } })
/** Ids that stand deeper, or as a name. */
const imported = {
  type: 'text',
  payload: {},
  tags: {},
  createdAt: '2026-01-01T00:00:00.000Z',
  discriminateByTags: [],
}
const implementing: Named = {
  place: 'body',
  field: 'interfaces.id',
  kind: 'interface',
  put: inBody((id) => ({ interfaces: { a: { id } } })),
}
const throughAny: Named[] = (['interface', 'integration'] as const).map((kind) => ({
  ...{ place: 'body', field: `dependencies.${kind}s.id`, kind },
  put: inBody((id) => ({ dependencies: { [`${kind}s`]: { a: { id } } } })),
}))
const backed: Named = {
  ...{ place: 'query', field: 'interfaces', kind: 'integration' },
  put: (given, id) => ({ ...given, query: { ...given.query, 'interfaces.used': id } }),
}
const byHand: Record<string, Named[]> = {
  'runtime.importMessages': [
    {
      ...{ place: 'body', field: 'messages[].conversationId', kind: 'conversation' },
      put: (given, conversationId) => ({
        ...given,
        body: { messages: [{ ...imported, conversationId, userId: mine.things.user[0] }] },
      }),
    },
    {
      ...{ place: 'body', field: 'messages[].userId', kind: 'user' },
      put: (given, userId) => ({
        ...given,
        body: { messages: [{ ...imported, userId, conversationId: mine.things.conversation[0] }] },
      }),
    },
  ],
  'runtime.callAction': [
    {
      ...{ place: 'body', field: 'input.conversationId', kind: 'chatConversation' },
      put: inBody((conversationId) => ({ type: 'chat:sendEvent', input: { conversationId, payload: {} } })),
    },
  ],
  'admin.publishFromBotJson': [
    {
      ...{ place: 'body', field: 'botJson.integrations.id', kind: 'integration' },
      put: inBody((id) => ({
        botJson: {
          kind: 'bot',
          version: 1,
          integrations: { a: { id, name: 'a', version: '1.0.0', enabled: true } },
        },
      })),
    },
    {
      ...{ place: 'body', field: 'botJson.plugins.id', kind: 'plugin' },
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
    { place: 'body', field: 'users', kind: 'account', put: inBody((id) => ({ users: { [id]: true } })) },
  ],
  'admin.updateBot': [
    {
      place: 'body',
      field: 'integrations',
      kind: 'integration',
      put: inBody((id) => ({ integrations: { [id]: { enabled: true } } })),
    },
    {
      place: 'body',
      field: 'integrations.integrationId',
      kind: 'integration',
      put: inBody((id) => ({ integrations: { a: { integrationId: id } } })),
    },
    { place: 'body', field: 'plugins.id', kind: 'plugin', put: inBody((id) => ({ plugins: { a: { id } } })) },
    {
      ...{ place: 'body', field: 'plugins.integrations.integrationId', kind: 'integration' },
      put: inBody((integrationId) => ({
        plugins: {
          a: { id: shared.plugin, integrations: { a: { integrationId, integrationAlias: integrationId } } },
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
    place: 'headers',
    field: 'x-integration-id',
    kind: 'integration',
    put: (given, id) => ({ ...given, headers: { ...given.headers, 'x-integration-id': id } }),
  },
]

/** What may differ between two answers: ids and keys that were made, moments, signed addresses, and the id that was asked for. */
const comparable = (text: string, id: string) =>
  text
    .replaceAll(id, '<id>')
    .replaceAll(/err_\d{14}x[0-9A-F]{8}/g, '<error>')
    .replaceAll(/\b[a-z]+_[0-9A-HJKMNP-TV-Z]{26}\b/g, '<made>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<moment>')
    .replaceAll(/"key":"ey[\w.-]+"/g, '<key>')
    .replaceAll(/"(url|uploadUrl)":"[^"]+"/g, '<address>')
    // one's own may have been made a moment ago; theirs would show by its id
    .replaceAll(/"created":\w+/g, '<created>')
    .replaceAll(/"(signingSecret|newSigningSecret)":"[\w-]+"/g, '<secret>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<made>')
    .replaceAll(/"name":"bot-\w{8}"/g, '<name>')
    .replaceAll(/"bp_[a-z]{3}_\w+"/g, '<token>')

const leaks = (answer: string, request: unknown) => {
  const said = JSON.stringify(request)
  return [theirs.mark, theirs.named, ...Object.values(theirs.things).flat()].filter(
    (secret) => answer.includes(secret) && !said.includes(secret),
  )
}

/** Names that everybody may give: each tenant has its own. */
const mayHaveToo: Kind[] = ['chosenUser', 'chosenConversation', 'fileKey', 'preference', 'tag']

/** Who is not inside has been shown out already. */
const harmless = ['chat.removeParticipant userId']

/** Keeps ids as words, whosever they are: one may find them again in what one noted oneself. */
const notes = ['runtime.captureObservation']

/** What makes things of such names comes last: they are one's own from then on. */
const makes = (operation: ServedOperation) =>
  Number(
    notes.includes(operation.name) ||
      idsIn(operation).some(({ place, kind }) => place === 'body' && mayHaveToo.includes(kind)),
  )
const naming = servedOperations
  .filter((operation) => idsIn(operation).length > 0)
  .sort((a, b) => makes(a) - makes(b))
  .map((operation) => [operation.name, operation] as const)

test('who names nothing is shown nothing of theirs', async () => {
  for (const operation of servedOperations.filter(({ method, stream }) => method === 'GET' && !stream)) {
    const given = requestFor(operation, mine)
    const { status, text } = await ask(operation, given)
    const expected = Object.hasOwn(alwaysRefused, operation.name) ? 404 : 200
    expect([operation.name, status, leaks(text, given)]).toEqual([operation.name, expected, []])
  }
})

test('a filter finds what it is for, so that finding nothing of theirs says something', async () => {
  const byTag = servedOperations.filter((operation) =>
    Object.hasOwn(propertiesOf(operation, 'query'), 'tags'),
  )
  expect(byTag.map(({ name }) => name).sort()).toEqual([
    ...[
      'admin.listBots',
      'files.listFiles',
      'files.listKnowledgeBases',
      'files.searchFiles',
      'runtime.listConversations',
      'runtime.listMessages',
      'runtime.listUsers',
      'runtime.listWorkflows',
      'tables.listTables',
    ],
  ])
  for (const operation of byTag) {
    const own = mine.things.tag.map((tag) =>
      idsIn(operation)
        .find(({ field }) => field === 'tags')!
        .put(requestFor(operation, mine), tag),
    )
    const found = await Promise.all(
      own.map(
        async (given) =>
          (Object.values(JSON.parse((await ask(operation, given)).text))[0] as unknown[]).length,
      ),
    )
    expect([operation.name, Math.max(...found) > 0]).toEqual([operation.name, true])
  }
})

test('most operations take ids', () => expect(naming.length).toBeGreaterThan(50))

describe("another's id is as good as none", () => {
  test.each(naming)('%s', async (_, operation) => {
    const right = requestFor(operation, mine)
    for (const { place, field, kind, put } of idsIn(operation)) {
      for (const foreign of theirs.things[kind]) {
        const unknown = newOf[kind]()
        const named = put(right, foreign)
        const [answer, usual] = [await ask(operation, named), await ask(operation, put(right, unknown))]
        const what = `${place} ${field} ${foreign}: ${answer.status} ${answer.text.slice(0, 300)}`
        expect([answer.status, comparable(answer.text, foreign)], what).toEqual([
          usual.status,
          comparable(usual.text, unknown),
        ])
        expect(leaks(answer.text, named), what).toEqual([])
        const isRefused =
          [400, 403, 404].includes(answer.status) || harmless.includes(`${operation.name} ${field}`)
        if (place === 'params' && !mayHaveToo.includes(kind)) expect(isRefused, what).toBe(true)
        expect(answer.status, what).toBeLessThan(500)
      }
    }
  })

  test('also for an integration, with its key', async () => {
    const headers: Headers = { ...bearing(mine.integrationKey), 'x-bot-id': mine.things.bot[0]! }
    for (const operation of servedOperations.filter(({ access }) => access === 'bot')) {
      const right = { ...requestFor(operation, mine), headers }
      for (const { field, kind, put } of idsIn(operation).filter(({ place }) => place !== 'headers')) {
        const [foreign, unknown] = [theirs.things[kind][0]!, newOf[kind]()]
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

describe('a page token is good for the listing that gave it', () => {
  /** There is nothing to list, and so no second page. */
  const empty = ['admin.listActivities', 'newer.listInvoices']
  const listings = servedOperations.filter(
    (operation) =>
      Object.hasOwn(propertiesOf(operation, 'query'), 'nextToken') && !empty.includes(operation.name),
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
    const given = requestFor(operation, tenant)
    const filter = ['runtime.listMessages', 'runtime.listEvents'].includes(operation.name)
      ? { conversationId: tenant.things.conversation[0]! }
      : {}
    return ask(operation, { ...given, headers, query: { ...given.query, ...filter, ...query } })
  }
  const firstPage = async (operation: ServedOperation, tenant: Tenant): Promise<Page> => {
    const { status, text } = await turned(operation, { pageSize: '1' }, tenant)
    expect(status, `${operation.name} ${text}`).toBe(200)
    const turn: Page['turn'] = (nextToken, by = tenant, headers) =>
      turned(operation, { pageSize: '1', nextToken }, by, headers)
    const { meta, nextToken } = JSON.parse(text)
    return { name: operation.name, token: (meta ?? { nextToken }).nextToken, turn }
  }

  test(
    'not for the same listing of others, nor for another listing of one’s own',
    { timeout: 60_000 },
    async () => {
      expect(listings.length).toBeGreaterThan(10)
      const own = await Promise.all(listings.map((operation) => firstPage(operation, mine)))
      const foreign = await Promise.all(listings.map((operation) => firstPage(operation, theirs)))
      expect(
        [...own, ...foreign].filter(({ token }) => typeof token !== 'string').map(({ name }) => name),
      ).toEqual([])
      for (const { name, token, turn } of own) {
        expect([name, (await turn(token)).status]).toEqual([name, 200])
        const nobodys = 'bWFkZS11cC1ieS1hLXN0cmFuZ2Vy'
        const usual = comparable((await turn(nobodys)).text, nobodys)
        const turned = [...foreign, ...own.filter((one) => one.name !== name)].map(async (wrong) => {
          const { status, text } = await turn(wrong.token)
          expect([name, wrong.name, status, comparable(text, wrong.token)]).toEqual([
            name,
            wrong.name,
            400,
            usual,
          ])
        })
        await Promise.all(turned)
      }
    },
    60_000,
  )

  test('nor for the same listing with other eyes, or of another bot of the same people', async () => {
    for (const operation of listings.filter(({ access }) => access === 'bot')) {
      const { token, turn } = await firstPage(operation, mine)
      const eyes = { ...asIntegration(mine) }
      const second = { ...headersFor(operation, mine), 'x-bot-id': mine.things.bot[1]! }
      for (const headers of [eyes, second])
        expect([operation.name, [400, 403, 404].includes((await turn(token, mine, headers)).status)]).toEqual(
          [operation.name, true],
        )
    }
  })
})

test('an identifier is claimed from the same people only', async () => {
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
  expect((await configure(mine, 'team', 'chat')).body).toMatchObject({ code: 409, type: 'AlreadyExists' })
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
  await db.updateTable('installation').set({ identifier: null }).where('identifier', '=', 'team').execute()
})

test('and what is theirs is as it was', async () => {
  const { installation: _changedAbove, ...now } = await digestOf(scene, theirs)
  const { installation: _before, ...then } = before
  expect(now).toEqual(then)
})
