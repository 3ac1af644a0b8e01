// Integrations: registration, versions, visibility, lists and keys.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { createToken } from '../../accounts/tokens.ts'
import { findIntegrationCode } from './integration-code.ts'
import { findSecrets, findSigningSecrets } from './integration-secrets.ts'

let scene: Scene
/** Another workspace of other people, with the handle `acme`. */
let acme: Record<string, string>

const path = '/v1/admin/integrations'
const hub = '/v1/admin/hub/integrations'
type Body = Record<string, unknown>
const send = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: Body,
  headers = scene.admin,
) => scene.call(method, url, { headers, body })
/** Sends a request that must succeed, and returns the body. */
async function good(...given: Parameters<typeof send>) {
  const { status, body } = await send(...given)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const create = async (body: Body, headers = scene.admin) =>
  (await good('POST', path, body, headers)).integration
const update = async (id: string, body: Body, headers = scene.admin) =>
  (await good('PUT', `${path}/${id}`, body, headers)).integration
const get = async (id: string, headers = scene.admin) =>
  (await good('GET', `${path}/${id}`, undefined, headers)).integration
const base64 = (text: string) => Buffer.from(text).toString('base64')
let counter = 0
const newName = () => `pack${++counter}`

beforeAll(async () => {
  scene = await openScene({ config: { publicUrl: 'https://bots.example.org' } })
  const account = { authorization: await strangerToken() }
  const { body: workspace } = await send(
    'POST',
    '/v1/admin/workspaces',
    { name: 'Acme' },
    account,
  )
  acme = { ...account, 'x-workspace-id': workspace.id }
  await send('PUT', `/v1/admin/workspaces/${workspace.id}`, { handle: 'acme' }, acme)
}, 60_000)
afterAll(() => scene?.close())

async function strangerToken() {
  const { db } = scene.app.services
  const accountId = 'accnt_01J00000000000000000STRANGE'
  await db
    .insertInto('account')
    .values({ id: accountId, email: 'stranger@example.org' })
    .execute()
  const { value } = await createToken(db, { kind: 'pat', accountId }, '')
  return `Bearer ${value}`
}

const schema = {
  type: 'object',
  properties: { b: { type: 'string', 'x-zui': { title: 'B' } }, a: {} },
  'x-zui': {},
}

/** As the official command line sends one, with fields that the server does not know. */
const whole = {
  version: '1.2.3',
  title: 'Weather',
  description: 'Rain and shine',
  url: 'https://weather.example.org/invoke',
  sdkVersion: '5.4.3',
  layers: ['one'],
  identifier: { extractScript: '.id', fallbackHandlerScript: '.fallback' },
  sandbox: { identifierExtractScript: '.s' },
  configuration: {
    schema,
    identifier: { required: true, linkTemplateScript: '"a"' },
    ui: {},
  },
  configurations: { oauth: { title: 'OAuth', schema } },
  channels: {
    dm: {
      title: 'DM',
      messages: { text: { schema, more: 1 } },
      conversation: { tags: { room: { title: 'Room' } } },
      message: { tags: { mid: {}, constructor: {} } },
    },
    bare: { messages: {} },
  },
  states: { memory: { type: 'integration', schema } },
  events: { rain: { title: 'Rain', schema, attributes: { a: 'b' }, ui: {} } },
  actions: {
    look: { input: { schema }, output: { schema }, billable: true, cacheable: true },
  },
  user: { tags: { uid: {} }, creation: { enabled: true, requiredTags: ['uid'] } },
  entities: { cloud: { title: 'Cloud', schema } },
  attributes: { category: 'sky' },
  extraOperations: { message_updated: { enabled: true } },
  secrets: { KEY: 'hidden-value' },
  unknown: { a: 1 },
}
const creation = { enabled: false, requiredTags: [] }

describe('registration', () => {
  test('stores all fields and returns them', async () => {
    const name = newName()
    const made = await create({ ...whole, name, code: 'exports.handler = 1' })
    expect(made).toMatchObject({
      name,
      version: '1.2.3',
      title: 'Weather',
      description: 'Rain and shine',
      url: whole.url,
      dev: false,
      visibility: 'private',
      public: false,
      verificationStatus: 'approved',
      lifecycleStatus: 'published',
      secrets: ['KEY'],
      identifier: whole.identifier,
      sandbox: whole.sandbox,
      attributes: whole.attributes,
      states: whole.states,
      entities: whole.entities,
      user: whole.user,
      actions: whole.actions,
      iconUrl: '',
      readmeUrl: '',
    })
    expect(made.configuration).toEqual({
      schema,
      identifier: whole.configuration.identifier,
    })
    expect(made.configurations).toEqual({
      oauth: { title: 'OAuth', schema, identifier: { required: false } },
    })
    expect(made.events).toEqual({
      rain: { title: 'Rain', schema, attributes: { a: 'b' } },
    })
    expect(made.channels).toEqual({
      dm: {
        ...whole.channels.dm,
        messages: { text: { schema } },
        conversation: { tags: { room: { title: 'Room' } }, creation },
      },
      bare: { messages: {}, conversation: { tags: {}, creation }, message: { tags: {} } },
    })
    expect(JSON.stringify(made)).not.toContain('hidden-value')
    expect(made.signingSecret).not.toBe('')
    expect(await get(made.id)).toEqual({ ...made, signingSecret: '' })
    expect(String(await findIntegrationCode(scene.app.services.db, made.id))).toBe(
      'exports.handler = 1',
    )
  })

  test('fills in every object that clients read', async () => {
    expect(await create({ name: newName(), version: '1.0.0' })).toMatchObject({
      title: `pack${counter}`,
      description: '',
      url: '',
      identifier: {},
      configurations: {},
      channels: {},
      states: {},
      events: {},
      actions: {},
      entities: {},
      interfaces: {},
      attributes: {},
      secrets: [],
      user: { tags: {}, creation },
      configuration: { identifier: { required: false }, schema: { type: 'object' } },
    })
  })

  test('updates by key: values replace, null removes, the rest stays', async () => {
    const { id } = await create({ ...whole, name: newName() })
    const changed = await update(id, {
      title: 'Sky',
      url: null,
      identifier: { extractScript: null },
      configuration: { identifier: { linkTemplateScript: null } },
      configurations: { oauth: null, key: { schema: {} } },
      attributes: { category: null, kind: 'x' },
      channels: {
        dm: {
          messages: { text: null, image: { schema: {} } },
          conversation: { tags: { room: null, floor: {} } },
          message: { tags: { mid: null, constructor: null } },
        },
        bare: null,
      },
      states: { memory: null },
      events: { rain: { schema: {}, attributes: { a: null, c: 'd' } } },
      actions: { look: null },
      entities: { cloud: null },
      user: { tags: { uid: null, nick: {} } },
      secrets: { KEY: null, OTHER: 'o' },
      maxExecutionTime: 30,
    })
    expect(changed).toMatchObject({
      title: 'Sky',
      description: 'Rain and shine',
      url: '',
      maxExecutionTime: 30,
      secrets: ['OTHER'],
      states: {},
      actions: {},
      entities: {},
    })
    expect(changed.identifier).toEqual({ fallbackHandlerScript: '.fallback' })
    expect(changed.configuration).toEqual({ schema, identifier: { required: true } })
    expect(changed.configurations).toEqual({
      key: { schema: {}, identifier: { required: false } },
    })
    expect(changed.attributes).toEqual({ kind: 'x' })
    expect(changed.channels).toEqual({
      dm: {
        title: 'DM',
        messages: { image: { schema: {} } },
        conversation: { tags: { floor: {} }, creation },
        message: { tags: {} },
      },
    })
    expect(changed.events).toEqual({
      rain: { title: 'Rain', schema: {}, attributes: { c: 'd' } },
    })
    expect(changed.user).toEqual({ tags: { nick: {} }, creation: whole.user.creation })
    expect(changed.sandbox).toEqual(whole.sandbox)
    expect(await get(id)).toEqual(changed)
  })

  test('keeps the keys of concurrent updates', async () => {
    const { id } = await create({ name: newName(), version: '1.0.0' })
    const names = Array.from({ length: 8 }, (_, i) => `event${i}`)
    await Promise.all(
      names.map((name) =>
        update(id, { events: { [name]: { schema: {} } }, secrets: { [name]: name } }),
      ),
    )
    const { events, secrets } = await get(id)
    expect([Object.keys(events).sort(), secrets]).toEqual([names, names])
  })

  test.each<[string, Body, number, string]>([
    ['an invalid version', { version: 'one' }, 400, 'InvalidPayload'],
    ['a version with a v', { version: 'v1.0.0' }, 400, 'InvalidPayload'],
    ['a name with spaces', { name: 'my name' }, 400, 'InvalidIdentifier'],
    ['a name with a path', { name: '../name' }, 400, 'InvalidIdentifier'],
    ['the name of another workspace', { name: 'acme/name' }, 403, 'Forbidden'],
    ['a URL that is not http', { url: 'file:///etc/passwd' }, 400, 'InvalidPayload'],
    [
      'a URL that is too long',
      { url: `https://example.org/${'a'.repeat(2000)}` },
      400,
      'InvalidPayload',
    ],
    [
      'a channel with a colon',
      { channels: { 'a:b': { messages: {} } } },
      400,
      'InvalidIdentifier',
    ],
    ['a tag of one letter', { user: { tags: { a: {} } } }, 400, 'InvalidIdentifier'],
    [
      'a tag named like a property of objects',
      { user: { tags: JSON.parse('{"__proto__":{}}') } },
      400,
      'InvalidPayload',
    ],
    [
      'an invalid name of a secret',
      { secrets: { 'A=B': 'c' } },
      400,
      'InvalidIdentifier',
    ],
    [
      'an invalid schema',
      { events: { rain: { schema: { type: 'nonsense' } } } },
      400,
      'InvalidJsonSchema',
    ],
    [
      'a schema at another URL',
      {
        actions: {
          look: { input: { schema: { $ref: 'http://127.0.0.1/s' } }, output: { schema } },
        },
      },
      400,
      'InvalidJsonSchema',
    ],
    [
      'a schema that is too large',
      {
        states: {
          memory: { type: 'user', schema: { description: 'a'.repeat(100_001) } },
        },
      },
      400,
      'InvalidJsonSchema',
    ],
    ['an icon that is not base64', { icon: '<svg>' }, 400, 'InvalidPayload'],
    [
      'an icon that is too large',
      { icon: base64('a'.repeat(1_048_577)) },
      413,
      'LimitExceeded',
    ],
    [
      'too many states',
      {
        states: Object.fromEntries(
          Array.from({ length: 1001 }, (_, i) => [
            `state${i}`,
            { type: 'user', schema: {} },
          ]),
        ),
      },
      413,
      'LimitExceeded',
    ],
    [
      'a public development version',
      { dev: true, visibility: 'public' },
      400,
      'InvalidPayload',
    ],
    [
      'the public name of a built-in one',
      { name: 'chat', visibility: 'public' },
      409,
      'AlreadyExists',
    ],
  ])('rejects %s, also in validation', async (_, body, status, type) => {
    const given = { name: 'refused', version: '1.0.0', ...body }
    for (const url of [path, `${path}/validate`])
      expect((await send('POST', url, given)).body, url).toMatchObject({
        code: status,
        type,
      })
    const [found] = (await good('GET', `${path}?name=refused`)).integrations
    expect(found).toBeUndefined()
  })

  test.each<[path: string, definition: (script: string) => Body]>([
    ['identifier.extractScript', (extractScript) => ({ identifier: { extractScript } })],
    [
      'identifier.fallbackHandlerScript',
      (script) => ({ identifier: { fallbackHandlerScript: script } }),
    ],
    [
      'sandbox.identifierExtractScript',
      (script) => ({ sandbox: { identifierExtractScript: script } }),
    ],
    [
      'sandbox.messageExtractScript',
      (script) => ({ sandbox: { messageExtractScript: script } }),
    ],
    [
      'configuration.identifier.linkTemplateScript',
      (linkTemplateScript) => ({
        configuration: { schema, identifier: { linkTemplateScript } },
      }),
    ],
    [
      'configurations.oauth.identifier.linkTemplateScript',
      (linkTemplateScript) => ({
        configurations: { oauth: { schema, identifier: { linkTemplateScript } } },
      }),
    ],
  ])(
    'logs that a script does not compile; with strict, rejects it: %s',
    async (script, definition) => {
      const valid = definition('parse_json!(.body)')
      const broken = definition('"é"\nx = parse_json(.body)\nx')
      const message = expect.stringContaining(
        `\`${script}\` does not compile: line 2, column 5: unhandled fallible assignment`,
      )
      const { id } = await create({ name: newName(), version: '1.0.0', ...broken })
      const findLogged = async () =>
        (
          await good('GET', `${path}/${id}/logs?timeStart=2020-01-01T00:00:00Z`)
        ).logs.filter(({ level }: Body) => level === 'warn')
      expect(await findLogged()).toContainEqual(expect.objectContaining({ message }))
      await good('PUT', `${path}/${id}`, valid)
      const { config } = scene.app.services
      config.deployCheck = 'strict'
      try {
        for (const [method, url, body] of [
          ['POST', path, { name: newName(), version: '1.0.0', ...broken }],
          ['POST', `${path}/validate`, { name: newName(), version: '1.0.0', ...broken }],
          ['PUT', `${path}/${id}`, broken],
          ['PUT', `${path}/${id}/validate`, broken],
        ] as const)
          expect((await send(method, url, body)).body, `${method} ${url}`).toMatchObject({
            code: 400,
            type: 'InvalidPayload',
            message,
          })
      } finally {
        config.deployCheck = 'report'
      }
    },
  )

  test('deploys scripts with warnings, and logs these for its authors at each deployment', async () => {
    const warned = { identifier: { extractScript: 'x = 1\n.body ?? "none"' } }
    const { id } = await create({ name: newName(), version: '1.0.0', ...warned })
    const toLines = async (): Promise<Body[]> =>
      (await good('GET', `${path}/${id}/logs?timeStart=2020-01-01T00:00:00Z`)).logs
    const expected = [
      "line 2, column 1: unnecessary error coalescing operation (this expression can't fail)",
      'line 1, column 1: unused variable `x` (help: use the result of this expression or remove it)',
    ].map((warning) =>
      expect.objectContaining({
        level: 'warn',
        message: `\`identifier.extractScript\`, ${warning}`,
      }),
    )
    expect(await toLines()).toHaveLength(2)
    expect(await toLines()).toEqual(expect.arrayContaining(expected))
    expect(await good('PUT', `${path}/${id}/validate`, warned)).toEqual({})
    expect(await toLines()).toHaveLength(2)
    await good('PUT', `${path}/${id}`, warned)
    expect(await toLines()).toHaveLength(4)
    await good('PUT', `${path}/${id}`, { title: 'Other' })
    expect(await toLines()).toHaveLength(4)
  })

  test('answers other requests while it checks many schemas', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [
        `field${i}`,
        { type: 'string', 'x-zui': { title: 'Field' } },
      ]),
    )
    const events = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [
        `event${i}`,
        { schema: { ...schema, properties } },
      ]),
    )
    const [many, other] = await Promise.all([
      send('POST', path, { name: newName(), version: '1.0.0', events }),
      send('GET', `${path}?limit=1`),
    ])
    expect([many.status, other.status]).toEqual([200, 200])
  })

  test('validation changes nothing', async () => {
    const name = newName()
    expect(await good('POST', `${path}/validate`, { ...whole, name })).toEqual({})
    expect((await good('GET', `${path}?name=${name}`)).integrations).toEqual([])
    const made = await create({ ...whole, name })
    expect(
      await good('PUT', `${path}/${made.id}/validate`, {
        title: 'Other',
        channels: { dm: null },
        secrets: { KEY: null },
      }),
    ).toEqual({})
    expect(await get(made.id)).toEqual({ ...made, signingSecret: '' })
    expect(
      (await send('PUT', `${path}/${made.id}/validate`, { url: 'ftp://a' })).body,
    ).toMatchObject({
      type: 'InvalidPayload',
    })
    expect(
      (await send('POST', `${path}/validate`, { ...whole, name })).body,
    ).toMatchObject({
      code: 409,
      type: 'AlreadyExists',
    })
  })
})

