// Every request to the Runtime, Chat and Platform APIs gets a response of the contract and never a
// 500. Bodies and queries are generated from the contract's schemas: valid, almost valid, and
// hostile. BOTSTEAD_FUZZ sets the number of requests per operation.
import { chat, platform, runtime } from '@botstead/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '../../src/core/lib/ids.ts'
import { openRuntimeScene, type RuntimeScene } from '../support/runtime-scene.ts'
import { type ServedOperation, servedOperations } from '../support/served-operations.ts'

const numRuns = Number(process.env.BOTSTEAD_FUZZ ?? 60)

let scene: RuntimeScene
let chatUser: Record<string, string>
/** An existing object of each kind. Deletions run last. */
const known: Record<string, string> = {}

beforeAll(async () => {
  scene = await openRuntimeScene()
  const make = async (url: string, headers: Record<string, string>, body: unknown) =>
    Object.values((await scene.call('POST', url, { headers, body })).body)[0] as {
      id: string
    }
  const runtimeThing = (path: string, body: unknown) =>
    make(`/v1/chat/${path}`, scene.asTg, body)
  const user = await runtimeThing('users', { tags: {} })
  const conversation = await runtimeThing('conversations', { channel: 'dm', tags: {} })
  const message = await runtimeThing('messages', {
    conversationId: conversation.id,
    userId: user.id,
    type: 'text',
    payload: {},
    tags: {},
  })
  const event = await runtimeThing('events', {
    type: 'added',
    payload: { content: 'milk' },
  })
  const workflow = await make('/v1/chat/workflows', scene.asBot, {
    name: 'w',
    status: 'listening',
    input: {},
    tags: {},
  })
  const guest = await scene.chatUser()
  chatUser = guest.headers
  const inChat = (path: string, body: unknown) =>
    make(`/chat/${scene.webhookId}/${path}`, chatUser, body)
  const talk = await inChat('conversations', {})
  const sent = await inChat('messages', {
    conversationId: talk.id,
    payload: { type: 'text', text: 'hi' },
  })
  Object.assign(known, {
    bot: scene.botId,
    user: user.id,
    conversation: conversation.id,
    message: message.id,
    event: event.id,
    workflow: workflow.id,
  })
  Object.assign(known, {
    chatUser: guest.id,
    chatConversation: talk.id,
    chatMessage: sent.id,
  })
  await addOperated()
})
afterAll(() => scene?.close())

/** Adds objects that operators see, and things with names. */
async function addOperated() {
  const { services } = scene.app
  services.issues.report(scene.botId, { code: 'event_failed', message: 'unexpected' })
  const rows = () => services.db.selectFrom('issue').select('id').execute()
  await vi.waitUntil(async () => (await rows()).length === 1, { timeout: 10_000 })
  const deadLetter = newId('delivery')
  await sql`
    with placed as (insert into lane (bot_id, key, last_number) values (${scene.botId}, 'dead', 1))
    insert into delivery (bot_id, lane, number, id, kind, subject_id, attempts, last_error, dead_at)
    values (${scene.botId}, 'dead', 1, ${deadLetter}, 'message', ${known.message}, 3, 'failed', now())`.execute(
    services.db,
  )
  const asAdmin = { headers: scene.admin }
  const invited = { email: 'invited@example.org', role: 'viewer' }
  const { body } = await scene.call('POST', '/v1/platform/invitations', {
    ...asAdmin,
    body: invited,
  })
  await scene.call('PUT', `/v1/platform/bots/${scene.botId}/mcp-servers/docs`, {
    ...asAdmin,
    body: { url: 'https://mcp.example.org' },
  })
  Object.assign(known, {
    issue: (await rows())[0]!.id,
    deadLetter,
    invitation: body.invitation.id,
  })
  Object.assign(known, { integration: 'tg', mcpServer: 'docs', modelProvider: 'own' })
}

const odd = [
  '',
  'constructor',
  'toString',
  'a:b',
  'tg:id',
  'a#b',
  '💥',
  '\u202e',
  "'; drop table message; --",
  '{}',
  '%00',
  '../..',
  '*',
  '-1',
  '1e400',
  'x'.repeat(500),
  '9'.repeat(40),
  '2026-01-01T00:00:00.000Z',
  '0000-00-00',
  '* * * * *',
]
const invalid = ['__proto__', '\u0000', '\ud800', 'x'.repeat(600)]
const usual = [
  'id',
  'room',
  'dm',
  'added',
  'tg',
  'chat',
  'text',
  'chat:sendEvent',
  'tg:add',
  'createdAt',
  'asc',
]
const text = () =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...odd, ...usual) },
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
    { weight: 1, arbitrary: fc.constantFrom(...invalid) },
  )
/** Chat ids only for the Chat API: bots may write messages to chats that chat clients could not. */
const listKinds = (family: string) =>
  Object.keys(known).filter((kind) => kind.startsWith('chat') === (family === 'chat'))
const id = (family: string) =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom(...listKinds(family)).map((kind) => known[kind]!),
    },
    { weight: 1, arbitrary: text() },
  )
const number = () =>
  fc.oneof(
    fc.constantFrom(0, 1, -1, 0.5, 1_000, 2 ** 31, 2 ** 53, 1e308, -1e308),
    fc.integer({ min: 1, max: 100 }),
  )
const anything = () =>
  fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.array(text(), { maxLength: 3 }),
    number(),
    fc.constantFrom(true, null),
  )
const map = (values: fc.Arbitrary<unknown>) =>
  fc.dictionary(text(), values, { maxKeys: 3, noNullPrototype: false })
const mostly = (right: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: anything() })

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  const?: unknown
  enum?: unknown[]
}

