// Checking a document without storing it: problems, warnings, and documents of attackers.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openModelProvider } from '../../../test/support/model-provider.ts'
import { openModelScene } from '../../../test/support/model-scene.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { createWorkspace } from '../../core/accounts/workspaces.ts'
import { compute } from '../../core/compute/compute.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const path = '/v1/platform/documents/check'
const check = (document: unknown, headers = scene.admin) =>
  scene.call('POST', path, { headers, body: { document } })

/** A bot that sends these messages. */
const sending = (...messages: string[]) => ({
  kind: 'bot',
  version: 2,
  variables: { user: { name: { type: 'string' } } },
  flows: {
    main: {
      nodes: {
        start: {
          type: 'start',
          cards: messages.map((message) => ({ type: 'send', message })),
        },
      },
    },
  },
})

const nothing = { problems: [], warnings: [], isPartial: false }
const messageAt = (index: number) => `/flows/main/nodes/start/cards/${index}/message`

test.each([
  ['flows', sending('Hi, {{ user.name.length }}')],
  ['code', { kind: 'bot', version: 1, code: 'exports.handler = () => {}' }],
  // Parts that a bot has or lacks; only a deployment knows the bot.
  ['a secret', { kind: 'bot', version: 2, secrets: ['WORD'] }],
])('a valid document with %s has no problem', async (_, document) => {
  expect(await check(document)).toEqual({ status: 200, body: nothing })
})

test('warns of cards that need a language model, as long as there is none', async () => {
  const document = sending('Hi')
  const cards = [
    { type: 'aiText', instructions: 'Answer' },
    { type: 'answer', tags: {} },
  ]
  Object.assign(document.flows.main.nodes.start, { cards })
  const pointer = '/flows/main/nodes/start/cards/0'
  const message =
    'needs a language model, and the server has none, so it fails. Configure one, or remove it'
  expect((await check(document)).body).toEqual({
    ...nothing,
    warnings: [{ pointer, message }],
  })
  const provider = await openModelProvider(() => ({ text: ['Hi'] }))
  const other = await openModelScene(provider.url, { aliases: { auto: 'openai:gpt' } })
  try {
    const request = { headers: other.admin, body: { document } }
    expect((await other.call('POST', path, request)).body).toEqual(nothing)
  } finally {
    await other.close()
    await provider.close()
  }
})

test('warns of a misspelt property, and suggests another', async () => {
  const { status, body } = await check(sending('Hi', '{{ user.name.lenght }}'))
  expect([status, body]).toEqual([
    200,
    {
      ...nothing,
      warnings: [
        {
          pointer: messageAt(1),
          message:
            'reads "user.name.lenght", but a variable of type "string" has no member "lenght". ' +
            'Did you mean `length`?',
        },
      ],
    },
  ])
})

test('reports a misspelt variable as a problem, without warnings', async () => {
  const { body } = await check(sending('{{ user.nmae }} {{ user.name.lenght }}'))
  expect(body).toEqual({
    ...nothing,
    problems: [
      {
        pointer: messageAt(0),
        message:
          'uses the variable "user.nmae", which is not declared. Did you mean `name`?',
      },
    ],
  })
})

test('reports code that does not compile, with its position in the code file', async () => {
  const code = { file: 'code/greet.ts' }
  const { body } = await check({
    ...sending('Hi'),
    hooks: [{ kind: 'beforeIncoming', code }],
    files: { 'code/greet.ts': 'const a = 1\n  const b = = 2\n' },
  })
  expect(body).toMatchObject({
    warnings: [],
    problems: [
      {
        pointer: '/hooks/0/code',
        source: {
          file: 'code/greet.ts',
          line: 2,
          column: 13,
          message: 'Expression expected',
        },
      },
    ],
  })
})

test('returns the first 100 problems or warnings, with texts of at most 500 characters', async () => {
  const warned = await check(sending(...Array(150).fill('{{ user.name.lenght }}')))
  expect(warned.body.warnings).toHaveLength(100)
  const long = await check(sending(...Array(150).fill(`{{ user.${'n'.repeat(2_000)} }}`)))
  expect(long.body).toMatchObject({ isPartial: true, warnings: [] })
  expect(long.body.problems).toHaveLength(100)
  expect(long.body.problems[0].message).toHaveLength(500)
})