describe('versions', () => {
  test('are found by number, range and latest; a number exists once', async () => {
    const name = newName()
    for (const version of ['1.0.0', '1.10.0', '1.9.0', '2.0.0-rc.1'])
      await create({ name, version })
    const found = async (wanted: string) =>
      (await send('GET', `${path}/${name}/${encodeURIComponent(wanted)}`)).body
    for (const [wanted, version] of [
      ['1.9.0', '1.9.0'],
      ['latest', '1.10.0'],
      ['^1.0.0', '1.10.0'],
      ['<1.10.0', '1.9.0'],
      ['2.0.0-rc.1', '2.0.0-rc.1'],
    ] as const)
      expect((await found(wanted)).integration.version, wanted).toBe(version)
    for (const wanted of ['3.0.0', '^2.0.0', 'nonsense', '%'])
      expect(await found(wanted), wanted).toMatchObject({
        code: 404,
        type: 'ResourceNotFound',
      })
    expect((await send('POST', path, { name, version: '1.0.0' })).body).toMatchObject({
      code: 409,
      type: 'AlreadyExists',
    })
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => send('POST', path, { name, version: '4.0.0' })),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
  })

  test('in development may have the same number, and are found by id only', async () => {
    const name = newName()
    const [one, two] = [
      await create({ name, version: '1.0.0', dev: true }),
      await create({ name, version: '1.0.0', dev: true, secrets: { A: 'b' } }),
    ]
    expect([one.dev, (await get(one.id)).secrets, (await get(two.id)).secrets]).toEqual([
      true,
      [],
      ['A'],
    ])
    expect((await send('GET', `${path}/${name}/1.0.0`)).status).toBe(404)
    expect(
      (await good('GET', `${path}?dev=true&name=${name}`)).integrations.map(
        ({ id }: { id: string }) => id,
      ),
    ).toEqual([two.id, one.id])
    expect((await good('GET', `${path}?name=${name}`)).integrations).toEqual([])
  })

  test('of one name share secrets and icon, but not the readme', async () => {
    const name = newName()
    const first = await create({
      name,
      version: '1.0.0',
      secrets: { KEY: 'one' },
      icon: base64('<svg/>'),
      readme: base64('# One'),
    })
    const second = await create({ name, version: '1.1.0', secrets: { MORE: 'two' } })
    expect([second.secrets, second.iconUrl, second.readmeUrl]).toEqual([
      ['KEY', 'MORE'],
      first.iconUrl,
      '',
    ])
    const { db, secrets } = scene.app.services
    expect(await findSecrets(db, secrets, first.id)).toEqual({ KEY: 'one', MORE: 'two' })
    await send('DELETE', `${path}/${first.id}`)
    expect(await findSecrets(db, secrets, second.id)).toEqual({ KEY: 'one', MORE: 'two' })
    await send('DELETE', `${path}/${second.id}`)
    const again = await create({ name, version: '1.0.0' })
    expect([again.secrets, again.iconUrl]).toEqual([[], ''])
    expect(
      await db
        .selectFrom('package_asset')
        .select('id')
        .where('content', '=', Buffer.from('# One'))
        .execute(),
    ).toEqual([])
  })

  test('that a bot has installed cannot be deleted', async () => {
    const { id } = await create({
      name: newName(),
      version: '1.0.0',
      url: 'http://127.0.0.1:9/',
    })
    const installed = (change: unknown) =>
      good('PUT', `/v1/admin/bots/${scene.botId}`, { integrations: { kept: change } })
    await installed({ integrationId: id, enabled: false })
    expect((await send('DELETE', `${path}/${id}`)).body).toMatchObject({
      code: 409,
      type: 'ReferenceConstraint',
    })
    await installed(null)
    expect((await send('DELETE', `${path}/${id}`)).body).toEqual({})
    expect((await send('GET', `${path}/${id}`)).body).toMatchObject({
      code: 404,
      type: 'ResourceNotFound',
    })
  })
})