const isString = (value: unknown): value is string => typeof value === 'string'

/** Returns the kinds of objects that a field may refer to, such as users for `userId`. */
const namedBy = (family: string, field: string) =>
  listKinds(family).filter((kind) =>
    kind.toLowerCase().endsWith(field.replace(/Ids?$/, '').toLowerCase()),
  )

function toArbitrary(
  family: string,
  schema: Schema,
  field: string,
): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return mostly(fc.constant(schema.const))
  if (schema.enum) return mostly(fc.constantFrom(...schema.enum))
  if (schema.anyOf)
    return fc.oneof(...schema.anyOf.map((one) => toArbitrary(family, one, field)))
  if (schema.type === 'object') return mostly(toObject(family, schema))
  if (schema.type === 'array')
    return mostly(
      fc.array(toArbitrary(family, schema.items ?? {}, field), { maxLength: 4 }),
    )
  if (schema.type === 'boolean') return mostly(fc.boolean())
  if (schema.type === 'number' || schema.type === 'integer') return mostly(number())
  if (schema.type === 'null') return fc.constant(null)
  if (schema.type !== 'string') return anything()
  const things = /Ids?$/.test(field) ? namedBy(family, field) : []
  return mostly(
    things.length > 0 ? fc.constantFrom(...things).map((kind) => known[kind]!) : text(),
  )
}

function toObject(
  family: string,
  { properties = {}, patternProperties = {}, required = [] }: Schema,
): fc.Arbitrary<unknown> {
  const names = Object.keys(properties)
  if (names.length === 0)
    return map(toArbitrary(family, Object.values(patternProperties)[0] ?? {}, ''))
  const values = Object.fromEntries(
    names.map((name) => [name, toArbitrary(family, properties[name]!, name)]),
  )
  return fc.record(values, { requiredKeys: required, noNullPrototype: false })
}

function toQuery(
  family: string,
  { properties = {} }: Schema,
): fc.Arbitrary<[string, string][]> {
  const names = [...Object.keys(properties), 'tags.a', 'tags', 'nextToken', 'x.y.z']
  return fc.array(
    fc.tuple(fc.constantFrom(...names), fc.oneof(text(), id(family))) as fc.Arbitrary<
      [string, string]
    >,
    { maxLength: 4 },
  )
}

const families = { runtime, chat, platform }
const rank = ({ name }: ServedOperation) => Number(/\.(delete|remove|discard)/.test(name))
const operations = servedOperations
  .filter(({ family, stream }) => family in families && !stream)
  .sort((a, b) => rank(a) - rank(b))

function callers({ family, access }: ServedOperation) {
  if (access === 'workspace') return [scene.admin]
  return family === 'chat' ? [chatUser] : [scene.asBot, scene.asTg]
}
/**
 * Returns values for a path parameter: those of an enum, such as a state's type, or mostly the
 * object that the collection before it names, such as an issue for `/issues/{id}`.
 */
const placed = (operation: ServedOperation, field: string) => {
  const schema = (operation.params as Schema | undefined)?.properties?.[field]
  const collection = operation.url.split(`/{${field}}`)[0]!.split('/').at(-1)!
  const [kind] = namedBy(
    operation.family,
    collection.replace(/s$/, '').replaceAll('-', ''),
  )
  const right = (schema?.enum as string[] | undefined) ?? [known[kind!]].filter(isString)
  return right.length > 0
    ? fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...right) },
        { weight: 1, arbitrary: text() },
        { weight: 1, arbitrary: id(operation.family) },
      )
    : id(operation.family)
}

test.each(operations.map((operation) => [operation.name, operation] as const))(
  'never answers %s with a 500',
  { timeout: 120_000 },
  async (_, operation) => {
    const fields = [...operation.url.matchAll(/\{(\w+)\}/g)]
      .map(([, field]) => field!)
      .filter((field) => field !== 'webhookId')
    const input = fc.record({
      body: operation.body
        ? toObject(operation.family, operation.body as Schema)
        : fc.constant(undefined),
      query: toQuery(operation.family, (operation.query ?? {}) as Schema),
      params: fc.record(
        Object.fromEntries(fields.map((field) => [field, placed(operation, field)])),
        {
          noNullPrototype: false,
        },
      ),
      caller: fc.nat(callers(operation).length - 1),
    })
    let good = 0
    await fc.assert(
      fc.asyncProperty(input, async ({ body, query, params, caller }) => {
        const path = operation.url.replaceAll(/\{(\w+)\}/g, (_, field: string) =>
          field === 'webhookId'
            ? scene.webhookId
            : encodeURIComponent(
                String((params as Record<string, unknown>)[field]).toWellFormed(),
              ) || 'x',
        )
        const search = query
          .map(([key, value]) => `${key}=${encodeURIComponent(value.toWellFormed())}`)
          .join('&')
        const reply = await scene.call(operation.method, `${path}?${search}`, {
          headers: callers(operation)[caller]!,
          ...(body !== undefined && { body }),
        })
        if (reply.status < 300) good++
        // The server checks responses against the contract in tests: one that differs is a 500.
        expect(
          reply.status,
          JSON.stringify([path, search, body, reply.body]),
        ).toBeLessThan(500)
      }),
      { numRuns },
    )
    tried.set(operation.name, good)
  },
)

const tried = new Map<string, number>()
test('accepts requests of most operations, so that the tests reach their handlers', () => {
  const taken = [...tried].filter(([, good]) => good > 0)
  expect(taken.length, JSON.stringify(Object.fromEntries(tried))).toBeGreaterThan(
    tried.size * 0.55,
  )
})
