// Interfaces and plugins over HTTP: versions, visibility, updates, deletion, and their effect on
// bots.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { createToken } from '../../accounts/tokens.ts'
import { newId } from '../../lib/ids.ts'

let scene: Scene
type Who = 'us' | 'them'
const headers: Record<Who, Record<string, string>> = { us: {}, them: {} }

/** Returns unused names. Names of the other workspace begin with its handle. */
let count = 0
const newName = (who: Who = 'us') => `${who === 'them' ? 'acme/' : ''}package-${++count}`

const call = (line: string, body?: unknown, who: Who = 'us') => {
  const [method, path] = line.split(' ') as ['GET', string]
  return scene.call(method, `/v1/admin/${path}`, {
    headers: headers[who],
    ...(body !== undefined && { body }),
  })
}
/** Sends a request that must succeed, and returns the body. */
async function done(line: string, body?: unknown, who: Who = 'us') {
  const reply = await call(line, body, who)
  expect([line, reply.status, reply.body]).toEqual([line, 200, reply.body])
  return reply.body
}
const findError = async (line: string, body?: unknown, who: Who = 'us') => {
  const { status, body: error } = await call(line, body, who)
  return [status, error.type]
}

beforeAll(async () => {
  scene = await openScene()
  headers.us = { ...scene.admin, 'x-multiple-integrations': 'true' }
  const accountId = newId('account')
  await scene.app.services.db
    .insertInto('account')
    .values({ id: accountId, email: 'them@example.org', name: null, picture_url: null })
    .execute()
  const { value } = await createToken(
    scene.app.services.db,
    { kind: 'pat', accountId },
    '',
  )
  headers.them = { authorization: `Bearer ${value}` }
  const workspace = await done('POST workspaces', { name: 'Theirs' }, 'them')
  headers.them = {
    ...headers.them,
    'x-workspace-id': workspace.id,
    'x-multiple-integrations': 'true',
  }
  await done(`PUT workspaces/${workspace.id}`, { handle: 'acme' }, 'them')
})
afterAll(() => scene?.close())

const object = (properties: object) => ({ type: 'object', properties })
const text = { type: 'string' }
const code = { node: 'exports.node = 1', browser: 'exports.browser = 1' }
const encoded = (content: string) => Buffer.from(content).toString('base64')

