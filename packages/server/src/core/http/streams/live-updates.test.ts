// Live updates of a workspace: the changes that pages get notes of, from any server, and the
// permissions for them, which may change while the stream is open.
import { setTimeout as pause } from 'node:timers/promises'
import { type ChangeNote, topics } from '@botstead/contract'
import { sql } from 'kysely'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
  vi,
} from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import {
  createPerson,
  sessionHeaders,
  signIn,
  type TestBrowser,
} from '../../../../test/support/sign-in.ts'
import { openSseReader, type SseReader } from '../../../../test/support/sse-reader.ts'
import { bearing, makeTenant, type Tenant } from '../../../../test/support/tenants.ts'
import { type App, openApp } from '../../../app/app.ts'
import { ChangeFeed } from '../../realtime/change-feed.ts'

/** Logs each message, and fails for "fail". */
const code = `
exports.handler = async ({ headers, body }) => {
  if (headers['x-bp-operation'] !== 'event_received') return { status: 200 }
  const { text } = JSON.parse(body).event.payload.message.payload
  console.log('received ' + text)
  return text === 'fail' ? { status: 500, body: '{"message":"broken"}' } : { status: 200 }
}`

let scene: Scene
let stranger: Tenant
/** Another server on the same database. */
let twin: App
let urls: [string, string]
let user: { headers: Record<string, string> }
let conversationId: string
let readers: SseReader[] = []

beforeAll(async () => {
  scene = await openScene({ code })
  stranger = await makeTenant(scene, 'stranger')
  const { config, log } = scene.app.services
  const { connection, masterKey, chatKey } = scene
  twin = await openApp({ config, log, connection, masterKey, chatKey })
  const twinUrl = await twin.server.listen({ host: '127.0.0.1', port: 0 })
  urls = [await scene.listen(), twinUrl]
  user = await scene.chatUser()
  const { headers } = user
  const made = await scene.call('POST', inChat('/conversations'), { headers, body: {} })
  const [row] = await scene.app.services.db
    .selectFrom('conversation')
    .select('id')
    .where('bot_id', '=', scene.botId)
    .execute()
  conversationId = row!.id
  chatConversationId = made.body.conversation.id
}, 60_000)
afterEach(() => {
  for (const reader of readers) reader.cut()
  readers = []
})
afterAll(async () => {
  await twin?.close()
  await scene?.close()
})

let chatConversationId: string
const inChat = (path: string) => `/chat/${scene.webhookId}${path}`
const say = (text: string) =>
  scene.call('POST', inChat('/messages'), {
    headers: user.headers,
    body: { conversationId: chatConversationId, payload: { type: 'text', text } },
  })
const asAdmin = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
) => scene.call(method, path, { headers: scene.admin, body })

/** Opens a stream and waits for its first note. */
async function follow({
  server = 0,
  query = '',
  headers = scene.admin,
  after = '',
}: {
  server?: 0 | 1
  query?: string
  headers?: Record<string, string>
  after?: string
} = {}) {
  const reader = openSseReader(
    () => `${urls[server]}/v1/platform/live?${query}`,
    headers,
    after,
  )
  readers.push(reader)
  expect(await reader.open()).toBe(200)
  await vi.waitFor(() => expect(reader.frames.length).toBeGreaterThan(0))
  // A server that begins to follow may still get `reset` from the other one.
  if (after === '') await pause(700)
  return reader
}
const getNotes = (reader: SseReader) =>
  reader.frames as unknown as (ChangeNote & { id: string })[]
const listTopics = (reader: SseReader) =>
  new Set(getNotes(reader).map(({ topic }) => topic))
/** Without the id of the frame, which the id of the changed object overrides. */
const toBody = ({ id, ...note }: { id: string }) =>
  id === null || /^[0-9a-f]{12}-\d+$/.test(id) ? note : { id, ...note }

/** Creates a member with a role, and returns the headers of a token. */
async function makeMember(role: string) {
  const { body: member } = await asAdmin('POST', '/v1/admin/workspace-members', {
    email: `${role}-${Math.random()}@example.org`,
    role,
  })
  const { body } = await asAdmin('POST', `/v1/platform/members/${member.id}/token`)
  const headers = { ...scene.admin, ...bearing(body.pat.value) }
  return { id: member.id as string, patId: body.pat.id as string, headers }
}

