// Allowed addresses of requests that the server makes for a workspace: bots and integrations at a
// URL, and webhooks of the chat.
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseReach } from '@botstead/lib'
import { sql } from 'kysely'
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { WebSocket } from 'ws'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { html, openWebsite } from '../../../test/support/website.ts'
import { createToken } from '../accounts/tokens.ts'
import { createWorkspace, updateWorkspace } from '../accounts/workspaces.ts'

/** The only address that other workspaces may reach in this test. It stands for a public one. */
const allowed = '127.0.0.2'
let scene: Scene
let base: string
let inside: Server
let outside: Server
let port: number
let insideRequests: string[] = []
let outsideRequests: string[] = []
let answer: { status: number; headers: Record<string, string> }
let addresses: string[]
let lookups = 0

beforeAll(async () => {
  scene = await openScene({
    config: { urlNetwork: parseReach(allowed)! },
    lookUp: async () => {
      const address = addresses[Math.min(lookups++, addresses.length - 1)]!
      return [{ address, family: address.includes(':') ? 6 : 4 }]
    },
  })
  base = await scene.listen()
  inside = createServer((request, reply) => {
    insideRequests.push(request.url!)
    reply.end('{"output":{"secret":"inside"}}')
  })
  outside = createServer((request, reply) => {
    outsideRequests.push(request.url!)
    reply
      .writeHead(answer.status, { connection: 'close', ...answer.headers })
      .end('{"output":{}}')
  })
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  port = (inside.address() as AddressInfo).port
  await new Promise<void>((resolve) => outside.listen(port, allowed, resolve))
}, 60_000)
beforeEach(() => {
  insideRequests = []
  outsideRequests = []
  answer = { status: 200, headers: {} }
  addresses = ['127.0.0.1']
  lookups = 0
})
afterAll(async () => {
  await scene?.close()
  for (const server of [inside, outside]) {
    server?.closeAllConnections()
    server?.close()
  }
})

interface Workspace {
  id: string
  /** Prefix of the names of its integrations. */
  prefix: string
  headers: Record<string, string>
  asBot: (botId: string) => Record<string, string>
}

async function newWorkspace(): Promise<Workspace> {
  const { db } = scene.app.services
  const accountId = randomUUID()
  await db
    .insertInto('account')
    .values({
      id: accountId,
      email: `${accountId}@example.org`,
      name: null,
      picture_url: null,
    })
    .execute()
  const { id } = await createWorkspace(db, accountId, 'other')
  const handle = newName()
  await updateWorkspace(db, id, { handle, profile: {} })
  const { value } = await createToken(db, { kind: 'pat', accountId }, '')
  const authorization = `Bearer ${value}`
  return {
    id,
    prefix: `${handle}/`,
    headers: { authorization, 'x-workspace-id': id, 'x-multiple-integrations': 'true' },
    asBot: (botId) => ({ authorization, 'x-bot-id': botId }),
  }
}
const owners = (): Workspace => ({
  id: scene.workspaceId,
  prefix: '',
  headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
  asBot: (botId) => ({ ...scene.asBot, 'x-bot-id': botId }),
})

const newName = () => `urls${randomUUID().replaceAll('-', '')}`
const create = (of: Workspace, kind: 'bots' | 'integrations', body: object) =>
  scene.call('POST', `/v1/admin/${kind}`, {
    headers: of.headers,
    body:
      kind === 'bots' ? body : { name: of.prefix + newName(), version: '1.0.0', ...body },
  })
/** Creates a bot without the checks of the API, as if its name had another address later. */
async function newBot(of: Workspace, url: string): Promise<string> {
  const { body } = await create(of, 'bots', { actions: { look: action } })
  await move(body.bot.id, url)
  return body.bot.id
}
async function move(botId: string, url: string) {
  await sql`update bot set url = ${url} where id = ${botId}`.execute(
    scene.app.services.db,
  )
  await scene.app.services.invalidate({ botId })
}
const object = { type: 'object', properties: {}, additionalProperties: true }
const action = { input: { schema: object }, output: { schema: object } }
const look = (of: Workspace, botId: string, type = 'look') =>
  scene.call('POST', '/v1/chat/actions', {
    headers: of.asBot(botId),
    body: { type, input: {} },
  })