const item = { schema: { ...object({ id: text }), 'x-zui': { title: 'Item' } } }
/** An interface as `bp deploy` sends it. */
const listable = (more: object = {}) => ({
  name: newName(),
  version: '1.0.0',
  title: 'Listable',
  description: 'Has items',
  public: true,
  sdkVersion: '5.4.3',
  icon: encoded('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  readme: encoded('# Listable'),
  entities: { item },
  events: {
    itemMade: {
      schema: object({ item: { $ref: 'item' } }),
      attributes: { kind: 'news' },
    },
  },
  actions: {
    itemList: {
      title: 'List',
      input: { schema: object({ nextToken: text }) },
      output: { schema: object({ items: { type: 'array', items: { $ref: 'item' } } }) },
    },
  },
  channels: { talk: { title: 'Talk', messages: { text: { schema: object({ text }) } } } },
  attributes: { level: '1' },
  ...more,
})
const makeInterface = async (more: object = {}, who: Who = 'us') =>
  (await done('POST interfaces', listable(more), who)).interface
const makePlugin = async (more: object = {}, who: Who = 'us') =>
  (
    await done(
      'POST plugins',
      { name: newName(who), version: '1.0.0', code, ...more },
      who,
    )
  ).plugin

const kinds = {
  interface: {
    all: 'interfaces',
    make: makeInterface,
    hidden: { public: false },
    shown: { public: true },
    body: () => listable(),
  },
  plugin: {
    all: 'plugins',
    make: makePlugin,
    hidden: { visibility: 'private' },
    shown: { visibility: 'public' },
    body: () => ({ name: newName(), version: '1.0.0', code }),
  },
} as const
type KindName = keyof typeof kinds

describe.each(Object.keys(kinds) as KindName[])('%s: versions of a name', (kind) => {
  const { all, make, hidden, shown, body } = kinds[kind]
  const versions = ['1.0.0', '1.2.0', '1.10.0', '2.0.0-beta.1']
  let name: string
  beforeAll(async () => {
    name = newName()
    for (const version of versions) await make({ name, version, ...shown })
  })

  test.each([
    ['1.2.0', '1.2.0'],
    ['latest', '1.10.0'],
    ['^1.0.0', '1.10.0'],
    ['>=1.0.0 <1.10.0', '1.2.0'],
    ['<1.2.0', '1.0.0'],
    ['2.0.0-beta.1', '2.0.0-beta.1'],
    ['3.0.0', null],
    ['^3.0.0', null],
    ['nonsense', null],
    ['constructor', null],
  ])('%s finds %s', async (wanted, expected) => {
    for (const path of [all, `hub/${all}`]) {
      const reply = await call(
        `GET ${path}/${encodeURIComponent(name)}/${encodeURIComponent(wanted)}`,
      )
      expect([path, reply.status, reply.body[kind]?.version ?? reply.body.type]).toEqual([
        path,
        expected ? 200 : 404,
        expected ?? 'ResourceNotFound',
      ])
    }
  })

  test('lists by name and version, the latest of each name, in pages', async () => {
    const list = async (query: string) =>
      (await done(`GET ${all}?name=${name}&${query}`))[all].map(
        (one: { version: string }) => one.version,
      )
    expect(await list('')).toEqual(versions.toReversed())
    expect(await list('version=latest')).toEqual(['1.10.0'])
    expect(await list('version=1.2.0')).toEqual(['1.2.0'])
    expect(await list('version=%5E1.0.0')).toEqual(['1.10.0', '1.2.0', '1.0.0'])
    const seen: string[] = []
    for (let nextToken = ''; ; ) {
      const page = await done(
        `GET hub/${all}?name=${name}&pageSize=3${nextToken && `&nextToken=${nextToken}`}`,
      )
      seen.push(...page[all].map((one: { version: string }) => one.version))
      if (!page.meta.nextToken) break
      nextToken = page.meta.nextToken
    }
    expect(seen).toEqual(versions.toReversed())
    const { meta } = await done(`GET ${all}?name=${name}&pageSize=1`)
    expect(
      await findError(
        `GET hub/${all}?name=${name}&pageSize=1&nextToken=${meta.nextToken}`,
      ),
    ).toEqual([400, 'InvalidQuery'])
  })

  test('a version exists once per workspace, also with concurrent requests', async () => {
    const twice = { ...body(), name: newName() }
    const replies = await Promise.all([
      call(`POST ${all}`, twice),
      call(`POST ${all}`, twice),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await findError(`POST ${all}`, twice)).toEqual([409, 'AlreadyExists'])
    expect((await make({ name: `acme/${name}` }, 'them')).name).toBe(`acme/${name}`)
  })

  test.each([
    ['another handle', { name: 'other/thing' }, 403, 'Forbidden', 'them'],
    ['no handle', { name: 'thing' }, 403, 'Forbidden', 'them'],
    ['an invalid name', { name: 'a b' }, 400, 'InvalidIdentifier', 'us'],
    ['a path', { name: '../etc' }, 400, 'InvalidIdentifier', 'us'],
    ['an empty name', { name: '' }, 400, 'InvalidIdentifier', 'us'],
    ['an invalid version', { version: '1' }, 400, 'InvalidPayload', 'us'],
    ['a range as version', { version: '^1.0.0' }, 400, 'InvalidPayload', 'us'],
    ['latest', { version: 'latest' }, 400, 'InvalidPayload', 'us'],
    ['an icon that is not base64', { icon: 'üüü' }, 400, 'InvalidPayload', 'us'],
    [
      'a readme that is too large',
      { readme: 'A'.repeat(1_500_000) },
      413,
      'LimitExceeded',
      'us',
    ],
    ['a title that is too long', { title: 'x'.repeat(65) }, 400, 'InvalidPayload', 'us'],
    [
      'an event with a hash in its name',
      { events: { 'a#b': { schema: {} } } },
      400,
      'InvalidIdentifier',
      'us',
    ],
    [
      'an event named like a property of objects',
      { events: { __proto__x: { schema: {} } } },
      400,
      'InvalidIdentifier',
      'us',
    ],
    [
      'an invalid schema',
      { events: { made: { schema: { type: 'thing' } } } },
      400,
      'InvalidJsonSchema',
      'us',
    ],
    [
      'a schema that is too large',
      { events: { made: { schema: { description: 'x'.repeat(100_001) } } } },
      400,
      'InvalidJsonSchema',
      'us',
    ],
    [
      'a schema with an unknown reference',
      { events: { made: { schema: object({ a: { $ref: 'nothing' } }) } } },
      400,
      'InvalidJsonSchema',
      'us',
    ],
    [
      'a schema at another URL',
      { events: { made: { schema: { $ref: 'http://127.0.0.1:9/' } } } },
      400,
      'InvalidJsonSchema',
      'us',
    ],
  ] as const)('rejects %s', async (_, more, status, type, who) => {
    expect(await findError(`POST ${all}`, { ...body(), ...more }, who)).toEqual([
      status,
      type,
    ])
  })

  test('hides private packages from other workspaces in every operation', async () => {
    const mine = await make(hidden)
    const made = { id: mine.id, name: mine.name }
    for (const { id, name } of [made, { id: newId(kind), name: 'made-up' }]) {
      for (const [who, path] of [
        ['them', all],
        ['them', `hub/${all}`],
        ['us', `hub/${all}`],
      ] as const) {
        const caller = `${who}, ${path}, ${name}`
        expect(await findError(`GET ${path}/${id}`, undefined, who), caller).toEqual([
          404,
          'ResourceNotFound',
        ])
        expect(
          await findError(`GET ${path}/${name}/latest`, undefined, who),
          caller,
        ).toEqual([404, 'ResourceNotFound'])
      }
      expect(
        await findError(`PUT ${all}/${id}`, { title: 'Mine' }, 'them'),
        name,
      ).toEqual([404, 'ResourceNotFound'])
      expect(await findError(`DELETE ${all}/${id}`, undefined, 'them'), name).toEqual([
        404,
        'ResourceNotFound',
      ])
    }
    for (const path of [all, `hub/${all}`])
      expect(
        (await done(`GET ${path}?name=${mine.name}`, undefined, 'them'))[all],
        path,
      ).toEqual([])
    await done(`PUT ${all}/${mine.id}`, shown)
    expect((await done(`GET hub/${all}/${mine.id}`, undefined, 'them'))[kind].id).toBe(
      mine.id,
    )
    expect(
      (await done(`GET hub/${all}?name=${mine.name}`, undefined, 'them'))[all],
    ).toMatchObject([{ id: mine.id, public: true }])
    expect(await findError(`GET ${all}/${mine.id}`, undefined, 'them')).toEqual([
      404,
      'ResourceNotFound',
    ])
    await done(`PUT ${all}/${mine.id}`, hidden)
    expect(await findError(`GET hub/${all}/${mine.id}`, undefined, 'them')).toEqual([
      404,
      'ResourceNotFound',
    ])
  })

  test('serves icons of all versions and readmes of one without a token, until deletion', async () => {
    const name = newName()
    const first = await make({ name, icon: encoded('<svg/>'), readme: encoded('# One') })
    const second = await make({
      name,
      version: '2.0.0',
      icon: encoded('<svg id="2"/>'),
      readme: encoded('# Two'),
    })
    const fetched = async (url: string) =>
      (await scene.app.server.inject({ url: new URL(url).pathname })).body
    const one = (await done(`GET ${all}/${first.id}`))[kind]
    expect([
      one.iconUrl,
      await fetched(one.iconUrl),
      await fetched(one.readmeUrl),
      await fetched(second.readmeUrl),
    ]).toEqual([second.iconUrl, '<svg id="2"/>', '# One', '# Two'])
    await done(`PUT ${all}/${first.id}`, { readme: encoded('# Uno') })
    expect(await fetched((await done(`GET ${all}/${first.id}`))[kind].readmeUrl)).toBe(
      '# Uno',
    )
    for (const { id } of [first, second]) await done(`DELETE ${all}/${id}`)
    for (const name of ['iconUrl', 'readmeUrl']) {
      const { pathname } = new URL(second[name])
      expect((await scene.app.server.inject({ url: pathname })).statusCode, name).toBe(
        404,
      )
    }
  })

  test('rejects the removal of parts of a public package', async () => {
    const { id } = await make({
      events: { made: { schema: {} }, gone: { schema: {} } },
      ...shown,
    })
    expect(await findError(`PUT ${all}/${id}`, { events: { gone: null } })).toEqual([
      400,
      'BreakingChanges',
    ])
    expect(
      Object.keys(
        (await done(`PUT ${all}/${id}`, { events: { more: { schema: {} } } }))[kind]
          .events,
      ),
    ).toEqual(['gone', 'made', 'more'])
    await done(`PUT ${all}/${id}`, hidden)
    expect(
      Object.keys(
        (await done(`PUT ${all}/${id}`, { events: { gone: null } }))[kind].events,
      ),
    ).toEqual(['made', 'more'])
  })
})

test('an interface returns its definition unchanged; updates merge, null removes', async () => {
  const given = listable()
  const made = (await done('POST interfaces', given)).interface
  const { icon: _icon, readme: _readme, sdkVersion: _sdk, ...definition } = given
  expect(made).toMatchObject(definition)
  expect((await done(`GET interfaces/${made.id}`)).interface).toEqual(made)

  const changed = (
    await done(`PUT interfaces/${made.id}`, {
      public: false,
      description: 'Has many',
      entities: { box: { title: 'Box', schema: object({}) } },
      events: {
        itemMade: {
          title: 'Made',
          schema: object({}),
          attributes: { kind: null, more: 'yes' },
        },
      },
      channels: {
        talk: { messages: { image: { schema: object({}) } } },
        quiet: { messages: {} },
      },
      nameTemplate: { script: '.name', language: 'vrl' },
      attributes: { level: null, sort: 'by name' },
    })
  ).interface
  expect(changed).toMatchObject({
    id: made.id,
    name: made.name,
    version: '1.0.0',
    title: 'Listable',
    description: 'Has many',
    public: false,
    createdAt: made.createdAt,
    actions: made.actions,
    nameTemplate: { script: '.name', language: 'vrl' },
    attributes: { sort: 'by name' },
    entities: { item, box: { title: 'Box', schema: object({}) } },
    events: {
      itemMade: { title: 'Made', schema: object({}), attributes: { more: 'yes' } },
    },
    channels: {
      talk: {
        title: 'Talk',
        messages: { text: expect.anything(), image: expect.anything() },
      },
      quiet: { messages: {} },
    },
  })
  const reduced = (
    await done(`PUT interfaces/${made.id}`, {
      nameTemplate: null,
      actions: { itemList: null },
      events: { itemMade: null },
      channels: { quiet: null, talk: { messages: { text: null } } },
    })
  ).interface
  expect(reduced).toMatchObject({
    actions: {},
    events: {},
    channels: { talk: { messages: { image: expect.anything() } } },
  })
  expect(reduced.nameTemplate).toBeUndefined()
  expect(
    await findError(`PUT interfaces/${made.id}`, {
      events: { lost: { schema: object({ item: { $ref: 'thing' } }) } },
    }),
  ).toEqual([400, 'InvalidJsonSchema'])
})

/** An integration with other names than the interface, and with additional fields in its entity. */
const shop = (interfaceId: string) => ({
  name: newName(),
  version: '1.0.0',
  url: 'http://127.0.0.1:9/',
  entities: { product: { schema: object({ id: text, price: { type: 'number' } }) } },
  actions: {
    productList: {
      input: { schema: object({ nextToken: text }) },
      output: { schema: object({}) },
    },
  },
  interfaces: {
    'listable<product>': {
      id: interfaceId,
      entities: { item: { name: 'product' } },
      actions: { itemList: { name: 'productList' } },
    },
  },
})
const makeShop = async (interfaceId: string, more: object = {}) =>
  (await done('POST integrations', { ...shop(interfaceId), ...more })).integration

const reference = { $ref: 'interface:items/entities/item' }
/** A plugin that uses an interface, as `bp deploy` sends it. */
const counting = (interfaceId: string, more: object = {}) => ({
  name: newName(),
  version: '1.0.0',
  title: 'Counting',
  code,
  configuration: {
    title: 'Settings',
    schema: object({ start: { type: 'number' }, first: reference }),
  },
  states: {
    count: {
      type: 'conversation',
      schema: object({ value: { type: 'number' } }),
      expiry: 60_000,
    },
  },
  events: {
    counted: { schema: object({ item: reference }), attributes: { kind: 'news' } },
  },
  actions: {
    count: {
      input: { schema: object({ items: { type: 'array', items: reference } }) },
      output: { schema: object({ count: { type: 'number' } }) },
    },
  },
  user: { tags: { counter: { title: 'Counter' } } },
  conversation: { tags: { counted: {} } },
  message: { tags: { number: {} } },
  dependencies: { interfaces: { items: { id: interfaceId } }, integrations: {} },
  attributes: { level: '1' },
  ...more,
})

describe('a plugin', () => {
  let listing: { id: string; name: string }
  let store: { id: string; name: string }
  beforeAll(async () => {
    listing = await makeInterface()
    store = await makeShop(listing.id)
  })
  const make = async (more: object = {}) =>
    (await done('POST plugins', counting(listing.id, more))).plugin

  test('returns its definition unchanged; updates merge, null removes', async () => {
    const given = counting(listing.id)
    const made = (await done('POST plugins', given)).plugin
    const { code: _code, ...definition } = given
    const named = { id: listing.id, name: listing.name, version: '1.0.0' }
    expect(made).toMatchObject({
      ...definition,
      dependencies: { interfaces: { items: named }, integrations: {} },
      visibility: 'private',
      public: false,
    })
    expect((await done(`GET plugins/${made.id}`)).plugin).toEqual(made)
    expect((await done(`GET plugins/${made.name}/latest`)).plugin).toEqual(made)

    const changed = (
      await done(`PUT plugins/${made.id}`, {
        visibility: 'unlisted',
        configuration: null,
        states: { count: null, total: { type: 'bot', schema: object({}) } },
        events: { counted: { schema: object({}), attributes: { kind: null } } },
        actions: {
          count: {
            title: 'Count',
            input: { schema: object({}) },
            output: { schema: object({}) },
          },
        },
        user: { tags: { counter: null, other: {} } },
        attributes: { level: null },
        dependencies: {
          interfaces: { items: null },
          integrations: { store: { name: store.name, version: '^1.0.0' } },
        },
      })
    ).plugin
    expect(changed).toMatchObject({
      visibility: 'unlisted',
      configuration: { schema: object({}) },
      states: { total: { type: 'bot', schema: object({}) } },
      attributes: {},
      events: { counted: { schema: object({}), attributes: {} } },
      actions: { count: { title: 'Count' } },
      user: { tags: { other: {} } },
      dependencies: {
        interfaces: {},
        integrations: { store: { id: store.id, name: store.name, version: '1.0.0' } },
      },
    })
    expect(Object.keys(changed.states)).toEqual(['total'])
  })

  test('has code for each platform, which updates may replace separately', async () => {
    const { id } = await make({ visibility: 'unlisted' })
    const read = async (path: string, platform: string) =>
      (await done(`GET ${path}/${id}/code/${platform}`)).code
    expect([await read('plugins', 'node'), await read('hub/plugins', 'browser')]).toEqual(
      [code.node, code.browser],
    )
    await done(`PUT plugins/${id}`, { code: { browser: 'new' } })
    expect([await read('hub/plugins', 'node'), await read('plugins', 'browser')]).toEqual(
      [code.node, 'new'],
    )
    expect(await findError(`GET plugins/${id}/code/deno`)).toEqual([
      400,
      'InvalidPayload',
    ])
    expect(await findError(`GET plugins/${id}/code/node`, undefined, 'them')).toEqual([
      404,
      'ResourceNotFound',
    ])
    await done(`PUT plugins/${id}`, { visibility: 'private' })
    expect(await findError(`GET hub/plugins/${id}/code/node`)).toEqual([
      404,
      'ResourceNotFound',
    ])
    expect(
      await findError('POST plugins', {
        name: newName(),
        version: '1.0.0',
        code: { node: '' },
      }),
    ).toEqual([400, 'InvalidPayload'])
  })

  test('keeps unlisted when an update sets public to false', async () => {
    const { id } = await make({ visibility: 'unlisted' })
    expect((await done(`PUT plugins/${id}`, { public: false })).plugin.visibility).toBe(
      'unlisted',
    )
    expect((await done(`PUT plugins/${id}`, { public: true })).plugin.visibility).toBe(
      'public',
    )
    expect((await done(`PUT plugins/${id}`, { public: false })).plugin.visibility).toBe(
      'private',
    )
  })

  test('unlisted is found in the hub by name or id, but not listed', async () => {
    const { id, name } = await make({ visibility: 'unlisted' })
    expect((await done(`GET hub/plugins/${id}`, undefined, 'them')).plugin.id).toBe(id)
    expect(
      (await done(`GET hub/plugins/${name}/1.0.0`, undefined, 'them')).plugin.id,
    ).toBe(id)
    expect(
      (await done(`GET hub/plugins?name=${name}`, undefined, 'them')).plugins,
    ).toEqual([])
    expect((await done(`GET plugins?name=${name}`)).plugins).toMatchObject([
      { id, visibility: 'unlisted', public: false, lifecycleStatus: 'published' },
    ])
  })

  test('accepts `public` of older tools, overridden by `visibility`', async () => {
    expect(await make({ public: true })).toMatchObject({
      public: true,
      visibility: 'public',
    })
    expect(await make({ public: true, visibility: 'unlisted' })).toMatchObject({
      public: false,
      visibility: 'unlisted',
    })
  })

  test.each([
    ['an unknown interface', { interfaces: { items: { id: newId('interface') } } }],
    [
      'an interface with an unknown name',
      { interfaces: { items: { name: 'nothing', version: '1.0.0' } } },
    ],
    ['an interface without a name or id', { interfaces: { items: {} } }],
    ['an unknown integration', { integrations: { store: { id: newId('integration') } } }],
    [
      'an integration named like a property of objects',
      { integrations: { store: { name: 'constructor' } } },
    ],
  ])('rejects a dependency on %s', async (_, dependencies) => {
    expect(
      await findError('POST plugins', counting(listing.id, { dependencies })),
    ).toEqual([400, 'ReferenceNotFound'])
  })

  test('depends only on packages that its workspace sees, which then stay visible', async () => {
    const theirs = await makeInterface({ name: newName('them'), public: false }, 'them')
    const through = (id: string) => findError('POST plugins', counting(id))
    expect(await through(theirs.id)).toEqual([400, 'ReferenceNotFound'])
    await done(`PUT interfaces/${theirs.id}`, { public: true }, 'them')
    const { plugin } = await done('POST plugins', counting(theirs.id))
    expect(plugin.dependencies.interfaces.items.id).toBe(theirs.id)
    expect(
      await findError(`PUT interfaces/${theirs.id}`, { public: false }, 'them'),
    ).toEqual([409, 'ReferenceConstraint'])
    await done(`DELETE plugins/${plugin.id}`)
    const { id } = await makeShop(theirs.id)
    expect(
      await findError(`PUT interfaces/${theirs.id}`, { public: false }, 'them'),
    ).toEqual([409, 'ReferenceConstraint'])
    await done(`DELETE integrations/${id}`)
    await done(`PUT interfaces/${theirs.id}`, { public: false }, 'them')
    expect(await findError('POST integrations', shop(theirs.id))).toEqual([
      400,
      'ReferenceNotFound',
    ])
  })

  test.each([
    [
      'an unknown entity of the interface',
      {
        events: {
          counted: { schema: object({ a: { $ref: 'interface:items/entities/thing' } }) },
        },
      },
    ],
    [
      'an interface that is not a dependency',
      {
        events: {
          counted: { schema: object({ a: { $ref: 'interface:others/entities/item' } }) },
        },
      },
    ],
    [
      'an entity named like a property of objects',
      {
        events: {
          counted: {
            schema: object({ a: { $ref: 'interface:items/entities/constructor' } }),
          },
        },
      },
    ],
  ])('rejects a reference to %s', async (_, more) => {
    expect(await findError('POST plugins', counting(listing.id, more))).toEqual([
      400,
      'ReferenceNotFound',
    ])
  })

  test('rejects references that expand to a huge schema', async () => {
    const large = await makeInterface({
      entities: {
        item: { schema: { ...object({ id: text }), description: 'x'.repeat(90_000) } },
      },
      events: {},
      actions: {},
    })
    const all = object(
      Object.fromEntries(
        Array.from({ length: 1_000 }, (_, i) => [`item${i}`, reference]),
      ),
    )
    expect(
      await findError(
        'POST plugins',
        counting(large.id, { events: { counted: { schema: all } } }),
      ),
    ).toEqual([400, 'InvalidJsonSchema'])
  })

  test('dereferenced, has the entities of the given integration, or else of the interface', async () => {
    const { id } = await make({ visibility: 'public' })
    const getItems = (plugin: {
      actions: {
        count: { input: { schema: { properties: { items: { items: unknown } } } } }
      }
    }) => plugin.actions.count.input.schema.properties.items.items
    const own = (await done(`GET plugins/${id}/dereferenced`)).plugin
    expect(getItems(own)).toEqual(item.schema)
    expect(own.configuration.schema.properties.first).toEqual(item.schema)
    const query = `?interfaces.items=${store.id}`
    const ofStore = (await done(`GET plugins/${id}/dereferenced${query}`)).plugin
    expect(getItems(ofStore)).toEqual(object({ id: text, price: { type: 'number' } }))
    expect(ofStore.events.counted.schema.properties.item).toEqual(
      object({ id: text, price: { type: 'number' } }),
    )
    expect({ ...ofStore, configuration: 0, events: 0, actions: 0 }).toEqual({
      ...(await done(`GET plugins/${id}`)).plugin,
      configuration: 0,
      events: 0,
      actions: 0,
    })
    const path = `plugins/${id}/dereferenced`
    // The store is private, so the hub does not find it.
    expect(await findError(`GET hub/${path}${query}`)).toEqual([400, 'ReferenceNotFound'])
    await done(`PUT integrations/${store.id}`, { visibility: 'unlisted' })
    expect((await done(`GET hub/${path}${query}`, undefined, 'them')).plugin).toEqual(
      ofStore,
    )
    await done(`PUT integrations/${store.id}`, { visibility: 'private' })
    expect(
      await findError(`GET ${path}?interfaces.items=${newId('integration')}`),
    ).toEqual([400, 'ReferenceNotFound'])
    expect(await findError(`GET ${path}?interfaces.others=${store.id}`)).toEqual([
      400,
      'ReferenceNotFound',
    ])
    const stranger = await makeShop(listing.id, { interfaces: {} })
    expect(await findError(`GET ${path}?interfaces.items=${stranger.id}`)).toEqual([
      400,
      'ReferenceNotFound',
    ])
    expect(await findError(`GET plugins/${newId('plugin')}/dereferenced`)).toEqual([
      404,
      'ResourceNotFound',
    ])
  })

  test('packages in use cannot be deleted: interfaces, plugins, integrations', async () => {
    const own = await makeInterface()
    const behind = await makeShop(own.id)
    const plugin = (
      await done(
        'POST plugins',
        counting(own.id, {
          dependencies: {
            interfaces: { items: { id: own.id } },
            integrations: { store: { id: behind.id } },
          },
        }),
      )
    ).plugin
    const { bot } = await done('POST bots', {})
    const backing = { integrationId: behind.id, integrationAlias: 'shop' }
    await done(`PUT bots/${bot.id}`, {
      integrations: { shop: { integrationId: behind.id, enabled: false } },
      plugins: {
        counter: {
          id: plugin.id,
          interfaces: { items: backing },
          integrations: { store: backing },
        },
      },
    })
    const inUse = [409, 'ReferenceConstraint']
    for (const line of [
      `DELETE interfaces/${own.id}`,
      `DELETE plugins/${plugin.id}`,
      `DELETE integrations/${behind.id}`,
    ])
      expect([line, await findError(line)]).toEqual([line, inUse])
    expect(
      await findError(`PUT bots/${bot.id}`, { integrations: { shop: null } }),
    ).toEqual(inUse)

    await done(`PUT bots/${bot.id}`, {
      integrations: { shop: null },
      plugins: { counter: null },
    })
    expect(await findError(`DELETE integrations/${behind.id}`)).toEqual(inUse)
    await done(`DELETE plugins/${plugin.id}`)
    expect(await findError(`DELETE interfaces/${own.id}`)).toEqual(inUse)
    await done(`DELETE integrations/${behind.id}`)
    await done(`DELETE interfaces/${own.id}`)
    expect(await findError(`GET interfaces/${own.id}`)).toEqual([404, 'ResourceNotFound'])
  })
})

describe('a plugin in a bot', () => {
  let listing: { id: string }
  let store: { id: string; name: string }
  let plugin: { id: string; name: string }
  let botId: string
  beforeAll(async () => {
    listing = await makeInterface()
    store = await makeShop(listing.id)
    plugin = (await done('POST plugins', counting(listing.id, { visibility: 'public' })))
      .plugin
    botId = (
      await done('POST bots', { actions: { greet: action }, user: { tags: { vip: {} } } })
    ).bot.id
    await update({
      integrations: {
        shop: { integrationId: store.id, enabled: false },
        second: { integrationId: store.id, enabled: false },
      },
    })
  })
  const action = { input: { schema: object({}) }, output: { schema: object({}) } }
  const update = async (body: object) => (await done(`PUT bots/${botId}`, body)).bot
  const items = (integrationAlias: string) => ({
    items: { integrationId: store.id, integrationAlias },
  })
  const installed = (more: object = {}) => ({
    id: plugin.id,
    configuration: { start: 1 },
    interfaces: items('shop'),
    ...more,
  })

  test("adds its definitions to the bot's, prefixed with its alias", async () => {
    const bot = await update({
      plugins: {
        counter: installed({
          name: 'whatever',
          implementation: { type: 'Buffer', data: [1] },
        }),
      },
    })
    expect(bot.plugins).toEqual({
      counter: {
        id: plugin.id,
        name: plugin.name,
        version: '1.0.0',
        enabled: true,
        configuration: { start: 1 },
        integrations: {},
        interfaces: {
          items: {
            integrationId: store.id,
            integrationAlias: 'shop',
            integrationInterfaceAlias: 'listable<product>',
            interfaceId: listing.id,
          },
        },
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        title: 'Counting',
        description: '',
        iconUrl: '',
        readmeUrl: '',
        public: true,
        visibility: 'public',
        lifecycleStatus: 'published',
      },
    })
    expect(bot.actions).toEqual({ greet: action, 'counter#count': expect.anything() })
    expect(
      bot.actions['counter#count'].input.schema.properties.items.items.properties,
    ).toEqual({
      id: text,
      price: { type: 'number' },
    })
    expect(bot.states).toEqual({
      'counter#count': {
        type: 'conversation',
        schema: object({ value: { type: 'number' } }),
        expiry: 60_000,
      },
    })
    expect(bot.events['counter#counted'].schema.properties.item.properties).toEqual({
      id: text,
      price: { type: 'number' },
    })
    expect([bot.user.tags, bot.conversation.tags, bot.message.tags]).toEqual([
      { vip: {}, 'counter#counter': { title: 'Counter' } },
      { 'counter#counted': {} },
      { 'counter#number': {} },
    ])
    expect((await done(`GET bots/${botId}`)).bot).toEqual(bot)
    const apart = (await done(`GET bots/${botId}?shouldMergePlugins=false`)).bot
    expect(apart).toEqual({
      ...bot,
      actions: { greet: action },
      states: {},
      events: {},
      user: { tags: { vip: {} } },
      conversation: { tags: {} },
      message: { tags: {} },
    })
  })

  test('keeps its definitions when a deployment sends null for them, until it is removed', async () => {
    await update({ plugins: { counter: installed() } })
    const gone = { 'counter#count': null }
    const bot = await update({
      actions: { greet: null, ...gone },
      states: gone,
      events: { 'counter#counted': null },
      user: { tags: { 'counter#counter': null, vip: null } },
    })
    expect([
      Object.keys(bot.actions),
      Object.keys(bot.states),
      Object.keys(bot.events),
      Object.keys(bot.user.tags),
    ]).toEqual([
      ['counter#count'],
      ['counter#count'],
      ['counter#counted'],
      ['counter#counter'],
    ])
    const without = await update({ plugins: { counter: null } })
    expect([
      without.plugins,
      without.actions,
      without.states,
      without.events,
      without.user.tags,
    ]).toEqual([{}, {}, {}, {}, {}])
    await update({ actions: { greet: action }, user: { tags: { vip: {} } } })
  })

  test('keeps what an update omits; disabled it adds nothing; may be installed twice', async () => {
    await update({
      plugins: {
        counter: installed(),
        again: installed({ interfaces: items('second'), configuration: { start: 2 } }),
      },
    })
    const bot = await update({ plugins: { again: { id: plugin.id, enabled: false } } })
    expect(bot.plugins.again).toMatchObject({
      enabled: false,
      configuration: { start: 2 },
      interfaces: { items: { integrationAlias: 'second' } },
    })
    expect(Object.keys(bot.actions)).toEqual(['greet', 'counter#count'])
    await update({ plugins: { again: null, counter: null } })
  })

  test('keeps its definitions until the next deployment, even if the plugin changes', async () => {
    const changing = (await done('POST plugins', counting(listing.id))).plugin
    const plugins = { changing: { id: changing.id, interfaces: items('shop') } }
    const before = await update({ plugins })
    await done(`PUT plugins/${changing.id}`, {
      actions: { count: null },
      dependencies: { interfaces: { more: { id: listing.id } } },
    })
    expect(
      (await update({ integrations: { second: { enabled: false } } })).actions,
    ).toEqual(before.actions)
    expect(await findError(`PUT bots/${botId}`, { plugins })).toEqual([
      400,
      'ReferenceNotFound',
    ])
    const both = { ...items('shop'), more: { integrationId: store.id } }
    expect(
      Object.keys(
        (await update({ plugins: { changing: { id: changing.id, interfaces: both } } }))
          .actions,
      ),
    ).toEqual(['greet'])
    await update({ plugins: { changing: null } })
  })

  test('uses the entities of a new version of the integration behind it', async () => {
    await update({ plugins: { counter: installed() } })
    const next = await makeShop(listing.id, {
      name: store.name,
      version: '2.0.0',
      entities: { product: { schema: object({ id: text, colour: text }) } },
    })
    const bot = await update({ integrations: { shop: { integrationId: next.id } } })
    expect(bot.plugins.counter.interfaces.items.integrationId).toBe(next.id)
    expect(
      bot.actions['counter#count'].input.schema.properties.items.items.properties,
    ).toEqual({
      id: text,
      colour: text,
    })
    await update({
      integrations: { shop: { integrationId: store.id } },
      plugins: { counter: null },
    })
  })

  test.each([
    ['an unknown plugin', { counter: { id: newId('plugin') } }, 400, 'ReferenceNotFound'],
    [
      'a plugin without an integration for its interface',
      { counter: (id: string) => ({ id }) },
      400,
      'ReferenceNotFound',
    ],
    [
      'an integration that is not installed',
      { counter: (id: string) => ({ id, interfaces: items('nothing') }) },
      400,
      'ReferenceNotFound',
    ],
    [
      'an integration without the interface',
      { counter: (id: string) => ({ id, interfaces: items('chat') }) },
      400,
      'ReferenceNotFound',
    ],
    [
      'an invalid configuration',
      {
        counter: (id: string) => ({
          id,
          interfaces: items('shop'),
          configuration: { start: 'x' },
        }),
      },
      400,
      'InvalidDataFormat',
    ],
    [
      'a configuration that is too large',
      {
        counter: (id: string) => ({
          id,
          interfaces: items('shop'),
          configuration: { x: 'x'.repeat(20_001) },
        }),
      },
      413,
      'LimitExceeded',
    ],
    [
      'an alias with a hash',
      { 'a#b': (id: string) => ({ id, interfaces: items('shop') }) },
      400,
      'InvalidIdentifier',
    ],
    [
      'an alias with a colon',
      { 'a:b': (id: string) => ({ id, interfaces: items('shop') }) },
      400,
      'InvalidIdentifier',
    ],
    [
      'an empty alias',
      { '': (id: string) => ({ id, interfaces: items('shop') }) },
      400,
      'InvalidIdentifier',
    ],
  ])('rejects %s without any change', async (_, plugins, status, type) => {
    const body = Object.fromEntries(
      Object.entries(plugins).map(([alias, one]) => [
        alias,
        typeof one === 'function' ? one(plugin.id) : one,
      ]),
    )
    expect(
      await findError(`PUT bots/${botId}`, { description: 'changed', plugins: body }),
    ).toEqual([status, type])
    const { bot } = await done(`GET bots/${botId}`)
    expect([bot.plugins, bot.description]).toEqual([{}, undefined])
  })

  test('other workspaces may install it unless private; it stays visible while they use it', async () => {
    const { bot } = await done('POST bots', {}, 'them')
    const hidden = (
      await done('POST plugins', {
        name: newName(),
        version: '1.0.0',
        code,
        events: { made: { schema: {} } },
      })
    ).plugin
    const install = { plugins: { ours: { id: hidden.id } } }
    expect(await findError(`PUT bots/${bot.id}`, install, 'them')).toEqual([
      400,
      'ReferenceNotFound',
    ])
    await done(`PUT plugins/${hidden.id}`, { visibility: 'unlisted' })
    expect(
      Object.keys((await done(`PUT bots/${bot.id}`, install, 'them')).bot.events),
    ).toEqual(['ours#made'])
    expect(
      await findError(`PUT plugins/${hidden.id}`, { visibility: 'private' }),
    ).toEqual([409, 'ReferenceConstraint'])
    expect(await findError(`DELETE plugins/${hidden.id}`)).toEqual([
      409,
      'ReferenceConstraint',
    ])
    await done(`DELETE bots/${bot.id}`, undefined, 'them')
    await done(`PUT plugins/${hidden.id}`, { visibility: 'private' })
    await done(`DELETE plugins/${hidden.id}`)
  })
})

test('creating a use and deleting the package at the same time: one of both fails', async () => {
  const { bot } = await done('POST bots', {})
  for (let turn = 0; turn < 4; turn++) {
    const listing = await makeInterface()
    const plugin = await makePlugin()
    const race = async (use: [string, object], remove: string) => {
      const [used, removed] = await Promise.all([call(...use), call(remove)])
      expect(
        [
          [200, 409],
          [400, 200],
        ],
        JSON.stringify([used.body, removed.body]),
      ).toContainEqual([used.status, removed.status])
    }
    await race(
      [`PUT bots/${bot.id}`, { plugins: { [`alias${turn}`]: { id: plugin.id } } }],
      `DELETE plugins/${plugin.id}`,
    )
    await race(['POST plugins', counting(listing.id)], `DELETE interfaces/${listing.id}`)
    const other = await makeInterface()
    await race(['POST integrations', shop(other.id)], `DELETE interfaces/${other.id}`)
  }
})

test('deleting a workspace deletes all its packages, whatever refers to them', async () => {
  const { db } = scene.app.services
  const { id } = await done('POST workspaces', { name: 'Short' })
  const before = headers.us
  headers.us = { ...before, 'x-workspace-id': id }
  await done(`PUT workspaces/${id}`, { handle: 'short' })
  const listing = await makeInterface({ name: 'short/listing' })
  const { id: integrationId } = await makeShop(listing.id, { name: 'short/shop' })
  const dependencies = {
    interfaces: { items: { id: listing.id } },
    integrations: { store: { id: integrationId } },
  }
  const { plugin } = await done(
    'POST plugins',
    counting(listing.id, { name: 'short/counting', dependencies }),
  )
  const { bot } = await done('POST bots', {})
  const backing = { integrationId, integrationAlias: 'shop' }
  const plugins = {
    counter: {
      id: plugin.id,
      interfaces: { items: backing },
      integrations: { store: backing },
    },
  }
  await done(`PUT bots/${bot.id}`, {
    integrations: { shop: { integrationId, enabled: false } },
    plugins,
  })
  headers.us = before
  await sql`delete from workspace where id = ${id}`.execute(db)
  for (const table of [
    'interface',
    'plugin',
    'plugin_dependency',
    'package_line',
  ] as const) {
    expect([
      table,
      await db
        .selectFrom(table)
        .select('workspace_id')
        .where('workspace_id', '=', id)
        .execute(),
    ]).toEqual([table, []])
  }
  expect(
    await db
      .selectFrom('bot_plugin')
      .select('alias')
      .where('bot_id', '=', bot.id)
      .execute(),
  ).toEqual([])
})
