// Many listeners of a visitor, and large messages to slow ones.
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { maxPerAddress, maxPerConversation, maxPerUser } from './listener-limits.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

let scene: Scene
let base: string
beforeAll(async () => {
  scene = await openScene({ config: { checkAnswers: false } })
  base = await scene.listen()
})
afterAll(() => scene?.close())
const open: { destroy(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) one.destroy()
  await vi.waitFor(() => expect(scene.app.services.signals.listeners).toBe(0), 10_000)
})

async function openConversation() {
  const { headers } = await scene.chatUser()
  const { body } = await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
    headers,
    body: {},
  })
  const id = body.conversation.id as string
  return { headers, id, path: `/chat/${scene.webhookId}/conversations/${id}/listen` }
}

function listen(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(`${base}${path}`, { headers, agent: false }, resolve)
    request.on('error', reject)
    open.push(request)
  })
}

const toStatus = async (listening: Promise<IncomingMessage>) => {
  const response = await listening
  response.on('error', () => {})
  return response.statusCode
}

test('rejects streams of one user past the limit, until others close', async () => {
  const { headers, path } = await openConversation()
  const first = await listen(path, headers)
  first.on('error', () => {})
  for (let i = 1; i < maxPerUser; i++)
    expect(await toStatus(listen(path, headers))).toBe(200)
  expect(await toStatus(listen(path, headers))).toBe(429)
  const socket = new WebSocket(`${base.replace('http', 'ws')}${path}`, { headers })
  const failure = await new Promise<string>((resolve) => {
    socket.on('error', ({ message }) => resolve(message))
    socket.on('open', () => resolve('open'))
  })
  expect(failure).toContain('429')
  const other = await openConversation()
  expect(await toStatus(listen(other.path, other.headers))).toBe(200)
  first.destroy()
  await vi.waitFor(
    async () => expect(await toStatus(listen(path, headers))).toBe(200),
    5_000,
  )
}, 60_000)

/** Counts a stream of an address. */
function enter(
  remoteAddress: string,
  botId: string,
  conversationId: string,
  userId: string,
) {
  const socket = { destroyed: false, remoteAddress, once: () => {} }
  scene.app.services.listenerLimits.enter({ socket, headers: {} } as never, {
    botId,
    conversationId,
    userId,
  })
}

test('limits the streams of a conversation', () => {
  for (let i = 0; i < maxPerConversation; i++) enter('127.0.0.1', 'b', 'c', `u${i}`)
  expect(() => enter('127.0.0.1', 'b', 'c', 'next')).toThrow(
    'One conversation has at most',
  )
})

test('limits the streams of a public address, of all its users and bots', () => {
  const one = (address: string, i: number) =>
    enter(address, `b${i % 7}`, `c${i}`, `u${i}`)
  for (let i = 0; i < maxPerAddress; i++) one('203.0.114.9', i)
  expect(() => one('203.0.114.9', maxPerAddress)).toThrow('One address has at most')
  one('203.0.115.9', maxPerAddress + 1)
  // Behind a proxy without trust, all visitors share its address.
  for (let i = 0; i <= maxPerAddress; i++) one('10.1.2.3', 5_000 + i)
})

/** Returns the largest growth of the memory, in bytes, until the work is done. */
async function growthDuring(work: () => Promise<unknown>): Promise<number> {
  const measure = () => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  collectGarbage()
  const before = measure()
  let peak = before
  const sampling = setInterval(() => (peak = Math.max(peak, measure())), 1)
  await work().finally(() => clearInterval(sampling))
  return Math.max(peak, measure()) - before
}

test('writes large messages to readers in order, and makes no copy for each slow one', async () => {
  const { headers, id, path } = await openConversation()
  const text = 'ä€'.repeat(170_000) // 850 kB
  const slow = await Promise.all(
    Array.from({ length: maxPerUser - 1 }, () => listen(path, headers)),
  )
  for (const one of slow) {
    one.on('error', () => {})
    one.pause()
  }
  const reader = await listen(path, headers)
  let received = ''
  reader.setEncoding('utf8').on('data', (chunk) => (received += chunk))
  await pause(100)
  const { signals } = scene.app.services
  const send = (content: string) => {
    const signal = () => ({ type: 'typing_started', data: { content } }) as const
    signals.publish(scene.botId, id, null, signal)
    const isReceived = () => expect(received).toContain(`${content.slice(-9)}"`)
    return vi.waitFor(isReceived, 20_000)
  }
  // Fills the buffers of the clients, which are in this process, too.
  await send(`${text} warm up`)
  expect(await growthDuring(() => send(`${text} measured`))).toBeLessThan(20 * 2 ** 20)
  await send('the after')
  const contents = received
    .split('\n\n')
    .filter((frame) => frame.includes('data: {'))
    .map((frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)).data.content)
  expect(contents).toEqual([`${text} warm up`, `${text} measured`, 'the after'])
  // A slow reader gets the same when it reads.
  let late = ''
  slow[0]!.setEncoding('utf8').on('data', (chunk) => (late += chunk))
  slow[0]!.resume()
  await vi.waitFor(() => expect(late).toContain('"the after"'), 10_000)
  expect(late).toContain(`${text} measured`)
}, 60_000)