const at = (host: string, path = '/') => `http://${host}:${port}${path}`

const literals = () => [
  at('127.0.0.1'),
  at('127.1'),
  at('2130706433'),
  at('0x7f.1'),
  at('0177.0.0.1'),
  at('127.0.0.1.'),
  at('%31%32%37.0.0.1'),
  at('１２７.０.０.１'),
  at('localhost'),
  at('LOCALHOST.'),
  at('bot.localhost'),
  at('[::1]'),
  at('[::ffff:127.0.0.1]'),
  at('[::ffff:7f00:1]'),
  at('[64:ff9b::7f00:1]'),
  at('[2002:7f00:1::]'),
  at('0.0.0.0'),
  at('[::]'),
  'http://10.0.0.1/',
  'https://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://100.64.0.1/',
]

describe('when a URL is set', () => {
  test('rejects forbidden addresses of other workspaces in every operation with a URL', async () => {
    const other = await newWorkspace()
    const bot = (await create(other, 'bots', {})).body.bot
    const made = await create(other, 'integrations', { url: 'https://example.org/' })
    expect(made.status).toBe(200)
    const { integration } = made.body
    for (const url of literals())
      expect([url, (await create(other, 'bots', { url })).status]).toEqual([url, 400])
    for (const url of [
      at('0x7f.1'),
      at('[::ffff:127.0.0.1]'),
      'http://169.254.169.254/',
    ]) {
      const put = (path: string, body: object) =>
        scene.call('PUT', `/v1/admin/${path}`, { headers: other.headers, body })
      const answers = await Promise.all([
        create(other, 'bots', { url }),
        put(`bots/${bot.id}`, { url }),
        create(other, 'integrations', { url }),
        put(`integrations/${integration.id}`, { url }),
        scene.call('POST', '/v1/admin/integrations/validate', {
          headers: other.headers,
          body: { name: other.prefix + newName(), version: '1.0.0', url },
        }),
        put(`integrations/${integration.id}/validate`, { url }),
        put(`bots/${bot.id}`, {
          integrations: {
            chat: {
              integrationId: getChatId(bot),
              enabled: true,
              configuration: { webhookUrl: url },
            },
          },
        }),
      ])
      for (const { status, body } of answers) {
        expect([url, status, body.type]).toEqual([url, 400, 'InvalidPayload'])
        expect(body.message).toMatch(
          /(`url`|webhookUrl`).* address.*BOTSTEAD_URL_NETWORK/,
        )
      }
    }
  }, 60_000)

  test.each([
    'http://user:secret@example.org/',
    'http://user@example.org/',
    'http+unix://%2Frun%2Fx.sock/',
    'file:///etc/passwd',
    'ftp://example.org/',
  ])('rejects %s for every workspace', async (url) => {
    for (const of of [owners(), await newWorkspace()])
      for (const kind of ['bots', 'integrations'] as const) {
        const { status, body } = await create(of, kind, { url })
        expect([status, body.type, body.message]).toEqual([
          400,
          'InvalidPayload',
          expect.stringMatching(/^`url` must/),
        ])
        expect(body.message).not.toContain('secret')
      }
  })

  test("owners' workspaces may use this machine and private networks, but no metadata service", async () => {
    for (const url of [at('127.0.0.1'), at('localhost'), at('[::1]'), 'http://10.0.0.1/'])
      expect((await create(owners(), 'integrations', { url })).status, url).toBe(200)
    for (const url of [
      'http://169.254.169.254/',
      'http://[fd00:ec2::254]/',
      at('0.0.0.0'),
    ])
      expect((await create(owners(), 'integrations', { url })).status, url).toBe(400)
  })
})

const getChatId = (bot: { integrations: { chat: { id: string } } }) =>
  bot.integrations.chat.id

describe('when a URL is called', () => {
  test('does not connect to a forbidden literal address, even if it was stored', async () => {
    const other = await newWorkspace()
    const botId = await newBot(other, '')
    for (const url of [...literals(), at('user:secret@127.0.0.2'), 'ftp://127.0.0.2/']) {
      await move(botId, url)
      const { status, body } = await look(other, botId)
      expect([url, status, body.type, body.message]).toEqual([
        url,
        400,
        'Runtime',
        'The URL leads to an address that this server does not connect to',
      ])
    }
    expect(insideRequests).toEqual([])
  }, 60_000)

  test('does not connect to a name with a private address, and logs the reason', async () => {
    const other = await newWorkspace()
    const botId = await newBot(other, at('inside.example'))
    expect((await look(other, botId)).status).toBe(400)
    expect(insideRequests).toEqual([])
    const reason =
      'The server does not connect to "inside.example" for this workspace: it is a loopback address.' +
      ' Use another address, or ask the operator to allow this one (BOTSTEAD_URL_NETWORK).'
    const { db } = scene.app.services
    await expect
      .poll(() =>
        db.selectFrom('bot_log').select('message').where('bot_id', '=', botId).execute(),
      )
      .toContainEqual({ message: reason })
    await expect
      .poll(() =>
        db.selectFrom('issue').select('code').where('bot_id', '=', botId).execute(),
      )
      .toContainEqual({ code: 'url_not_allowed' })
  })

  test('checks a name at each call, and connects to the checked address', async () => {
    const other = await newWorkspace()
    const botId = await newBot(other, at('rebinding.example'))
    addresses = [allowed, '127.0.0.1']
    expect((await look(other, botId)).status).toBe(200)
    expect([lookups, outsideRequests.length]).toEqual([1, 1])
    expect((await look(other, botId)).status).toBe(400)
    expect([lookups, insideRequests]).toEqual([2, []])
  })

  test('does not follow redirects', async () => {
    const other = await newWorkspace()
    answer = { status: 302, headers: { location: at('127.0.0.1') } }
    expect((await look(other, await newBot(other, at(allowed)))).status).toBe(400)
    expect([outsideRequests.length, insideRequests]).toEqual([1, []])
  })

  test("an owners' workspace reaches this machine; its connection is not shared with others", async () => {
    const url = at('127.0.0.1', '/bot')
    const mine = await newBot(owners(), url)
    expect((await look(owners(), mine)).body).toMatchObject({
      output: { secret: 'inside' },
    })
    expect(insideRequests).toEqual(['/bot'])
    const other = await newWorkspace()
    expect((await look(other, await newBot(other, url))).status).toBe(400)
    expect((await look(owners(), mine)).status).toBe(200)
    expect(insideRequests).toEqual(['/bot', '/bot'])
  })

  test('a workspace does not become trusted by adding an owner of the installation', async () => {
    const other = await newWorkspace()
    const url = at('127.0.0.1')
    const botId = await newBot(other, url)
    const { db } = scene.app.services
    await db
      .updateTable('account')
      .set({ email: 'owner@example.org' })
      .where('id', '=', scene.accountId)
      .execute()
    const { status } = await scene.call('POST', '/v1/admin/workspace-members', {
      headers: other.headers,
      body: { email: 'owner@example.org', role: 'owner' },
    })
    expect(status).toBeLessThan(300)
    expect((await look(other, botId)).status).toBe(400)
    // An owner who adds themselves does count.
    await scene.call('PUT', `/v1/admin/workspace-members/${scene.accountId}`, {
      headers: { ...scene.admin, 'x-workspace-id': other.id },
      body: { role: 'owner' },
    })
    expect((await look(other, botId)).status).toBe(200)
  })

  test('an integration follows the rules of its own workspace, wherever it is installed', async () => {
    const other = await newWorkspace()
    const made = await create(other, 'integrations', {
      url: 'https://example.org/',
      actions: { look: action },
    })
    const integrationId = made.body.integration.id
    await sql`update integration set url = ${at('inside.example')} where id = ${integrationId}`.execute(
      scene.app.services.db,
    )
    const bot = (await create(other, 'bots', {})).body.bot
    const { body } = await scene.call('PUT', `/v1/admin/bots/${bot.id}`, {
      headers: other.headers,
      body: { integrations: { tool: { integrationId, enabled: true } } },
    })
    expect(body.bot.integrations.tool).toMatchObject({
      status: 'registration_failed',
      statusReason: 'The URL leads to an address that this server does not connect to',
    })
    const webhook = await fetch(
      `${base}/webhooks/${body.bot.integrations.tool.webhookId}`,
      {
        method: 'POST',
      },
    )
    const text = await webhook.text()
    expect([webhook.status, JSON.parse(text).type]).toEqual([503, 'Unavailable'])
    expect(text).not.toMatch(/inside|loopback|BOTSTEAD/)
    expect((await look(other, bot.id, 'tool:look')).status).toBe(400)
    expect(insideRequests).toEqual([])
    await expect
      .poll(() =>
        scene.app.services.db
          .selectFrom('integration_log')
          .select('message')
          .where('integration_id', '=', integrationId)
          .execute(),
      )
      .toContainEqual({
        message: expect.stringContaining(
          '"inside.example" for this workspace: it is a loopback',
        ),
      })
  })

  test('does not deliver events and chat webhooks to a private address', async () => {
    const other = await newWorkspace()
    const botId = await newBot(other, at('inside.example'))
    const { body } = await scene.call('PUT', `/v1/admin/bots/${botId}`, {
      headers: other.headers,
      body: {
        integrations: {
          chat: {
            integrationId: getChatId(
              (
                await scene.call('GET', `/v1/admin/bots/${botId}`, {
                  headers: other.headers,
                })
              ).body.bot,
            ),
            enabled: true,
            configuration: { webhookUrl: at('inside.example', '/chat') },
          },
        },
      },
    })
    const chat = `/chat/${body.bot.integrations.chat.webhookId}`
    const { key } = (await scene.call('POST', `${chat}/users`, { body: {} })).body
    const headers = { 'x-user-key': key }
    const { conversation } = (
      await scene.call('POST', `${chat}/conversations`, { headers, body: {} })
    ).body
    await scene.call('POST', `${chat}/messages`, {
      headers,
      body: { conversationId: conversation.id, payload: { type: 'text', text: 'hello' } },
    })
    const { db } = scene.app.services
    const logged = () =>
      db.selectFrom('bot_log').select('message').where('bot_id', '=', botId).execute()
    await expect.poll(logged).toContainEqual({
      message: expect.stringMatching(/chat webhook: .*"inside.example".*loopback/),
    })
    await expect
      .poll(() =>
        db
          .selectFrom('delivery')
          .select('dead_at')
          .where('bot_id', '=', botId)
          .where('dead_at', 'is not', null)
          .execute(),
      )
      .not.toEqual([])
    expect(insideRequests).toEqual([])
  })

  test('reads no page of a knowledge base at a private address, also after a redirect', async () => {
    const other = await newWorkspace()
    const headers = other.asBot((await create(other, 'bots', {})).body.bot.id)
    const on = (method: 'GET' | 'POST', path: string, body?: object) =>
      scene.call(method, path, { headers, body })
    const bases = await on('POST', '/v1/files/knowledge-bases', { name: 'k' })
    const knowledgeBaseId = bases.body.knowledgeBase.id
    const path = '/v1/platform/knowledge-sources'
    const add = (url: string, type = 'page') =>
      on('POST', path, { knowledgeBaseId, type, url })
    const findPage = async (url: string) => {
      const { id } = (await add(url)).body.source
      return vi.waitFor(async () => {
        const [page] = (await on('GET', `${path}/${id}/pages`)).body.pages
        expect(page.status).not.toBe('pending')
        return page
      })
    }
    const site = await openWebsite({ '/page': html('t', 'text') }, allowed)
    onTestFinished(() => site.close())
    const secret = `http://127.0.0.1:${port}/secret`
    for (const [name, location] of [
      ['/literal', secret],
      ['/named', `http://inside.example:${port}/secret`],
      ['/short', `http://127.1:${port}/secret`],
    ])
      site.pages.set(name!, { status: 302, headers: { location: location! } })
    expect(await findPage(`${site.url}/page`)).toMatchObject({ status: 'fetched' })
    for (const url of ['/literal', '/named', '/short'].map((name) => site.url + name))
      expect((await findPage(url)).reason, url).toContain('does not connect')
    expect((await findPage(`http://inside.example:${port}/secret`)).status).toBe('failed')
    expect((await add(secret)).body).toMatchObject({
      type: 'InvalidPayload',
      message: expect.stringContaining('a loopback address'),
    })
    expect((await add(`http://[::ffff:127.0.0.1]:${port}/`, 'sitemap')).status).toBe(400)
    expect(insideRequests).toEqual([])
  })

  test('proxies from the environment are not used', async () => {
    const before = { ...process.env }
    onTestFinished(() => {
      for (const name of ['HTTP_PROXY', 'http_proxy', 'NODE_USE_ENV_PROXY'])
        if (before[name] === undefined) delete process.env[name]
        else process.env[name] = before[name]
    })
    Object.assign(process.env, {
      HTTP_PROXY: at('127.0.0.1'),
      http_proxy: at('127.0.0.1'),
      NODE_USE_ENV_PROXY: '1',
    })
    const other = await newWorkspace()
    expect((await look(other, await newBot(other, at(allowed)))).status).toBe(200)
    expect([outsideRequests.length, insideRequests]).toEqual([1, []])
  })
})

describe("this server's own address", () => {
  const openTail = async (id: string) => {
    const socket = new WebSocket(`${base.replace('http', 'ws')}/${id}`)
    onTestFinished(() => socket.terminate())
    await new Promise((resolve) => socket.on('open', resolve))
    socket.on('message', (text) => {
      const { id: requestId } = JSON.parse(String(text))
      socket.send(
        JSON.stringify({ requestId, status: 200, body: '{"output":{"tail":true}}' }),
      )
    })
  }
  const ownPort = () => new URL(base).port

  test.each(['127.0.0.1', 'localhost', 'server.example'])(
    'serves tunnels at %s to every workspace',
    async (host) => {
      const other = await newWorkspace()
      const id = randomUUID()
      await openTail(id)
      const { status, body } = await create(other, 'bots', {
        url: `http://${host}:${ownPort()}/${id}`,
        actions: { look: action },
      })
      expect([status, body.message]).toEqual([200, undefined])
      expect((await look(other, body.bot.id)).body).toMatchObject({
        output: { tail: true },
      })
    },
  )

  test('serves other workspaces only tunnels, also over a connection that a tunnel opened', async () => {
    const other = await newWorkspace()
    const id = randomUUID()
    await openTail(id)
    const own = (path: string, host = '127.0.0.1') => `http://${host}:${ownPort()}${path}`
    for (const path of [
      '/v1/platform/health',
      '/metrics',
      `/${id}/../metrics`,
      `/${id}/%2e%2e/metrics`,
      '/',
    ]) {
      expect((await create(other, 'bots', { url: own(path) })).status, path).toBe(400)
      const call = async (url: string) => look(other, await newBot(other, url))
      expect((await call(own(`/${id}`))).status, path).toBe(200)
      for (const url of [own(path), own(path, 'server.example')])
        expect((await call(url)).body.message, url).toContain('does not connect')
    }
    expect((await create(other, 'bots', { url: at('127.0.0.1', `/${id}`) })).status).toBe(
      400,
    )
  })
})
