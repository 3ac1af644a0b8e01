// Baseline for turns: a minimal program with Fastify, pg, one durable statement per step, a bot in
// a child process over stdio, answers over HTTP, and server-sent events. No authentication,
// validation, tenants, retries or shared commits. It writes the same rows as the server: message
// with number, event and delivery; the answer; the end of the delivery, which a crash may lose.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import fastify from 'fastify'
import pg from 'pg'
import { bareSchema, readMessages, writeEnd, writeIncoming, writeOutgoing } from './bare-sql.ts'

interface NewMessage {
  conversationId: string
  userId: string
  payload: { type: string; text: string }
}

const settings = JSON.parse(process.env.BARE_DATABASE ?? '{}') as pg.PoolConfig
const pool = new pg.Pool({ ...settings, max: 10 })
const lazyPool = new pg.Pool({ ...settings, max: 2, options: '-c synchronous_commit=off' })
for (const each of [pool, lazyPool]) each.on('error', () => {})
await pool.query(bareSchema)

const listeners = new Map<string, Set<ServerResponse>>()
function publish(conversationId: string, data: object) {
  const frame = `data: ${JSON.stringify({ type: 'message_created', data })}\n\n`
  for (const listener of listeners.get(conversationId) ?? []) listener.write(frame)
}

const waiting = new Map<string, () => void>()
let bot: ChildProcess | null = null
function startBot(): ChildProcess {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./bare-bot.js', import.meta.url))],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { API: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}` },
    },
  )
  child.stdin!.on('error', () => {})
  createInterface({ input: child.stdout! }).on('line', (line) => {
    waiting.get(line)?.()
    waiting.delete(line)
  })
  return child
}

async function deliver(deliveryId: string, eventId: string, message: object) {
  bot ??= startBot()
  const answered = new Promise<void>((resolve) => waiting.set(deliveryId, resolve))
  bot.stdin!.write(`${JSON.stringify({ deliveryId, message })}\n`)
  await answered
  await lazyPool.query({ name: 'end', text: writeEnd, values: [deliveryId, eventId] })
}

const server = fastify()
server.post('/conversations', async (_request, reply) => {
  const id = randomUUID()
  await pool.query('insert into conversation (id) values ($1)', [id])
  return reply.code(201).send({ conversation: { id } })
})
server.post<{ Body: NewMessage }>('/messages', async ({ body }, reply) => {
  const [id, eventId, deliveryId] = [randomUUID(), randomUUID(), randomUUID()]
  const { rows } = await pool.query({
    name: 'in',
    text: writeIncoming,
    values: [
      body.conversationId,
      id,
      body.userId,
      body.payload.type,
      body.payload,
      eventId,
      deliveryId,
    ],
  })
  const message = { id, ...body, createdAt: rows[0].created_at, isBot: false }
  publish(body.conversationId, message)
  void deliver(deliveryId, eventId, message)
  return reply.code(201).send({ message })
})
server.post<{ Body: NewMessage }>('/answers', async ({ body }, reply) => {
  const id = randomUUID()
  const { rows } = await pool.query({
    name: 'out',
    text: writeOutgoing,
    values: [body.conversationId, id, body.userId, body.payload.type, body.payload],
  })
  const message = { id, ...body, createdAt: rows[0].created_at, isBot: true }
  publish(body.conversationId, message)
  return reply.code(201).send({ message })
})
server.get<{ Params: { id: string } }>('/conversations/:id/messages', async ({ params }) => {
  const { rows } = await pool.query({ name: 'list', text: readMessages, values: [params.id] })
  return { messages: rows, meta: {} }
})
server.get<{ Params: { id: string } }>('/conversations/:id/listen', (request, reply) => {
  reply.hijack()
  const { id } = request.params
  const set = listeners.get(id) ?? new Set()
  listeners.set(id, set.add(reply.raw))
  request.raw.on('close', () => set.delete(reply.raw))
  reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
})
server.post('/bot/stop', async () => {
  bot?.kill()
  bot = null
  return {}
})

await server.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ port: (server.server.address() as AddressInfo).port })}\n`)
process.on('SIGTERM', () => {
  bot?.kill()
  process.exit(0)
})