describe('implemented interfaces', () => {
  const implementing = (id: string) => ({
    interfaces: { greeter: { id, actions: { greet: { name: 'look' } } } },
  })
  const publish = async (name: string, headers = scene.admin) => {
    const { status, body } = await send(
      'POST',
      '/v1/admin/interfaces',
      { name, version: '1.2.0', actions: {}, events: {}, channels: {}, entities: {} },
      headers,
    )
    expect(status, JSON.stringify(body)).toBe(200)
    return body.interface.id as string
  }

  test('are returned, and integrations are found by them', async () => {
    const id = await publish('greeter')
    const made = await create({ ...whole, name: newName(), ...implementing(id) })
    const statement = {
      id,
      name: 'greeter',
      version: '1.2.0',
      entities: {},
      actions: { greet: { name: 'look' } },
      events: {},
      channels: {},
    }
    expect(made.interfaces).toEqual({ greeter: statement })
    expect((await update(made.id, { title: 'Other' })).interfaces).toEqual({
      greeter: statement,
    })
    const found = async (query: string) =>
      (await good('GET', `${path}?${query}`)).integrations.map(
        (one: { id: string }) => one.id,
      )
    for (const query of [`interfaceId=${id}`, 'interfaceName=greeter', 'search=greet'])
      expect(await found(query), query).toEqual([made.id])
    expect((await update(made.id, { interfaces: { greeter: null } })).interfaces).toEqual(
      {},
    )
    expect(await found(`interfaceId=${id}`)).toEqual([])
  })

  test('must be public or in the same workspace', async () => {
    const theirs = await publish('acme/greeter', acme)
    for (const id of [theirs, 'ifver_01J00000000000000000000000']) {
      for (const url of [path, `${path}/validate`])
        expect(
          (await send('POST', url, { ...whole, name: newName(), ...implementing(id) }))
            .body,
          `${url} ${id}`,
        ).toMatchObject({ code: 400, type: 'ReferenceNotFound' })
    }
  })
})

