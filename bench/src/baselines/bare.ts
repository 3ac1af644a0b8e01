// Baseline for turns: a minimal program with Fastify, pg, one durable statement per step, a bot in
// a child process over stdio, answers over HTTP, and server-sent events. No authentication,
// validation, tenants, retries or shared commits. It writes the same rows as the server: message
// with number, event and delivery; the answer; the end of the delivery, which a crash may lose.
// With BARE_SHARED=1 it is the second baseline: the same with the server's techniques, shared
// commits and frames to the bot's process.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import fastify from 'fastify'
import type pg from 'pg'
import { onFrames, sendFrame } from './bare-frames.ts'
import { bareSchema, readMessages } from './bare-sql.ts'
import { openSharedStore, openStore } from './bare-store.ts'

interface NewMessage {
  conversationId: string
  userId: string
  payload: { type: string; text: string }
}

const settings = JSON.parse(process.env.BARE_DATABASE ?? '{}') as pg.PoolConfig
const isShared = process.env.BARE_SHARED === '1'
const { pool, write, end } = isShared ? openSharedStore(settings) : openStore(settings)
await pool.query(bareSchema)

const listeners = new Map<string, Set<ServerResponse>>()
function publish(conversationId: string, data: object) {
  const frame = `data: ${JSON.stringify({ type: 'message_created', data })}\n\n`
  for (const listener of listeners.get(conversationId) ?? []) listener.write(frame)
}

const waiting = new Map<string, () => void>()
const finish = (deliveryId: string) => {
  waiting.get(deliveryId)?.()
  waiting.delete(deliveryId)
}
interface Bot {
  child: ChildProcess
  send(message: object): void
}
let bot: Bot | null = null
function startBot(): Bot {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./bare-bot.js', import.meta.url))],
    {
      stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
      env: {
        API: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
        ...(isShared && { FRAMED: '1' }),
      },
    },
  )
  const socket = child.stdio[3] as Socket
  for (const stream of [child.stdin!, socket]) stream.on('error', () => {})
  if (isShared) {
    onFrames(socket, ({ deliveryId }) => finish(deliveryId))
    return { child, send: (message) => sendFrame(socket, message) }
  }
  createInterface({ input: child.stdout! }).on('line', finish)
  return {
    child,
    send: (message) => void child.stdin!.write(`${JSON.stringify(message)}\n`),
  }
}

async function deliver(due: { deliveryId: string; eventId: string }, message: object) {
  bot ??= startBot()
  const { deliveryId } = due
  const answered = new Promise<void>((resolve) => waiting.set(deliveryId, resolve))
  bot.send({ deliveryId, message })
  await answered
  await end(due)
}

const server = fastify()
server.post('/conversations', async (_request, reply) => {
  const id = randomUUID()
  await pool.query('insert into conversation (id) values ($1)', [id])
  return reply.code(201).send({ conversation: { id } })
})
server.post<{ Body: NewMessage }>('/messages', async ({ body }, reply) => {
  const [id, eventId, deliveryId] = [randomUUID(), randomUUID(), randomUUID()]
  const due = { eventId, deliveryId }
  const createdAt = await write({ id, ...body, due })
  const message = { id, ...body, createdAt, isBot: false }
  publish(body.conversationId, message)
  void deliver(due, message)
  return reply.code(201).send({ message })
})
server.post<{ Body: NewMessage }>('/answers', async ({ body }, reply) => {
  const id = randomUUID()
  const createdAt = await write({ id, ...body, due: null })
  const message = { id, ...body, createdAt, isBot: true }
  publish(body.conversationId, message)
  return reply.code(201).send({ message })
})
server.get<{ Params: { id: string } }>(
  '/conversations/:id/messages',
  async ({ params }) => {
    const { rows } = await pool.query({
      name: 'list',
      text: readMessages,
      values: [params.id],
    })
    return { messages: rows, meta: {} }
  },
)
server.get<{ Params: { id: string } }>('/conversations/:id/listen', (request, reply) => {
  reply.hijack()
  const { id } = request.params
  const set = listeners.get(id) ?? new Set()
  listeners.set(id, set.add(reply.raw))
  request.raw.on('close', () => set.delete(reply.raw))
  reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
})
server.post('/bot/stop', async () => {
  bot?.child.kill()
  bot = null
  return {}
})

await server.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(
  `${JSON.stringify({ port: (server.server.address() as AddressInfo).port })}\n`,
)
process.on('SIGTERM', () => {
  bot?.child.kill()
  process.exit(0)
})
