// The tunnel of `bp dev`, with the official client, and with faulty or malicious clients and
// callers.
import { TunnelTail } from '@bpinternal/tunnel'
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
import { Tunnels } from './tunnels.ts'

const id = () => crypto.randomUUID()
let scene: Scene
let base: string
const wsBase = () => base.replace('http', 'ws')

beforeAll(async () => {
  const trustProxy = (_address: string, hop: number) => hop === 0
  scene = await openScene({ config: { tunnels: 4, tunnelAccess: 'all', trustProxy } })
  base = await scene.listen()
})
afterAll(() => scene?.close())
// Tunnels of previous tests are closed.
beforeEach(() => vi.waitFor(async () => expect(await open()).toBe(0)))

const open = async () =>
  Number(
    /^botstead_tunnels (\d+)$/m.exec(await (await fetch(`${base}/metrics`)).text())?.[1],
  )

type Request = Parameters<Parameters<TunnelTail['events']['on']>[1]>[0] & {
  id: string
  method: string
  path: string
  query?: string
  body?: string
}

/** Opens a tunnel with the official client, which answers with this function. */
async function tail(
  tunnelId: string,
  answer: (request: Request) => Record<string, unknown> | undefined,
) {
  const opened = await TunnelTail.new(wsBase(), tunnelId)
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    opened.events.on('close', ({ code, reason }) => resolve({ code, reason })),
  )
  opened.events.on('request', (request) => {
    const answered = answer(request as Request)
    if (answered) opened.send({ requestId: request.id, ...answered } as never)
  })
  onTestFinished(() => void (opened.closed || opened.close()))
  return { opened, closed }
}

