// Large bodies and large responses that stop: they occupy a shared capacity, and must not keep
// other tenants from it.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { openIntegration } from '../../../../test/support/url-integration.ts'
import { toLimits } from '../../config/limits.ts'
import { createBodyCapacity } from '../../delivery/api/webhooks/body-capacity.ts'
import { defaultTimeouts } from '../limits/timeouts.ts'

const MB = 1_048_576
let scene: Scene
let url: URL
/** Headers of bots of three workspaces, with the same table. */
const tenants: Record<string, string>[] = []
let secondBot: Record<string, string>
beforeAll(async () => {
  scene = await openScene({
    timeouts: { ...defaultTimeouts, pace: 2_000 },
    config: {
      checkAnswers: false,
      limits: toLimits('relaxed', { webhookBytes: 32 * MB }),
    },
  })
  url = new URL(await scene.listen())
  tenants.push(scene.asBot)
  for (const name of ['second', 'third']) {
    const authorization = scene.admin.authorization!
    const workspace = await scene.call('POST', '/v1/admin/workspaces', {
      headers: { authorization },
      body: { name },
    })
    tenants.push(await createBot({ authorization, 'x-workspace-id': workspace.body.id }))
  }
  secondBot = await createBot(scene.admin)
  for (const headers of tenants) await createTable(headers)
})
afterAll(() => scene?.close())

async function createBot(admin: Record<string, string>) {
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: admin,
    body: {},
  })
  return { authorization: admin.authorization!, 'x-bot-id': body.bot.id as string }
}

const createTable = (headers: Record<string, string>) =>
  scene.call('POST', '/v1/tables', {
    headers,
    body: { name: 'LargeTable', factor: 30, schema: { text: { type: 'string' } } },
  })

const rows = '{"rows":[{"text":"x"}]'
const body = Buffer.concat([
  Buffer.from(rows),
  Buffer.alloc(5 * MB, ' '),
  Buffer.from('}'),
])
const toHead = (path: string, headers: Record<string, string>, length: number) =>
  `${[
    `POST ${path} HTTP/1.1`,
    'host: here',
    'content-type: application/json',
    `content-length: ${length}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n')}\r\n\r\n`

/** Sends a part of a body and stops. Returns when the server answers or closes. */
function stopAfter(bytes: Buffer, head: string) {
  let text = ''
  const socket: Socket = connect(Number(url.port), url.hostname)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.write(head)
  const sent = new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
  const answer = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => (text += chunk))
    socket.on('close', () => resolve(text))
  })
  return { sent, answer }
}

/** The client ports of connections that the server has ended, from now on. */
function collectEndedPorts(): number[] {
  const ended: number[] = []
  const { server } = scene.app.server
  const onConnection = (socket: Socket) => {
    const port = socket.remotePort!
    socket.once('close', () => ended.push(port))
  }
  server.on('connection', onConnection)
  onTestFinished(() => void server.off('connection', onConnection))
  return ended
}

const stopUpload = (headers: Record<string, string>) =>
  stopAfter(
    body.subarray(0, -10),
    toHead('/v1/tables/LargeTable/rows', headers, body.length),
  )

function openUpload(headers: Record<string, string>) {
  let text = ''
  const socket = connect(Number(url.port), url.hostname)
  onTestFinished(() => void socket.destroy())
  const head = { ...headers, connection: 'close' }
  socket.write(toHead('/v1/tables/LargeTable/rows', head, body.length))
  const promise = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => (text += chunk))
    socket.on('close', () => resolve(text))
  })
  return { promise, socket }
}

const upload = (headers: Record<string, string>) =>
  fetch(new URL('/v1/tables/LargeTable/rows', url), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(20_000),
  })

