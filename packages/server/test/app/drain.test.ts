// A server process that stops while people talk: it drains, as a proxy with health checks needs it.
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type ChatPeople, openChatPeople } from '../support/chat-people.ts'
import { type RunningServer, runServer } from '../support/running-server.ts'

const drainSeconds = 3

let server: RunningServer
let people: ChatPeople
beforeAll(async () => {
  server = await runServer({ BOTSTEAD_DRAIN_SECONDS: String(drainSeconds) })
}, 60_000)
afterAll(() => server?.remove(), 30_000)
beforeEach(async () => {
  people = await openChatPeople(() => server.credentials.chatUrl, 20)
})
afterEach(async () => {
  people.close()
  await server.start()
}, 30_000)

/** Sends a request and returns its status and the `connection` header. */
function call(
  path: string,
  agent?: Agent,
): Promise<{ status: number; connection?: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      server.credentials.url + path,
      { ...(agent && { agent }) },
      (response) => {
        response.resume()
        const { statusCode = 0, headers } = response
        response.once('end', () =>
          resolve({ status: statusCode, connection: headers.connection }),
        )
      },
    )
    sent.once('error', reject).end()
  })
}

test('is not ready while it drains, but serves new and old connections, and closes each', {
  timeout: 30_000,
}, async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect(await call('/healthz', agent)).toEqual({ status: 200, connection: 'keep-alive' })
  const stopped = server.stop()
  await pause(200)
  expect(await call('/healthz', agent)).toEqual({ status: 200, connection: 'close' })
  expect(await call('/readyz')).toEqual({ status: 503, connection: 'close' })
  const [person] = people.people
  expect((await people.say(person!, 'late')).status).toBe(201)
  expect(await stopped).toBe(0)
  await expect(call('/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('answers every request of clients that leave it when it is no longer ready', {
  timeout: 30_000,
}, async () => {
  const leave = new AbortController()
  const talking = people.talk(0, leave.signal)
  const sent = () => people.people.flatMap(({ said }) => said)
  await vi.waitFor(() => expect(sent().length).toBeGreaterThan(100), 10_000)
  const stopped = server.stop()
  await pause(1_000) // when a proxy noticed, at the latest
  leave.abort()
  await talking
  expect(await stopped).toBe(0)
  expect(sent().filter(({ status }) => status !== 201)).toEqual([])
})

/** A connection to the server without a request. `closed` resolves with everything received. */
async function openConnection() {
  const socket = connect(Number(new URL(server.credentials.url).port), '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += chunk
  })
  const closed = new Promise<string>((resolve) =>
    socket.once('close', () => resolve(received)),
  )
  return { socket, closed }
}

test('completes a request that takes longer than the drain time', {
  timeout: 30_000,
}, async () => {
  const [person] = people.people
  const { conversationId, key } = person!
  const body = JSON.stringify({ conversationId, payload: { type: 'text', text: 'slow' } })
  const { pathname } = new URL(`${server.credentials.chatUrl}/messages`)
  const { socket, closed } = await openConnection()
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nhost: localhost\r\nx-user-key: ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  )
  await pause(200)
  const stopped = server.stop()
  await pause(drainSeconds * 1000 + 4_500)
  socket.write(body.slice(10))
  expect(await closed).toMatch(/^HTTP\/1\.1 201 .*connection: close/is)
  expect(await stopped).toBe(0)
})

test('answers a request on a connection that was opened in advance', {
  timeout: 30_000,
}, async () => {
  const { socket, closed } = await openConnection()
  const stopped = server.stop()
  while (await call('/healthz').catch(() => null)) await pause(10)
  socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
  expect(await closed).toMatch(/^HTTP\/1\.1 503 .*nothing was changed/is)
  expect(await stopped).toBe(0)
})
