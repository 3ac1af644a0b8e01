// A request that is answered 503 had no effect: clients retry it at once.
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  test,
  vi,
} from 'vitest'
import { withDatabaseName } from '../../../../test/support/database-names.ts'
import { expectTyped } from '../../../../test/support/raw-http.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { createHooks } from '../../../app/hooks.ts'
import { readConfig } from '../../config/config.ts'
import { openMetrics } from '../../telemetry/metrics.ts'
import { openLimitedCalls } from '../rates/limited-calls.ts'
import { toApiError } from '../reply-error.ts'
import { createServer } from '../server.ts'

let scene: Scene
let user: { headers: Record<string, string> }
let outside: pg.Client
beforeAll(async () => {
  scene = await openScene()
  user = await scene.chatUser()
  outside = new pg.Client(withDatabaseName(inject('databaseServer'), 'postgres'))
  await outside.connect()
})
afterAll(async () => {
  await scene.close()
  await outside.end()
})

const create = (id: string) =>
  scene.app.server.inject({
    method: 'POST',
    url: `/chat/${scene.webhookId}/conversations`,
    headers: { ...user.headers, 'content-type': 'application/json' },
    payload: { id },
  })
const databaseName = async () =>
  (
    await scene.app.services.db
      .selectNoFrom(({ fn }) => fn<string>('current_database', []).as('name'))
      .executeTakeFirstOrThrow()
  ).name

test('creates a conversation if and only if it answered 201, while database connections break', async () => {
  const name = await databaseName()
  const allow = (yes: boolean) =>
    outside.query(`alter database ${name} with allow_connections ${yes}`)
  const cut = () =>
    outside.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [name],
    )
  const outcomes = new Map<string, number>()
  let going = true
  let count = 0
  const callers = Array.from({ length: 8 }, async () => {
    while (going) {
      const id = `c${count++}`
      const reply = await create(id)
      outcomes.set(id, reply.statusCode)
      if (reply.statusCode === 503) {
        expectTyped(503, reply.json(), 'Unavailable')
        expect(reply.headers['retry-after']).toBe('1')
        await pause(5)
      }
    }
  })
  for (let round = 0; round < 6; round++) {
    await pause(100)
    await cut()
    await pause(50)
    await allow(false)
    await cut()
    await pause(100)
    await allow(true)
  }
  await pause(300)
  going = false
  await Promise.all(callers)

  const rows = await scene.app.services.db
    .selectFrom('conversation')
    .select('fid')
    .where('bot_id', '=', scene.botId)
    .execute()
  const there = new Set(rows.map(({ fid }) => fid))
  const having = (status: number) =>
    [...outcomes].filter(([, got]) => got === status).map(([id]) => id)
  expect(having(201).filter((id) => !there.has(id))).toEqual([])
  expect(having(503).filter((id) => there.has(id))).toEqual([])
  expect(having(201).length).toBeGreaterThan(5)
  expect(having(503).length).toBeGreaterThan(5)
  // 500 for a connection that broke during a statement: it may have committed, so clients must not
  // retry.
  expect(
    [...new Set(outcomes.values())].filter((status) => ![201, 503, 500].includes(status)),
  ).toEqual([])
})

test.each([
  ['Connection terminated unexpectedly', {}],
  ['read ECONNRESET', { code: 'ECONNRESET', syscall: 'read' }],
])(
  'does not answer 503 if the statement may have committed: %s',
  (message, properties) => {
    expect(toApiError(Object.assign(new Error(message), properties)).type).toBe(
      'Internal',
    )
  },
)

test.each([
  ['', { code: 'ECONNREFUSED', syscall: 'connect' }],
  ['', { code: 'ENOENT', syscall: 'connect' }],
  ['', { code: '57P03' }],
  ['', { code: '53100' }],
  ['timeout exceeded when trying to connect', {}],
])('answers 503 if no statement ran: "%s" %j', (message, properties) => {
  expect(toApiError(Object.assign(new Error(message), properties)).type).toBe(
    'Unavailable',
  )
})

describe('while the server stops', () => {
  let server: FastifyInstance
  let base: { port: number; host: string }
  let letGo: () => void
  let heldRequests = 0
  const effects: string[] = []
  beforeEach(async () => {
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    server = createServer({
      config: { ...readConfig({}), shutdownSeconds: 0.5 },
      log: pino({ level: 'silent' }),
      metrics: openMetrics(),
      limitedCalls: openLimitedCalls(),
      hooks: createHooks(),
    })
    heldRequests = 0
    server.get('/held', () => {
      heldRequests++
      return held.then(() => ({}))
    })
    server.post('/effect', async () => effects.push('effect'))
    await server.listen({ host: '127.0.0.1', port: 0 })
    base = { host: '127.0.0.1', port: (server.server.address() as AddressInfo).port }
  })

  /** Opens a connection. `ended` resolves to the received text when it is closed. */
  function open(sent = '') {
    const socket = connect(base, () => socket.write(sent))
    let got = ''
    socket.on('data', (chunk) => (got += chunk))
    socket.on('error', () => {})
    return {
      socket,
      ended: new Promise<string>((resolve) => socket.on('close', () => resolve(got))),
    }
  }
  const get = 'GET /held HTTP/1.1\r\nhost: here\r\n\r\n'

  test('answers requests in progress, and 503 with retry-after to later ones', async () => {
    const { socket, ended } = open(get)
    await vi.waitFor(() => expect(heldRequests).toBe(1), 10_000)
    const closed = server.close()
    await pause(50)
    socket.write('POST /effect HTTP/1.1\r\nhost: here\r\ncontent-length: 0\r\n\r\n')
    await pause(50)
    letGo()
    await closed
    const [first, second = ''] = (await ended).split(/(?=HTTP\/1\.1)/)
    expect(first).toMatch(/^HTTP\/1\.1 200 /)
    expect(second).toMatch(/^HTTP\/1\.1 503 /)
    expect(second).toMatch(/\r\nretry-after: 1\r\n/)
    expectTyped(503, JSON.parse(second.split('\r\n\r\n')[1]!), 'Unavailable')
    expect(effects).toEqual([])
  })

  test('closes idle connections soon and endless requests at its time limit', async () => {
    const silent = [open(), open('GET /he')]
    await pause(300)
    const began = Date.now()
    const endless = open(get)
    await pause(300)
    const closed = server.close()
    expect(await Promise.all(silent.map(({ ended }) => ended))).toEqual(['', ''])
    expect(endless.socket.destroyed).toBe(false)
    await closed
    expect(await endless.ended).toBe('')
    expect(Date.now() - began).toBeGreaterThan(450)
  })
})