test('deleting a workspace deletes its integrations', async () => {
  const { db } = scene.app.services
  const { id: workspaceId } = await good('POST', '/v1/admin/workspaces', {
    name: 'Leaving',
  })
  const headers = { ...scene.admin, 'x-workspace-id': workspaceId }
  await good('PUT', `/v1/admin/workspaces/${workspaceId}`, { handle: 'leaving' }, headers)
  const given = {
    ...whole,
    icon: base64('<svg/>'),
    readme: base64('# Bye'),
    code: 'exports.handler = 1',
    visibility: 'public',
  }
  const made = await create({ ...given, name: 'leaving/pack' }, headers)
  await create({ ...given, name: 'leaving/pack', version: '2.0.0' }, headers)
  await create(
    { ...given, name: 'leaving/draft', dev: true, visibility: 'private' },
    headers,
  )
  await good('POST', `${path}/iaks`, { integrationId: made.id }, headers)
  await good('GET', `${hub}/${made.id}`)
  const { bot } = await good('POST', '/v1/admin/bots', {}, headers)
  await good(
    'PUT',
    `/v1/admin/bots/${bot.id}`,
    { integrations: { a: { integrationId: made.id, enabled: false } } },
    headers,
  )
  await db.deleteFrom('workspace').where('id', '=', workspaceId).execute()
  const remaining = await Promise.all([
    ...(['integration', 'package_line', 'package_asset'] as const).map((table) =>
      db.selectFrom(table).select('id').where('workspace_id', '=', workspaceId).execute(),
    ),
    ...(['integration_code', 'integration_view', 'token'] as const).map((table) =>
      db
        .selectFrom(table)
        .select('integration_id')
        .where('integration_id', '=', made.id)
        .execute(),
    ),
  ])
  expect(remaining.flat()).toEqual([])
})

