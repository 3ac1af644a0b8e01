// Exceptions in every kind of callback: the process serves on, counts and logs them, and answers
// 500 to the request that caused one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { captureLog } from '../../../test/support/captured-log.ts'
import { expectRejected, expectTyped, rawReply } from '../../../test/support/raw-http.ts'
import { runServer } from '../../../test/support/running-server.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { surviveExceptions } from './uncaught.ts'

const fail = (): never => {
  throw new Error('a bug')
}
const never = () => new Promise<void>(() => {})

/** Each leaves its request without an answer, except by the exception. */
const callbacks: Record<
  string,
  (request: FastifyRequest, reply: FastifyReply) => unknown
> = {
  handler: fail,
  'asynchronous handler': async () => fail(),
  'handler that throws no error': async () => Promise.reject(undefined),
  timer: () => void setTimeout(fail, 1),
  immediate: () => void setImmediate(fail),
  tick: () => void process.nextTick(fail),
  'promise callback': () => void Promise.resolve().then(fail),
  'floating rejection': () => void Promise.reject(new Error('a bug')),
  'rejection without an error': () => void Promise.reject(null),
  'callback after an await': () => {
    const work = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      fail()
    }
    void work()
    return never()
  },
  'event of a stream': () => void Readable.from(['a']).on('data', fail),
  'stream without a listener of errors': () => void new Readable({ read: fail }).resume(),
  'event of a socket': () => void connect(echoPort()).on('connect', fail),
  'socket without a listener of errors': () => void connect(1, '127.0.0.1'),
  'event of a child': () => void spawn(process.execPath, ['--version']).on('exit', fail),
  'child without a listener of errors': () => void spawn('/nowhere/nothing'),
}

let scene: Scene
let base: string
let echo: Server
const echoPort = () => (echo.address() as { port: number }).port
const { log, text } = captureLog()
const events = ['uncaughtException', 'unhandledRejection'] as const
const listeners = events.map(
  (event) => [event, process.listeners(event as 'exit')] as const,
)

beforeAll(async () => {
  scene = await openScene({ log })
  // The test runner has its own handlers.
  for (const event of events) process.removeAllListeners(event)
  const end = surviveExceptions(scene.app.services)
  onEnd = () => {
    end()
    for (const [event, before] of listeners)
      for (const one of before) process.on(event as 'exit', one)
  }
  echo = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const { server } = scene.app
  server.get('/throwing/:name', (request, reply) =>
    callbacks[(request.params as { name: string }).name]!(request, reply),
  )
  // Not for the response to the exception.
  const isFirst = (reply: FastifyReply) => reply.statusCode === 200
  server.get(
    '/throwing/onSend',
    { onSend: (_request, reply, _payload, done) => (isFirst(reply) ? fail() : done()) },
    async () => 'sent',
  )
  server.get(
    '/throwing/asynchronousOnSend',
    { onSend: async (_request, reply) => void (isFirst(reply) && fail()) },
    async () => 'sent',
  )
  server.get('/throwing/begun', (_request, reply) => {
    reply.hijack()
    reply.raw.write('begun')
    setTimeout(fail, 1)
  })
  base = await scene.listen()
})
let onEnd = () => {}
afterAll(async () => {
  onEnd()
  echo?.close()
  await scene?.close()
})

const ask = (path: string) =>
  fetch(`${base}/throwing/${path}`, { signal: AbortSignal.timeout(5_000) })
const count = async () => {
  const metrics = await (await fetch(`${base}/metrics`)).text()
  return [
    ...metrics.matchAll(/^botstead_uncaught_exceptions_total\{.*\} (\d+)$/gm),
  ].reduce((sum, [, value]) => sum + Number(value), 0)
}

test('counts and logs the first exception', async () => {
  const before = await count()
  setTimeout(() => {
    throw new Error('the first bug')
  })
  await vi.waitFor(async () => expect(await count()).toBe(before + 1))
  expect(text()).toContain('the first bug')
})

test.each([...Object.keys(callbacks), 'onSend', 'asynchronousOnSend'])(
  'answers 500 after an exception in: %s',
  async (name) => {
    const answer = await ask(encodeURIComponent(name))
    expect(answer.status).toBe(500)
    expectTyped(500, await answer.json(), 'Internal')
    expect((await fetch(`${base}/healthz`)).status).toBe(200)
  },
)

test('serves on after an exception in a microtask, which belongs to no request', async () => {
  const before = await count()
  queueMicrotask(fail)
  await vi.waitFor(async () => expect(await count()).toBe(before + 1))
})

test('answers only the request that caused the exception', async () => {
  const { headers } = await scene.chatUser()
  const others = Array.from({ length: 20 }, () =>
    fetch(`${base}/chat/${scene.webhookId}/users/me`, { headers }),
  )
  const answers = await Promise.all([ask('timer'), ...others, ask('tick')])
  expect(answers.map(({ status }) => status)).toEqual([
    500,
    ...others.map(() => 200),
    500,
  ])
})

test('ends a response that has begun', async () => {
  await expect(ask('begun').then((answer) => answer.text())).rejects.toThrow()
})

const handshake =
  'GET /chat/x/conversations/y/listen HTTP/1.1\r\nHost: here\r\nconnection: Upgrade\r\n' +
  'upgrade: websocket\r\n' +
  'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

test('answers 500 after an exception in the handler of an upgrade', async () => {
  const spy = vi
    .spyOn(scene.app.services.relocations, 'isEmpty', 'get')
    .mockImplementation(fail)
  onTestFinished(() => spy.mockRestore())
  expectRejected(await rawReply(base, handshake), 500, 'Internal')
})

test('ends an upgrade after an exception in a callback of its handler', async () => {
  const spy = vi
    .spyOn(scene.app.services.relocations, 'isEmpty', 'get')
    .mockImplementation(() => {
      setTimeout(fail)
      return true
    })
  onTestFinished(() => spy.mockRestore())
  vi.spyOn(scene.app.services.callers, 'chat').mockImplementation(never as never)
  onTestFinished(() => void vi.restoreAllMocks())
  await expect(rawReply(base, handshake)).rejects.toThrow('Closed')
})

test('logs no more than some lines a minute, and counts all', async () => {
  const before = await count()
  for (let i = 0; i < 200; i++) setImmediate(fail)
  await vi.waitFor(async () => expect(await count()).toBe(before + 200))
  expect(text().split('"uncaught exception"').length).toBeLessThan(130)
})

test('a running server serves on', async () => {
  const throwing =
    'process.on("SIGUSR2",()=>{Promise.reject(new Error("bug"));throw new Error("bug")})'
  const server = await runServer({
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(throwing)}`,
  })
  onTestFinished(() => server.remove())
  process.kill(server.pid(), 'SIGUSR2')
  await vi.waitFor(async () => {
    const metrics = await (await fetch(`${server.credentials.url}/metrics`)).text()
    expect(metrics).toContain('botstead_uncaught_exceptions_total{kind="exception"} 1')
    expect(metrics).toContain('botstead_uncaught_exceptions_total{kind="rejection"} 1')
  })
  expect(await server.stop()).toBe(0)
}, 60_000)