test('stores nothing, and nothing in the audit log', async () => {
  const stored = async () => {
    const [{ body: bots }, { body: audit }] = [
      await scene.call('GET', '/v1/admin/bots', { headers: scene.admin }),
      await scene.call('GET', '/v1/platform/audit', { headers: scene.admin }),
    ]
    return { bots, audit }
  }
  const before = await stored()
  await check(sending('Hi'))
  expect(await stored()).toEqual(before)
})

describe('of an attacker', () => {
  test.each([[null], [1], ['text'], [[]], [undefined]])(
    '%j is no document',
    async (document) => {
      expect(await check(document)).toMatchObject({
        status: 400,
        body: { type: 'InvalidPayload' },
      })
    },
  )

  test.each([
    '{"kind":"bot","version":2,"__proto__":{"polluted":1}}',
    '{"kind":"bot","version":2,"flows":{"__proto__":{"nodes":{}}}}',
    `{"kind":"bot","version":2,"flows":${'['.repeat(2_000)}${']'.repeat(2_000)}}`,
  ])(
    'rejects a document with a prototype key, or nested too deeply (%#)',
    async (text) => {
      expect(await check(JSON.parse(text))).toMatchObject({
        status: 400,
        body: { type: 'InvalidPayload' },
      })
      expect(({} as { polluted?: 1 }).polluted).toBeUndefined()
    },
  )

  test.each(['constructor', 'toString', 'hasOwnProperty'])(
    'the key %s is an unknown field',
    async (key) => {
      const document = JSON.parse(`{"kind":"bot","version":2,"${key}":{"polluted":1}}`)
      const { status, body } = await check(document)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        problems: [
          { pointer: `/${key}`, message: expect.stringContaining('not a known field') },
        ],
      })
    },
  )

  test('the name "constructor" is one like others', async () => {
    const { main } = sending('{{ user.constructor.lenght }}').flows
    const start = { ...main.nodes.start, type: 'entry' }
    const text = { type: 'string' }
    const { status, body } = await check({
      kind: 'bot',
      version: 2,
      flows: { main, constructor: { nodes: { start } } },
      variables: { user: { constructor: text }, bot: { constructor: text } },
    })
    expect([status, body.problems]).toEqual([200, []])
    expect(body.warnings).toHaveLength(2)
  })

  test('a document may be larger than bodies of other operations, up to 50 MB', async () => {
    const ofSize = (characters: number) => ({
      kind: 'bot',
      version: 2,
      code: 'x'.repeat(characters),
    })
    expect((await check(ofSize(2 * 1_048_576))).body).toEqual(nothing)
    expect(await check(ofSize(50 * 1_048_576))).toMatchObject({
      status: 413,
      body: { type: 'PayloadTooLarge' },
    })
  })

  test('flows have at most five million characters', async () => {
    const { body } = await check(sending('x'.repeat(5_000_000)))
    expect(body.problems).toEqual([
      { pointer: '', message: expect.stringContaining('more than 5000000 characters') },
    ])
  })
})

test('requires a personal access token of a member of the workspace', async () => {
  for (const headers of [{}, scene.asBot])
    expect((await check({}, headers)).status).toBe(401)
  const { db } = scene.app.services
  const stranger = randomUUID()
  await sql`insert into account (id, email) values (${stranger}, 'other@example.org')`.execute(
    db,
  )
  const foreign = await createWorkspace(db, stranger, 'Other')
  const elsewhere = { ...scene.admin, 'x-workspace-id': foreign.id }
  expect((await check({}, elsewhere)).status).toBe(401)
})

test('a publication compiles its document once, before its transaction', async () => {
  const { db } = scene.app.services
  const countTransactions = async () =>
    (
      await sql`select from pg_stat_activity where datname = current_database()
        and state like 'idle in transaction%'`.execute(db)
    ).rows.length
  const { run } = compute
  const compiling = vi.spyOn(compute, 'run').mockImplementation(async (...job) => {
    // That of the publication would last longer than those of background tasks.
    if (job[1] === 'compileDocument')
      await vi.waitFor(async () => expect(await countTransactions()).toBe(0), 5_000)
    return run(...job)
  })
  const { status } = await scene.call(
    'POST',
    `/v1/admin/bots/${scene.botId}/publish-from-bot-json`,
    { headers: scene.admin, body: { botJson: sending('hi') } },
  )
  const names = compiling.mock.calls.map(([, name]) => name)
  compiling.mockRestore()
  expect([status, names.filter((name) => name === 'compileDocument').length]).toEqual([
    200, 1,
  ])
})