describe.each([0, 1] as const)('a page at server %s', (server) => {
  test('is notified of a message, its delivery and its log', async () => {
    const reader = await follow({ server })
    expect(getNotes(reader)[0]!.topic).toMatch(/ready|reset/)
    await say('hello')
    await vi.waitFor(() => expect([...listTopics(reader)]).toContain('logs'), 3_000)
    const { botId } = scene
    const notes = getNotes(reader).map(toBody)
    expect(notes).toContainEqual({ topic: 'messages', botId, conversationId })
    expect(notes).toContainEqual({ topic: 'events', botId })
    expect(notes).toContainEqual({ topic: 'logs', botId })
  })

  test('is notified of a dead letter and its issue', async () => {
    const reader = await follow({ server, query: 'topics=deadLetters&topics=issues' })
    await say('fail')
    await vi.waitFor(
      () =>
        expect(listTopics(reader)).toEqual(new Set(['ready', 'deadLetters', 'issues'])),
      5_000,
    )
  })

  test('is notified of changed objects, with their ids', async () => {
    const reader = await follow({ server })
    const { asBot, botId } = scene
    const { body: made } = await scene.call('POST', '/v1/chat/users', {
      headers: asBot,
      body: { tags: {} },
    })
    await scene.call('POST', inChat('/conversations'), {
      headers: user.headers,
      body: {},
    })
    const { body: bot } = await asAdmin('POST', '/v1/admin/bots', { name: 'made' })
    const { id } = await makeMember('viewer')
    const expected = [
      { topic: 'users', botId, id: made.user.id },
      { topic: 'conversations', botId },
      { topic: 'bots', botId: bot.bot.id },
      { topic: 'members', id },
    ]
    for (const note of expected)
      await vi.waitFor(
        () => expect(getNotes(reader).map(toBody)).toContainEqual(note),
        3_000,
      )
  })
})

test('many changes of a topic and bot share few notes', async () => {
  const reader = await follow({ query: 'topics=users' })
  const create = () =>
    scene.call('POST', '/v1/chat/users', { headers: scene.asBot, body: { tags: {} } })
  await Promise.all(Array.from({ length: 60 }, create))
  await pause(800)
  const notes = getNotes(reader).slice(1)
  expect(notes.length).toBeGreaterThan(0)
  expect(notes.length).toBeLessThan(10)
})

test('pages of an agent and an editor are notified of conversations, not of logs', async () => {
  const pages = [
    [(await makeMember('agent')).headers, ['files', 'events', 'logs']],
    [(await makeMember('editor')).headers, ['events', 'logs', 'members']],
  ] as const
  const owner = await follow()
  const all = await Promise.all(pages.map(([headers]) => follow({ headers })))
  await say('hello')
  await asAdmin('POST', '/v1/admin/workspace-members', {
    email: `${Math.random()}@example.org`,
    role: 'viewer',
  })
  const file = { key: 'guide.md', size: 1, index: true }
  await scene.call('PUT', '/v1/files', { headers: scene.asBot, body: file })
  for (const topic of ['messages', 'logs', 'files', 'members'])
    await vi.waitFor(() => expect([...listTopics(owner)]).toContain(topic), 5_000)
  for (const [index, [, hidden]] of pages.entries()) {
    await vi.waitFor(
      () => expect([...listTopics(all[index]!)]).toContain('messages'),
      5_000,
    )
    for (const topic of hidden) expect([...listTopics(all[index]!)]).not.toContain(topic)
  }
})

test('a page that filters by bot receives nothing of other bots', async () => {
  const { body } = await asAdmin('POST', '/v1/admin/bots', { name: 'other' })
  const reader = await follow({ query: `botId=${body.bot.id}` })
  await say('hello')
  await asAdmin('PUT', `/v1/admin/bots/${body.bot.id}`, { name: 'renamed' })
  await vi.waitFor(() => expect([...listTopics(reader)]).toContain('versions'), 3_000)
  expect(getNotes(reader).some(({ botId }) => botId === scene.botId)).toBe(false)
})