describe('icons and readmes', () => {
  const fetched = async (url: string) => {
    const { pathname } = new URL(url)
    const reply = await scene.app.server.inject({ method: 'GET', url: pathname })
    return { status: reply.statusCode, body: reply.body, headers: reply.headers }
  }

  test('can be fetched without a token, and are not executed by browsers', async () => {
    const script =
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    const { id, iconUrl, readmeUrl } = await create({
      name: newName(),
      version: '1.0.0',
      icon: base64(script),
      readme: base64('# Hi'),
    })
    expect(iconUrl).toMatch(/^https:\/\/bots\.example\.org\//)
    const [icon, readme] = [await fetched(iconUrl), await fetched(readmeUrl)]
    expect([icon.body, readme.body]).toEqual([script, '# Hi'])
    expect(icon.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'attachment',
    })
    for (const [name, { headers }] of Object.entries({ icon, readme }))
      expect(headers['content-security-policy'], name).toMatch(
        /^sandbox; default-src 'none'/,
      )
    expect(readme.headers['content-type']).toBe('text/markdown; charset=utf-8')

    const changed = await update(id, { icon: base64('\x89PNG'), readme: '' })
    expect([changed.iconUrl === iconUrl, changed.readmeUrl]).toEqual([false, ''])
    for (const url of [iconUrl, readmeUrl])
      expect((await fetched(url)).status, url).toBe(404)
    expect((await fetched(changed.iconUrl)).headers['content-type']).toBe(
      'application/octet-stream',
    )
  })

  test.each(['nothing', '%00', '%ff', '../../etc/passwd', '__proto__'])(
    'responds 404 or 400 for %s',
    async (id) => {
      expect([400, 404]).toContain(
        (await fetched(`http://a/packages/assets/${id}`)).status,
      )
    },
  )
})

