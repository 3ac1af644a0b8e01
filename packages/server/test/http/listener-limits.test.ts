// Many listeners of a visitor, and large messages to slow ones.
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { maxPerConversation, maxPerUser } from '../../src/http/listener-limits.ts'
import { openScene, type Scene } from '../support/scene.ts'

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
  for (let i = 1; i < maxPerUser; i++) expect(await toStatus(listen(path, headers))).toBe(200)
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
  await vi.waitFor(async () => expect(await toStatus(listen(path, headers))).toBe(200), 5_000)
}, 60_000)

test('limits the streams of a conversation', () => {
  const { listenerLimits } = scene.app.services
  const socket = { destroyed: false, remoteAddress: '127.0.0.1', once: () => {} }
  const enter = (i: number) =>
    listenerLimits.enter({ socket, headers: {} } as never, {
      botId: 'b',
      conversationId: 'c',
      userId: `u${i}`,
    })
  for (let i = 0; i < maxPerConversation; i++) enter(i)
  expect(() => enter(maxPerConversation)).toThrow('One conversation has at most')
})

test('writes large messages to readers in order, and holds no copy for each slow one', async () => {
  const { headers, id, path } = await openConversation()
  const text = 'ä€'.repeat(150_000) // 750 kB
  const slow = await Promise.all(Array.from({ length: 60 }, () => listen(path, headers)))
  for (const one of slow) {
    one.on('error', () => {})
    one.pause()
  }
  const reader = await listen(path, headers)
  let received = ''
  reader.setEncoding('utf8').on('data', (chunk) => (received += chunk))
  await pause(100)
  const { signals } = scene.app.services
  const before = process.memoryUsage()
  const send = (content: string) =>
    signals.publish(scene.botId, id, null, () => ({
      type: 'typing_started',
      data: { content },
    }))
  send('before')
  send(text)
  send('after')
  await vi.waitFor(() => expect(received).toContain('"after"'), 10_000)
  const { external, arrayBuffers } = process.memoryUsage()
  expect(external - before.external).toBeLessThan(20 * 2 ** 20)
  expect(arrayBuffers - before.arrayBuffers).toBeLessThan(20 * 2 ** 20)
  const contents = received
    .split('\n\n')
    .filter((frame) => frame.includes('data: {'))
    .map((frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)).data.content)
  expect(contents).toEqual(['before', text, 'after'])
  // A slow reader gets the same when it reads.
  let late = ''
  slow[0]!.setEncoding('utf8').on('data', (chunk) => (late += chunk))
  slow[0]!.resume()
  await vi.waitFor(() => expect(late).toContain('"after"'), 10_000)
  expect(late).toContain(text)
}, 60_000)