describe('rejects', () => {
  const findStatus = async (query: string, headers = scene.admin) =>
    (await scene.call('GET', `/v1/platform/live?${query}`, { headers })).status

  test('a bot of another workspace and an unknown one', async () => {
    expect(await findStatus(`botId=${stranger.things.bot[0]}`)).toBe(404)
    expect(await findStatus('botId=none')).toBe(404)
    expect(await findStatus('botId=__proto__')).toBe(404)
  })

  test('an unknown topic', async () => {
    expect(await findStatus('topics=constructor')).toBe(400)
  })

  test('a stranger, and a role that may not see bots', async () => {
    expect(await findStatus('', { ...scene.admin, ...bearing(stranger.token) })).toBe(401)
    expect(await findStatus('', (await makeMember('billing')).headers)).toBe(403)
  })

  test('the 101st stream of one person', async () => {
    const { headers } = await makeMember('viewer')
    const open = () => openSseReader(() => `${urls[0]}/v1/platform/live`, headers)
    readers = Array.from({ length: 100 }, open)
    expect(new Set(await Promise.all(readers.map((one) => one.open())))).toEqual(
      new Set([200]),
    )
    expect(await open().open()).toBe(429)
    readers[0]!.cut()
    await vi.waitFor(async () => expect(await readers[0]!.open()).toBe(200))
  })
})

test('never notifies a stranger', async () => {
  const headers = {
    ...bearing(stranger.token),
    'x-workspace-id': stranger.things.workspace[0]!,
  }
  const reader = await follow({ headers })
  await say('hello')
  await pause(800)
  expect(
    getNotes(reader).filter(({ topic }) => topic !== 'ready' && topic !== 'reset'),
  ).toEqual([])
})

describe('a stream ends', () => {
  test.each([0, 1] as const)(
    'when its token is deleted, at server %s',
    async (server) => {
      const { headers, patId } = await makeMember('developer')
      const reader = await follow({ server, headers })
      const path = `/v1/admin/account/pats/${patId}`
      expect((await scene.call('DELETE', path, { headers })).status).toBe(200)
      await reader.ended()
      expect(await reader.open()).toBe(401)
    },
  )

  test.each([0, 1] as const)(
    'when the member is removed, at server %s',
    async (server) => {
      const { headers, id } = await makeMember('developer')
      const reader = await follow({ server, headers })
      await asAdmin('DELETE', `/v1/admin/workspace-members/${id}`)
      await reader.ended()
    },
  )

  test('when the new role may not see bots', async () => {
    const { headers, id } = await makeMember('developer')
    const reader = await follow({ headers })
    await asAdmin('PUT', `/v1/admin/workspace-members/${id}`, { role: 'billing' })
    await reader.ended()
  })
})

describe('a stream of a session', () => {
  let accountId: string
  let browser: TestBrowser
  let reader: SseReader
  beforeEach(async () => {
    accountId = await createPerson(scene, 'developer')
    browser = await signIn(scene.app, accountId)
    const { 'x-workspace-id': workspace } = scene.admin
    const headers = {
      ...sessionHeaders,
      cookie: browser.cookie,
      'x-workspace-id': workspace!,
    }
    reader = await follow({ headers })
  })
  const call: TestBrowser['call'] = (...request) => browser.call(...request)
  const age = async (column: string) => {
    const { db, invalidate } = scene.app.services
    await sql`update session set ${sql.ref(column)} = now() - interval '1 hour'
      where account_id = ${accountId}`.execute(db)
    await invalidate({ accountId })
  }

  test('ends with the session', async () => {
    await call('DELETE', '/v1/platform/session')
    await reader.ended()
  })

  test('ends when the session expires', async () => {
    await age('expires_at')
    await reader.ended()
  })

  test('continues after the cookie was renewed, and does not end the session', async () => {
    const first = browser.cookie
    await age('renewed_at')
    await call('GET', '/v1/platform/session')
    expect(browser.cookie).not.toBe(first)
    await call('GET', '/v1/platform/session')
    await age('confirmed_at') // the first value is outdated from now on
    await say('still here')
    await vi.waitFor(() => expect([...listTopics(reader)]).toContain('messages'), 3_000)
    expect((await call('GET', '/v1/platform/session')).status).toBe(200)
  })
})