describe('names and the hub', () => {
  test('a workspace publishes under its handle', async () => {
    for (const [name, status] of [
      ['bare', 403],
      ['other/pack', 403],
      ['acme/pack', 200],
    ] as const)
      expect(
        (await send('POST', path, { name, version: '1.0.0' }, acme)).status,
        name,
      ).toBe(status)
    expect(
      (await good('GET', `${path}/acme%2Fpack/latest`, undefined, acme)).integration.name,
    ).toBe('acme/pack')
    expect((await send('GET', `${path}/acme%2Fpack/latest`)).status).toBe(404)
  })

  test('private is visible in its workspace, unlisted by name or id, public in the hub', async () => {
    const made = await create(
      {
        name: 'acme/seen',
        version: '1.0.0',
        secrets: { A: 'b' },
        url: 'https://example.org/hidden',
      },
      acme,
    )
    const seen = async () => {
      const list = (await good('GET', `${hub}?name=acme%2Fseen`)).integrations.length
      const [byId, byName] = [
        await send('GET', `${hub}/${made.id}`),
        await send('GET', `${hub}/acme%2Fseen/^1.0.0`),
      ]
      const installed = await send('PUT', `/v1/admin/bots/${scene.botId}`, {
        integrations: { seen: { integrationId: made.id, enabled: false } },
      })
      return [list, byId.status, byName.status, installed.status]
    }
    expect(await seen()).toEqual([0, 404, 404, 400])
    await update(made.id, { visibility: 'unlisted' }, acme)
    expect(await seen()).toEqual([0, 200, 200, 200])
    await update(made.id, { public: true }, acme)
    expect(await seen()).toEqual([1, 200, 200, 200])
    const { integration } = await good('GET', `${hub}/${made.id}`)
    expect(integration).toMatchObject({
      public: true,
      ownerWorkspace: { id: acme['x-workspace-id'], handle: 'acme', name: 'Acme' },
      meta: { installs: 1, views: 4 },
    })
    expect([integration.secrets, integration.url, integration.signingSecret]).toEqual([
      [],
      '',
      '',
    ])
    expect(
      (await send('PUT', `${path}/${made.id}`, { visibility: 'private' }, acme)).body,
    ).toMatchObject({
      code: 409,
      type: 'ReferenceConstraint',
    })
    await good('PUT', `/v1/admin/bots/${scene.botId}`, { integrations: { seen: null } })
    expect((await update(made.id, { public: false }, acme)).visibility).toBe('private')
  })

  test('a published name stays with its workspace when the handle changes hands', async () => {
    await create({ name: 'acme/lasting', version: '1.0.0', visibility: 'unlisted' }, acme)
    await good(
      'PUT',
      `/v1/admin/workspaces/${acme['x-workspace-id']}`,
      { handle: 'acme-two' },
      acme,
    )
    await good('PUT', `/v1/admin/workspaces/${scene.workspaceId}`, { handle: 'acme' })
    expect(
      (
        await send('POST', path, {
          name: 'acme/lasting',
          version: '2.0.0',
          visibility: 'public',
        })
      ).body,
    ).toMatchObject({ code: 409, type: 'AlreadyExists' })
    expect(
      (await send('POST', path, { name: 'acme/lasting', version: '2.0.0' })).status,
    ).toBe(200)
    expect(
      (await send('POST', path, { name: 'acme/new', version: '1.0.0' }, acme)).status,
    ).toBe(403)
    await good('PUT', `/v1/admin/workspaces/${scene.workspaceId}`, { handle: 'first' })
    await good(
      'PUT',
      `/v1/admin/workspaces/${acme['x-workspace-id']}`,
      { handle: 'acme' },
      acme,
    )
  })

  test.each(['latest', '0.7.6', '0.99.0', '1.0.0', '^0.7.0 || >=0.9.0'])(
    'the hub has the built-in chat for the version %s',
    async (version) => {
      const { integration } = await good(
        'GET',
        `${hub}/chat/${encodeURIComponent(version)}`,
      )
      expect(integration).toMatchObject({
        name: 'chat',
        title: 'Chat',
        public: true,
        ownerWorkspace: { handle: null },
        channels: { channel: {} },
      })
      expect(Object.keys(integration.channels.channel.messages)).toContain('text')
    },
  )

  test('the hub has no built-in chat of later versions; workspaces have none', async () => {
    expect((await send('GET', `${hub}/chat/2.0.0`)).status).toBe(404)
    expect((await send('GET', `${path}/chat/latest`)).status).toBe(404)
  })

  test('rejects breaking changes of a published version, unless the client bypasses the check', async () => {
    const made = await create({ ...whole, name: newName(), visibility: 'public' })
    for (const url of [`${path}/${made.id}`, `${path}/${made.id}/validate`]) {
      const { body } = await send('PUT', url, {
        events: { rain: null },
        states: { memory: null },
      })
      expect(body, url).toMatchObject({
        code: 400,
        type: 'BreakingChanges',
        metadata: { changes: ['events.rain was removed', 'states.memory was removed'] },
      })
    }
    expect(
      (await update(made.id, { events: { snow: { schema } } })).events,
    ).toHaveProperty('rain')
    const meant = { ...scene.admin, 'x-bypass-breaking-changes-detection': 'true' }
    expect(
      Object.keys((await update(made.id, { events: { rain: null } }, meant)).events),
    ).toEqual(['snow'])
    const hidden = await create({ ...whole, name: newName() })
    expect((await update(hidden.id, { events: { rain: null } })).events).toEqual({})
  })
})