/** Opens a tunnel that sends frames unchanged. */
async function bareTail(tunnelId: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${wsBase()}/${tunnelId}`, { headers })
  onTestFinished(() => socket.terminate())
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
  )
  const opened = await new Promise<boolean>((resolve) => {
    socket.on('open', () => resolve(true))
    socket.on('error', () => resolve(false))
  })
  return {
    socket,
    opened,
    closed,
    asked: new Promise<Request>((resolve) =>
      socket.on('message', (text) => resolve(JSON.parse(String(text)))),
    ),
  }
}

const ask = (tunnelId: string, rest = '', init?: RequestInit) =>
  fetch(`${base}/${tunnelId}${rest}`, { method: 'POST', ...init })
const getError = async (answer: Promise<Response>) => {
  const { status, body } = await answer.then(async (given) => ({
    status: given.status,
    body: (await given.json()) as { type: string },
  }))
  return [status, body.type]
}

test('forwards requests at /<id> and their answers unchanged', async () => {
  const tunnelId = id()
  const seen: Request[] = []
  await tail(tunnelId, (request) => {
    seen.push(request)
    return {
      status: 418,
      headers: {
        'x-mood': 'good',
        'x-several': ['a', 'b'],
        'set-cookie': 'a=b',
        'content-length': '3',
      },
      body: 'grüezi 🌲',
    }
  })
  const headers = { 'x-bot-id': 'bot_x', 'content-type': 'text/plain' }
  const answer = await ask(tunnelId, '/deep/%2Fer?a=b%20c&a=d?e', {
    body: 'hällo "you" 🌲',
    headers,
  })
  expect([answer.status, await answer.text()]).toEqual([418, 'grüezi 🌲'])
  expect(answer.headers.get('x-mood')).toBe('good')
  expect(answer.headers.get('x-several')).toBe('a, b')
  expect(answer.headers.get('set-cookie')).toBeNull()
  expect(answer.headers.get('content-security-policy')).toBe('sandbox')
  expect(seen).toMatchObject([
    {
      method: 'POST',
      path: '/deep/%2Fer',
      query: 'a=b%20c&a=d?e',
      body: 'hällo "you" 🌲',
      headers,
    },
  ])
  expect(Object.keys(seen[0] as object)).not.toContain('host')
  await fetch(`${base}/${tunnelId}`)
  expect(seen[1]).toMatchObject({ method: 'GET', path: '/' })
  expect(seen[1]).not.toHaveProperty('query')
})

test('drops headers with effects for this origin, and keeps its cookies', async () => {
  const tunnelId = id()
  const dropped = [
    'strict-transport-security',
    'nel',
    'report-to',
    'reporting-endpoints',
    'alt-svc',
    'link',
    'access-control-allow-origin',
    'Access-Control-Allow-Credentials',
    'access-control-max-age',
    'refresh',
    'set-cookie',
    'set-cookie2',
    'clear-site-data',
    'service-worker-allowed',
    'origin-agent-cluster',
    'public-key-pins',
    'expect-ct',
    'speculation-rules',
    'permissions-policy',
    'cross-origin-opener-policy',
    'x-request-id',
    'content-security-policy-report-only',
    'accept-ch',
  ]
  const seen: Request[] = []
  await tail(tunnelId, (request) => {
    seen.push(request)
    const headers = Object.fromEntries(dropped.map((name) => [name, 'theirs']))
    return {
      status: 200,
      headers: { ...headers, 'x-kept': 'yes', etag: '"1"' },
      body: 'x',
    }
  })
  const cookie =
    'a=1; botstead-session-4000=secret; b=2; __Host-botstead-session=secret; botstead-openid=s'
  const answer = await ask(tunnelId, '', { headers: { cookie } })
  for (const name of dropped) expect(answer.headers.get(name), name).not.toBe('theirs')
  expect([answer.headers.get('x-kept'), answer.headers.get('etag')]).toEqual([
    'yes',
    '"1"',
  ])
  expect(answer.headers.get('content-security-policy')).toBe('sandbox')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(seen[0]).toMatchObject({ headers: { cookie: 'a=1; b=2' } })
})

describe('a client of another machine', () => {
  let strict: Scene
  let strictBase: string
  beforeAll(async () => {
    strict = await openScene()
    strictBase = (await strict.listen()).replace('http', 'ws')
  })
  afterAll(() => strict?.close())

  /** Connects as through a proxy. Returns the close code and reason, or whether the tunnel works. */
  async function connect(
    path: string,
    headers: Record<string, string> = { via: '1.1 proxy' },
  ) {
    const socket = new WebSocket(`${strictBase}/${path}`, { headers })
    onTestFinished(() => socket.terminate())
    socket.on('message', (text) => {
      const { id: requestId } = JSON.parse(String(text))
      socket.send(JSON.stringify({ requestId, status: 200, body: 'through' }))
    })
    const closed = new Promise<string>((resolve) => {
      socket.on('close', (code, reason) => resolve(`${code} ${reason}`))
      socket.on('error', (error) => resolve(error.message))
    })
    await Promise.race([closed, new Promise((resolve) => socket.on('open', resolve))])
    const tunnelId = path.split('/').at(-1)
    const asked = fetch(`${strictBase.replace('ws', 'http')}/${tunnelId}`).then(
      async (answer) => (answer.ok ? answer.text() : closed),
    )
    return Promise.race([closed, asked])
  }

  test('needs a personal access token in the path', async () => {
    expect(await connect(`${strict.token}/${id()}`)).toBe('through')
    expect(await connect(id())).toMatch(/^4001 .*personal access token/)
    expect(await connect(`bp_pat_wrong/${id()}`)).toMatch(/^4001 /)
    const { body } = await strict.call('POST', `/v1/admin/bots/${strict.botId}/baks`, {
      headers: strict.admin,
      body: { note: 'x' },
    })
    if (body?.key) expect(await connect(`${body.key}/${id()}`)).not.toBe('through')
  })

  test('cannot replace a tunnel without a token', async () => {
    const tunnelId = id()
    const own = await TunnelTail.new(strictBase, tunnelId)
    onTestFinished(() => own.close())
    own.events.on('request', ({ id: requestId }) =>
      own.send({ requestId, status: 200, body: 'own' }),
    )
    expect(await connect(tunnelId)).toBe('own')
    const answer = await fetch(`${strictBase.replace('ws', 'http')}/${tunnelId}`)
    expect(await answer.text()).toBe('own')
  })

  test('needs none from this machine', async () => {
    expect(await connect(id(), {})).toBe('through')
  })
})

test('answers concurrent requests in any order', async () => {
  const tunnelId = id()
  const waiting: (() => void)[] = []
  const { opened } = await tail(tunnelId, (request) => {
    waiting.push(() =>
      opened.send({ requestId: request.id, status: 200, body: request.body! }),
    )
    if (waiting.length === 20) for (const say of waiting.reverse()) say()
    return undefined
  })
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, n) =>
      (await ask(tunnelId, '', { body: String(n) })).text(),
    ),
  )
  expect(answers).toEqual(Array.from({ length: 20 }, (_, n) => String(n)))
})

test('responds 503 at once without a client', async () => {
  expect(await getError(ask(id()))).toEqual([503, 'Unavailable'])
  const tunnelId = id()
  const { opened, closed } = await tail(tunnelId, () => undefined)
  const asked = getError(ask(tunnelId))
  await vi.waitFor(async () => expect(await open()).toBe(1))
  opened.close()
  expect(await asked).toEqual([503, 'Unavailable'])
  await closed
  expect(await getError(ask(tunnelId))).toEqual([503, 'Unavailable'])
})

test('a new client takes over the tunnel; pending requests of the old one fail with 503', async () => {
  const tunnelId = id()
  let asked = () => {}
  const reached = new Promise<void>((resolve) => (asked = resolve))
  const before = await tail(tunnelId, () => void asked())
  const left = getError(ask(tunnelId))
  await reached
  await tail(tunnelId, () => ({ status: 200, body: 'the new one' }))
  expect(await before.closed).toMatchObject({ code: 4001 })
  expect(await left).toEqual([503, 'Unavailable'])
  expect(await (await ask(tunnelId)).text()).toBe('the new one')
  expect(await open()).toBe(1)
})

test('rejects ids that could be guessed', async () => {
  const { closed } = await bareTail('my-tunnel')
  expect(await closed).toMatchObject({
    code: 4000,
    reason: expect.stringContaining('20'),
  })
  const { closed: odd } = await bareTail(`${id()}%20`)
  expect(await odd).toMatchObject({ code: 4000 })
  expect(await getError(ask('my-tunnel'))).toEqual([404, 'ResourceNotFound'])
})

test('rejects pages in browsers', async () => {
  expect((await bareTail(id(), { origin: 'http://127.0.0.1:4000' })).opened).toBe(false)
})

const answers = (given: object) => (requestId: string) =>
  JSON.stringify({ type: 'response', requestId, status: 200, ...given })
test.each<[string, (requestId: string) => string | Buffer]>([
  ['invalid JSON', () => 'nonsense'],
  ['an array', () => '[]'],
  ['null', () => 'null'],
  ['binary', (requestId) => Buffer.from(answers({})(requestId))],
  ['another type', answers({ type: 'request' })],
  ['no id', answers({ requestId: 7 })],
  ['no status', answers({ status: '200' })],
  ['an invalid status', answers({ status: 99 })],
  ['an informational status', answers({ status: 101 })],
  ['a body that is not text', answers({ body: { text: 'a' } })],
  ['headers that are a list', answers({ headers: ['a'] })],
  ['a header with a line break', answers({ headers: { 'x-a': 'b\r\nset-cookie: c=d' } })],
  ['a header without a name', answers({ headers: { '': 'b' } })],
  ['a header that is an object', answers({ headers: { 'x-a': { toString: 'b' } } })],
])('a frame of %s ends the tunnel, and the request fails with 503', async (_, frame) => {
  const tunnelId = id()
  const { socket, asked, closed } = await bareTail(tunnelId)
  const answer = getError(ask(tunnelId))
  socket.send(frame((await asked).id))
  expect(await closed).toMatchObject({ code: 4002 })
  expect(await answer).toEqual([503, 'Unavailable'])
})

test('ignores answers to unknown and cancelled requests', async () => {
  const tunnelId = id()
  const { socket, asked } = await bareTail(tunnelId)
  const leaves = new AbortController()
  const left = ask(tunnelId, '', { signal: leaves.signal }).catch(() => 'left')
  const { id: requestId } = await asked
  leaves.abort()
  expect(await left).toBe('left')
  for (const frame of [
    answers({})(requestId),
    answers({})(requestId),
    answers({})('__proto__'),
    '{"type":"hello"}',
  ])
    socket.send(frame)
  socket.on('message', (text) =>
    socket.send(
      answers({ body: 'still here', headers: { __proto__: 'a', 'x-number': 7 } })(
        JSON.parse(String(text)).id,
      ),
    ),
  )
  const answer = await ask(tunnelId)
  expect([await answer.text(), answer.headers.get('x-number')]).toEqual([
    'still here',
    '7',
  ])
})

test('limits the size of requests and answers', async () => {
  const tunnelId = id()
  await tail(tunnelId, () => ({ status: 200, body: 'a'.repeat(17 * 1_048_576) }))
  expect(
    await getError(ask(tunnelId, '', { body: 'a'.repeat(16 * 1_048_576 + 1) })),
  ).toEqual([413, 'PayloadTooLarge'])
  expect(await getError(ask(tunnelId, '', { body: '"'.repeat(9 * 1_048_576) }))).toEqual([
    413,
    'PayloadTooLarge',
  ])
  expect(await getError(ask(tunnelId))).toEqual([503, 'Unavailable'])
})

test('limits the number of tunnels, except for reopened ones', async () => {
  const ids = [id(), id(), id(), id()]
  for (const tunnelId of ids) expect((await bareTail(tunnelId)).opened).toBe(true)
  expect((await bareTail(id())).opened).toBe(false)
  expect((await bareTail(ids[0]!)).opened).toBe(true)
})

test('an address with all tunnels loses one to another address, until the shares are equal', async () => {
  const from = (address: string) => bareTail(id(), { 'x-forwarded-for': address })
  const greedy = []
  for (let i = 0; i < 4; i++) greedy.push(await from('192.0.2.1'))
  expect((await from('198.51.100.1')).opened).toBe(true)
  expect(await greedy[0]!.closed).toMatchObject({ code: 1013 })
  expect((await from('203.0.113.1')).opened).toBe(true)
  expect(await greedy[1]!.closed).toMatchObject({ code: 1013 })
  expect(await open()).toBe(4)
  // All addresses have their share now, so none loses a tunnel to an address that has as many.
  expect((await from('192.0.2.1')).opened).toBe(false)
})

/** A mock socket of the server's side. */
function looseSocket(pings: number[] = []) {
  const listeners = new Map<string, (...given: unknown[]) => void>()
  let close = (_code: number) => {}
  const closed = new Promise<number>((resolve) => (close = resolve))
  const leave = (code: number) => {
    listeners.get('close')!()
    close(code)
  }
  const socket = {
    readyState: 1,
    OPEN: 1,
    bufferedAmount: 0,
    send: () => {},
    ping: () => pings.push(1),
    on: (name: string, listener: (...given: unknown[]) => void) =>
      listeners.set(name, listener),
    close: leave,
    terminate: () => leave(1006),
  }
  const hear = (name: string, ...given: unknown[]) => listeners.get(name)!(...given)
  return { socket: socket as never, closed, hear }
}

test('an unused tunnel makes room at the same address; one in use does not', async () => {
  const tunnels = new Tunnels({ maxTunnels: 2, beatMs: 10_000, unusedMs: 30 })
  const [used, unused] = [looseSocket(), looseSocket()]
  tunnels.open('used', used.socket, 'here')
  tunnels.open('unused', unused.socket, 'here')
  expect(tunnels.canOpen('new', 'here')).toBe(false)
  await vi.waitFor(() => expect(tunnels.canOpen('new', 'here')).toBe(true))
  const request = { method: 'POST', path: '/', query: '', headers: {}, body: '' }
  const asked = tunnels.request('used', request, new AbortController().signal)
  asked.catch(() => {})
  tunnels.open('new', looseSocket().socket, 'here')
  expect(await unused.closed).toBe(1013)
  expect(tunnels.canOpen('another', 'here')).toBe(false)
  tunnels.close()
})

test('closes a client that answers pings but sends no hello', async () => {
  const tunnels = new Tunnels({ maxTunnels: 2, beatMs: 10, idleMs: 60 })
  const [idle, greeting] = [looseSocket(), looseSocket()]
  tunnels.open('idle', idle.socket, 'here')
  tunnels.open('greeting', greeting.socket, 'here')
  const signs = setInterval(() => {
    if (tunnels.count === 2) idle.hear('pong')
    greeting.hear('message', '{"type":"hello"}', false)
  }, 5)
  expect(await idle.closed).toBe(1013)
  expect(tunnels.count).toBe(1)
  clearInterval(signs)
  tunnels.close()
})

test('closes an unresponsive client, and rejects its requests after the time limit', async () => {
  const tunnels = new Tunnels({ maxTunnels: 1, beatMs: 20, timeoutMs: 50 })
  const listeners = new Map<string, (...given: unknown[]) => void>()
  const pings: number[] = []
  let terminated = () => {}
  const ended = new Promise<void>((resolve) => (terminated = resolve))
  const socket = {
    readyState: 1,
    OPEN: 1,
    bufferedAmount: 0,
    send: () => {},
    ping: () => pings.push(1),
    on: (name: string, listener: (...given: unknown[]) => void) =>
      listeners.set(name, listener),
    terminate() {
      listeners.get('close')!()
      terminated()
    },
  }
  tunnels.open('silent', socket as never, '127.0.0.1')
  const request = { method: 'POST', path: '/', query: '', headers: {}, body: '' }
  await expect(
    tunnels.request('silent', request, new AbortController().signal),
  ).rejects.toMatchObject({
    problem: 'late',
  })
  await ended
  expect(pings.length).toBe(4)
  expect(tunnels.count).toBe(0)
})