test.each([0, 1] as const)(
  'an allow-list hides a bot at once, and shows it again, at server %s',
  async (server) => {
    const { headers, id } = await makeMember('developer')
    const reader = await follow({ server, headers })
    const path = `/v1/admin/bots/${scene.botId}/allowlist`
    const allow = (body: unknown) => asAdmin('PUT', path, body)
    await allow({ setting: 'SELECTED_USERS' })
    await vi.waitFor(() =>
      expect(getNotes(reader).map(toBody)).toContainEqual({ topic: 'bots' }),
    )
    await pause(400)
    const before = reader.frames.length
    await say('hidden')
    await pause(1_000)
    expect(
      getNotes(reader)
        .slice(before)
        .filter(({ botId }) => botId),
    ).toEqual([])
    await allow({ users: { [id]: true } })
    await say('shown')
    await vi.waitFor(() => expect([...listTopics(reader)]).toContain('messages'), 3_000)
    await allow({ setting: 'ALL_WORKSPACE_USERS', users: { [id]: false } })
  },
)

describe('a page that was disconnected', () => {
  test('gets the notes that it missed', async () => {
    const reader = await follow({ query: 'topics=messages' })
    await say('first')
    await vi.waitFor(() => expect(reader.frames).toHaveLength(2), 3_000)
    reader.cut()
    await reader.ended()
    await say('second')
    await pause(500)
    await reader.open()
    const missed = () =>
      getNotes(reader)
        .map(({ topic }) => topic)
        .slice(2)
    await vi.waitFor(() => expect(missed().length).toBeGreaterThan(1), 3_000)
    reader.cut()
    await reader.ended()
    // One message may give two notes on a busy machine.
    const [first, ...others] = missed()
    expect([first, new Set(others)]).toEqual(['ready', new Set(['messages'])])
    const count = reader.frames.length
    await reader.open()
    await vi.waitFor(() => expect(reader.frames).toHaveLength(count + 1))
    expect(getNotes(reader).at(-1)!.topic).toBe('ready')
  })

  test.each(['unknown-1', '__proto__', '0'])(
    'gets `reset` after the position %s',
    async (after) => {
      const reader = await follow({ after })
      expect(getNotes(reader)[0]!.topic).toBe('reset')
      expect(reader.lastId).not.toBe(after)
    },
  )

  test('gets `reset` from another server', async () => {
    const here = await follow()
    const there = await follow({ server: 1, after: here.lastId || 'none-0' })
    expect(getNotes(there)[0]!.topic).toBe('reset')
  })
})

test('a page that reads too slowly gets `reset` afterwards', async () => {
  const reader = await follow()
  reader.hold()
  const { changeFeed } = scene.app.services
  const { workspaceId } = scene
  const long = 'x'.repeat(400_000)
  for (const topic of topics)
    for (let i = 0; i < 3; i++)
      changeFeed.publish({ topic, workspaceId, id: `${i} ${long}` })
  await pause(1_000)
  reader.release()
  await vi.waitFor(() => expect(getNotes(reader).at(-1)!.topic).toBe('reset'), 5_000)
})

test('gathers nothing without a follower', async () => {
  const feed = new ChangeFeed({
    workspaceOf: async () => 'workspace',
    notify: () => {},
    log: scene.app.services.log,
  })
  const timers = vi.spyOn(globalThis, 'setTimeout')
  feed.publish({ topic: 'messages', botId: scene.botId })
  expect(timers).not.toHaveBeenCalled()
  feed.follow('workspace', undefined, {
    accountId: '',
    receive: () => {},
    recheck: () => {},
    end: () => {},
  })
  feed.publish({ topic: 'messages', botId: scene.botId })
  expect(timers).toHaveBeenCalledOnce()
  timers.mockRestore()
  feed.close()
})