describe('lists', () => {
  const prefix = 'listed'
  let ids: Record<string, string>
  beforeAll(async () => {
    ids = {}
    for (const [name, version, more] of [
      [
        'alpha',
        '1.0.0',
        { title: 'The 100% one', actions: { sendRain: whole.actions.look } },
      ],
      ['alpha', '1.10.0', {}],
      ['alpha', '1.9.0', { visibility: 'public' }],
      ['alpha', '2.0.0-rc.1', {}],
      ['beta', '1.0.0', { visibility: 'public', description: 'says alpha' }],
      ['gamma', '0.1.0', { visibility: 'unlisted' }],
    ] as [string, string, Body][]) {
      ids[`${name} ${version}`] = (
        await create({ name: `${prefix}-${name}`, version, ...more })
      ).id
    }
    const installed = {
      integrations: {
        a: { integrationId: ids['beta 1.0.0'], enabled: false },
        b: { integrationId: ids['alpha 1.9.0'], enabled: false },
      },
    }
    await good('PUT', `/v1/admin/bots/${scene.botId}`, installed)
    await update(ids['alpha 1.0.0']!, { layers: [] })
    for (let i = 0; i < 3; i++) await good('GET', `${hub}/${ids['alpha 1.9.0']}`)
  })

  interface Listed {
    id: string
    name: string
    version: string
  }
  const toKey = ({ name, version }: Listed) =>
    `${name.replace(`${prefix}-`, '')} ${version}`
  const list = async (query: string, at = path) =>
    (await good('GET', `${at}?search=${prefix}&${query}`)).integrations.map(toKey)
  const newest = [
    'gamma 0.1.0',
    'beta 1.0.0',
    'alpha 2.0.0-rc.1',
    'alpha 1.9.0',
    'alpha 1.10.0',
    'alpha 1.0.0',
  ]

  test.each<[string, string[]]>([
    ['', newest],
    ['direction=asc', newest.toReversed()],
    ['limit=2', newest.slice(0, 2)],
    ['limit=0', newest.slice(0, 1)],
    ['sortBy=updatedAt&limit=1', ['alpha 1.0.0']],
    ['sortBy=name&limit=1', ['alpha 1.0.0']],
    ['sortBy=installCount&limit=2', ['beta 1.0.0', 'alpha 1.9.0']],
    ['sortBy=popularity&limit=2', ['alpha 1.9.0', 'beta 1.0.0']],
    ['version=latest', ['gamma 0.1.0', 'beta 1.0.0', 'alpha 1.10.0']],
    ['version=1.0.0', ['beta 1.0.0', 'alpha 1.0.0']],
    ['version=%5E1.9.0', ['alpha 1.9.0', 'alpha 1.10.0']],
    ['version=%3C1.10.0&name=listed-alpha', ['alpha 1.9.0', 'alpha 1.0.0']],
    ['version=2.0.0-rc.1', ['alpha 2.0.0-rc.1']],
    ['version=nonsense', []],
    ['visibility=public', ['beta 1.0.0', 'alpha 1.9.0']],
    ['visibility=private', ['alpha 2.0.0-rc.1', 'alpha 1.10.0', 'alpha 1.0.0']],
    ['verificationStatus=approved&limit=1', ['gamma 0.1.0']],
    ['verificationStatus=rejected', []],
    ['interfaceName=none', []],
    ['interfaceId=none', []],
    ['dev=true', []],
  ])('of a workspace: %s', async (query, expected) =>
    expect(await list(query)).toEqual(expected),
  )

  test.each<[string, string[]]>([
    ['', ['beta 1.0.0', 'alpha 1.9.0']],
    ['version=latest', ['beta 1.0.0', 'alpha 1.9.0']],
    ['name=listed-beta', ['beta 1.0.0']],
    ['sortBy=popularity', ['alpha 1.9.0', 'beta 1.0.0']],
  ])('of the hub: %s', async (query, expected) =>
    expect(await list(query, hub)).toEqual(expected),
  )

  test('by the installations of a bot, for its workspace only', async () => {
    const query = `installedByBotId=${scene.botId}`
    expect(await list(query)).toEqual(['beta 1.0.0', 'alpha 1.9.0'])
    expect(await list(query, hub)).toEqual(['beta 1.0.0', 'alpha 1.9.0'])
    expect((await good('GET', `${hub}?${query}`, undefined, acme)).integrations).toEqual(
      [],
    )
    expect((await send('GET', `${path}?${query}`, undefined, acme)).status).toBe(404)
  })

  test('searches for text without wildcards, and returns the matching fields', async () => {
    const found = async (search: string) =>
      (await good('GET', `${path}?search=${encodeURIComponent(search)}`)).integrations
    expect((await found('100%')).map(toKey)).toEqual(['alpha 1.0.0'])
    expect(await found('1_0')).toEqual([])
    expect(
      (await found('SENDRAIN')).map(({ matchedOn }: { matchedOn: object }) => matchedOn),
    ).toEqual([{ actions: ['sendRain'] }])
    expect(
      (await found('says alpha')).map(
        ({ matchedOn }: { matchedOn: object }) => matchedOn,
      ),
    ).toEqual([{ description: true }])
    expect((await found('listed-alpha'))[0].matchedOn).toMatchObject({ name: true })
  })

  test.each(['createdAt', 'updatedAt', 'name', 'installCount', 'popularity'])(
    'return each item once in pages, sorted by %s',
    async (sortBy) => {
      for (const direction of ['asc', 'desc']) {
        const seen: string[] = []
        for (let token = ''; ; ) {
          const page = await good(
            'GET',
            `${path}?search=${prefix}&limit=4&sortBy=${sortBy}&direction=${direction}&nextToken=${token}`,
          )
          seen.push(...page.integrations.map(toKey))
          if (!page.meta.nextToken) break
          token = page.meta.nextToken
        }
        expect(seen.toSorted(), direction).toEqual(newest.toSorted())
        expect(seen, direction).toEqual(
          await list(`sortBy=${sortBy}&direction=${direction}`),
        )
      }
    },
  )
})