describe('large bodies', () => {
  test('of one tenant, also of its bots, leave a place to others', async () => {
    const idle = [stopUpload(tenants[0]!), stopUpload(tenants[0]!), stopUpload(secondBot)]
    await Promise.all(idle.map(({ sent }) => sent))
    await pause(500) // until the server has read them
    let ended = 0
    for (const { answer } of idle) void answer.then(() => ended++)
    expect((await upload(tenants[1]!)).status).toBe(200)
    expect(ended).toBe(0)
  }, 60_000)

  test('that stop lose their place, with 408', async () => {
    const idle = [stopUpload(tenants[0]!), stopUpload(tenants[1]!)]
    await Promise.all(idle.map(({ sent }) => sent))
    await pause(300)
    expect((await upload(tenants[2]!)).status).toBe(200)
    for (const { answer } of idle) expect(await answer).toContain('HTTP/1.1 408')
  }, 60_000)

  test('that arrive slowly, but steadily, are accepted', async () => {
    const { promise, socket } = openUpload(tenants[0]!)
    for (let at = 0; at < body.length; at += 400_000) {
      socket.write(body.subarray(at, at + 400_000))
      await pause(200)
    }
    expect(await promise).toContain('HTTP/1.1 200')
  }, 60_000)

  test('without a reader of the response lose their place', async () => {
    const text = 'x'.repeat(41_000)
    const large = Buffer.from(JSON.stringify({ rows: Array(300).fill({ text }) }))
    const ended = collectEndedPorts()
    const readers = tenants.slice(0, 2).map((headers) => {
      const socket = connect(Number(url.port), url.hostname)
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => {})
      socket.pause()
      socket.write(toHead('/v1/tables/LargeTable/rows', headers, large.length))
      socket.write(large)
      return socket
    })
    // On a busy machine, it takes long until the responses begin.
    await vi.waitFor(() => {
      for (const { localPort } of readers) expect(ended).toContain(localPort)
    }, 45_000)
    expect((await upload(tenants[2]!)).status).toBe(200)
    for (const socket of readers) {
      let text = ''
      socket.on('data', (chunk) => (text += chunk))
      socket.resume()
      await Promise.race([once(socket, 'close'), pause(20_000)])
      expect(text).toContain('HTTP/1.1 200')
      expect(text.endsWith('0\r\n\r\n')).toBe(false)
    }
  }, 60_000)
})

describe('large webhooks', () => {
  test('that stop leave capacity to other tenants, and end with 408', async () => {
    const integration = await openIntegration(scene, { name: 'echo' })
    onTestFinished(() => void integration.close())
    integration.answer = (_call, response) => response.end('done')
    const at = await integration.install(scene.botId, 'echo')
    const otherBot = tenants[1]!['x-bot-id']!
    const { db } = scene.app.services
    const { workspace_id: workspaceId } = await db
      .selectFrom('bot')
      .select('workspace_id')
      .where('id', '=', otherBot)
      .executeTakeFirstOrThrow()
    const other = await openIntegration(scene, { name: 'other', workspaceId })
    onTestFinished(() => void other.close())
    other.answer = (_call, response) => response.end('done')
    const otherAt = await other.install(otherBot, 'other')
    const idle = []
    for (let i = 0; i < 8; i++) {
      idle.push(
        stopAfter(Buffer.alloc(6 * MB), toHead(`/webhooks/${at}`, {}, 6 * MB + 10)),
      )
      await Promise.race([idle.at(-1)!.sent, pause(100)])
    }
    const reply = await fetch(new URL(`/webhooks/${otherAt}`, url), {
      method: 'POST',
      body: Buffer.alloc(3 * MB),
    })
    expect(reply.status).toBe(200)
    const answers = await Promise.all(idle.map(({ answer }) => answer))
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 (408|503)/)
    expect(answers.some((answer) => answer.startsWith('HTTP/1.1 408'))).toBe(true)
  }, 60_000)

  test('of several tenants always leave some capacity', () => {
    const capacity = createBodyCapacity(100 * MB)
    const fill = (tenant: string) => {
      const reservation = capacity.reserve()
      reservation.assign(tenant)
      let bytes = 0
      while (reservation.add(MB)) bytes += MB
      return { bytes, reservation }
    }
    const held = ['a', 'a', 'b', 'b', 'c'].map(fill)
    expect(held[0]!.bytes).toBeLessThan(76 * MB)
    expect(held[1]!.bytes).toBeLessThan(2 * MB)
    expect(held[2]!.bytes).toBeGreaterThan(10 * MB)
    expect(held[4]!.bytes).toBeGreaterThan(3 * MB)
    for (const { reservation } of held) reservation.release()
    expect(capacity.held()).toBe(0)
    expect(fill('d').bytes).toBeGreaterThan(70 * MB)
  })
})