describe('keys and signing secrets', () => {
  test('a key works only for bots that have the integration installed', async () => {
    const { id } = await create({ ...whole, name: newName(), url: 'http://127.0.0.1:9/' })
    const key = await good('POST', `${path}/iaks`, { integrationId: id, note: 'mine' })
    expect((await good('GET', `${path}/iaks?integrationId=${id}`)).iaks).toEqual([
      { id: key.id, createdAt: key.createdAt, note: 'mine' },
    ])
    const use = () =>
      send('GET', '/v1/chat/users', undefined, {
        authorization: `Bearer ${key.value}`,
        'x-bot-id': scene.botId,
      })
    expect((await use()).status).toBe(403)
    const configuration = { integrationId: id, enabled: true, configuration: {} }
    await good('PUT', `/v1/admin/bots/${scene.botId}`, {
      integrations: { keyed: configuration },
    })
    expect((await use()).status).toBe(200)
    await good('DELETE', `${path}/iaks/${key.id}`)
    expect((await use()).status).toBe(401)
    expect((await send('DELETE', `${path}/iaks/${key.id}`)).status).toBe(404)
  })

  test('are deleted with their integration', async () => {
    const { id } = await create({ name: newName(), version: '1.0.0' })
    const { value } = await good('POST', `${path}/iaks`, { integrationId: id })
    const use = () =>
      send('GET', '/v1/chat/users', undefined, {
        authorization: `Bearer ${value}`,
        'x-bot-id': scene.botId,
      })
    expect((await use()).status).toBe(403)
    await good('DELETE', `${path}/${id}`)
    expect((await use()).status).toBe(401)
  })

  test('a new signing secret is shown once, and the previous one stays valid for a day', async () => {
    const { id, signingSecret } = await create({ name: newName(), version: '1.0.0' })
    const { db, secrets } = scene.app.services
    expect(await findSigningSecrets(db, secrets, id)).toEqual([signingSecret])
    const { newSigningSecret } = await good(
      'POST',
      `${path}/${id}/signing-secrets/rotate`,
      {},
    )
    expect(await findSigningSecrets(db, secrets, id)).toEqual([
      newSigningSecret,
      signingSecret,
    ])
    const { newSigningSecret: newest } = await good(
      'POST',
      `${path}/${id}/signing-secrets/rotate`,
      {},
    )
    expect(await findSigningSecrets(db, secrets, id)).toEqual([newest, newSigningSecret])
    await db
      .updateTable('integration')
      .set({ previous_signing_until: new Date(0) })
      .where('id', '=', id)
      .execute()
    expect(await findSigningSecrets(db, secrets, id)).toEqual([newest])
    expect((await get(id)).signingSecret).toBe('')
  })
})
