// Notes between processes, by PostgreSQL and by NATS: each bus stands for one process. NATS may be
// unreachable, reject a process, or drop notes; then PostgreSQL carries them.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
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
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import {
  createNatsServer,
  hasNats,
  type NatsServer,
  noNats,
} from '../../../test/support/nats-server.ts'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import { Bus } from './bus.ts'
import { NatsChannel } from './nats-channel.ts'
import { PostgresChannel } from './postgres-channel.ts'

const log = pino({ level: process.env.BOTSTEAD_TEST_LOG ?? 'silent' })
const key = randomBytes(32)
/** The user `deaf` may publish, but not subscribe. */
const natsConfig = `authorization { users: [
  { user: server, password: "a:b/c" }
  { user: deaf, password: deaf, permissions: { subscribe: { deny: ">" } } }
] }`

let clone: TestDatabase
let database: Database
let folder: string
let nats: NatsServer
/** Payloads that PostgreSQL carried. */
const carried: string[] = []
let spy: pg.Client
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  if (!hasNats) return
  clone = await cloneDatabase()
  database = openDatabase(clone.settings, { log })
  folder = await mkdtemp(join(tmpdir(), 'botstead-nats-'))
  const config = join(folder, 'nats.conf')
  await writeFile(config, natsConfig)
  nats = await createNatsServer(['-c', config])
  await nats.start()
  spy = new pg.Client(clone.settings)
  await spy.connect()
  spy.on('notification', ({ payload = '' }) => carried.push(payload))
  await spy.query('listen botstead')
}, 30_000)
afterAll(async () => {
  await spy?.end()
  await nats?.kill()
  await database?.close()
  await clone?.drop()
  if (folder) await rm(folder, { recursive: true })
})
beforeEach(({ skip }) => skip(!hasNats, noNats))
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  carried.length = 0
})

interface Process {
  bus: Bus
  notes: string[]
  missed: () => number
  others: () => number
}

interface ProcessOptions {
  /** User and password for NATS; null without NATS. */
  user?: string | null
  isAlone?: boolean
  on?: Database
  postgres?: PostgresChannel
}

const server = 'server:a%3Ab%2Fc'

async function openProcess({
  user = null,
  isAlone = false,
  on = database,
  postgres = new PostgresChannel(on),
}: ProcessOptions) {
  const channel =
    user === null
      ? null
      : new NatsChannel({
          urls: [nats.url.replace('//', `//${user}@`)],
          subject: 'botstead.test',
          key,
          log,
        })
  const bus = new Bus({ postgres, nats: channel, log, isAlone: () => isAlone })
  const notes: string[] = []
  const [onMissed, onOther] = [vi.fn(), vi.fn()]
  const onNote = (note: string) => notes.push(JSON.parse(note).text)
  await bus.listen({ onNote, onOther, onConnectionLost: () => {}, onMissed })
  closing.push(() => bus.close())
  const opened: Process & { isOpen: () => boolean } = {
    bus,
    notes,
    missed: () => onMissed.mock.calls.length,
    others: () => onOther.mock.calls.length,
    isOpen: () => channel?.isOpen ?? true,
  }
  return opened
}

/** Opens processes that know each other. */
async function openAll(...all: ProcessOptions[]) {
  const opened: Awaited<ReturnType<typeof openProcess>>[] = []
  for (const options of all) opened.push(await openProcess(options))
  await vi.waitFor(() => expect(opened.every(({ isOpen }) => isOpen())).toBe(true))
  const others = all.some(({ user }) => user) ? opened.length - 1 : 0
  await vi.waitFor(() => expect(opened.every((one) => one.others() >= others)).toBe(true))
  return opened as Process[]
}

const say = ({ bus }: Process, text: string, isVital = false) =>
  bus.publish(() => JSON.stringify({ text }), { isVital })
const isCarried = (text: string) => carried.some((payload) => payload.includes(text))
const texts = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => name + i)

describe.each([
  { by: 'PostgreSQL', user: null },
  { by: 'NATS', user: server },
])('by $by', ({ user }) => {
  test('each process receives the notes of the others once and in order', async () => {
    const processes = await openAll({ user }, { user }, { user })
    for (let i = 0; i < 300; i++) {
      for (const [at, process] of processes.entries()) say(process, `${at} ${i}`)
      if (i % 50 === 0) await pause(5)
    }
    for (const [at, { notes }] of processes.entries()) {
      await vi.waitFor(() => expect(notes).toHaveLength(600))
      for (const other of [0, 1, 2])
        expect(notes.filter((note) => note.startsWith(`${other} `))).toEqual(
          other === at ? [] : texts(`${other} `, 300),
        )
    }
    expect(isCarried('0 299')).toBe(user === null)
    // Nothing was missed, also according to the confirmation that PostgreSQL carries.
    await pause(1_500)
    expect(processes.map(({ missed }) => missed())).toEqual([0, 0, 0])
  })

  test('replaces a note above 7,000 bytes by its shorter form, or drops it', async () => {
    const [sender, receiver] = (await openAll({ user }, { user })) as [Process, Process]
    const note = (bytes: number) => JSON.stringify({ text: 'é'.repeat((bytes - 11) / 2) })
    expect(Buffer.byteLength(note(6_999))).toBe(6_999)
    const shorter = () => JSON.stringify({ text: 'shorter' })
    sender.bus.publish(() => note(6_999), { shorter })
    sender.bus.publish(() => note(7_001), { shorter })
    sender.bus.publish(() => note(7_001))
    say(sender, 'last')
    await vi.waitFor(() => expect(receiver.notes).toHaveLength(3))
    expect(receiver.notes.map(({ length }) => length)).toEqual([6_988 / 2, 7, 4])
  })

  test('makes no notes while no other process exists', async () => {
    const { bus } = await openProcess({ user, isAlone: true })
    const make = vi.fn(() => '{}')
    bus.publish(make)
    expect(make).not.toHaveBeenCalled()
  })

  test('reports lost connections, and continues to deliver', async () => {
    const [sender, receiver] = (await openAll({ user }, { user })) as [Process, Process]
    say(sender, 'before')
    await vi.waitFor(() => expect(receiver.notes).toEqual(['before']))
    if (user) await nats.kill()
    else
      await spy.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query = 'listen botstead' and pid <> pg_backend_pid()`)
    await vi.waitFor(() => expect(receiver.missed()).toBeGreaterThan(0))
    say(sender, 'after')
    await vi.waitFor(() => expect(receiver.notes.at(-1)).toBe('after'))
    if (user) await nats.start()
  })
})

test('a slow statement does not change the order of notes', async () => {
  class SlowChannel extends PostgresChannel {
    override async send(payloads: string[]) {
      if (payloads[0]!.includes('slow')) await pause(200)
      return super.send(payloads)
    }
  }
  const [sender, receiver] = (await openAll(
    { postgres: new SlowChannel(database) },
    {},
  )) as [Process, Process]
  for (const text of ['slow', 'first', 'second']) {
    say(sender, text)
    await pause(20)
  }
  await vi.waitFor(() => expect(receiver.notes).toEqual(['slow', 'first', 'second']))
})

test('PostgreSQL carries vital notes in any case', async () => {
  const [sender, receiver] = (await openAll({ user: server }, { user: server })) as [
    Process,
    Process,
  ]
  say(sender, 'vital', true)
  await vi.waitFor(() => expect(receiver.notes).toEqual(['vital', 'vital']))
  expect(isCarried('vital')).toBe(true)
})

test('PostgreSQL carries notes while NATS is unreachable', {
  timeout: 20_000,
}, async () => {
  await nats.kill()
  const sender = await openProcess({ user: server })
  const receiver = await openProcess({ user: server })
  say(sender, 'by PostgreSQL')
  await vi.waitFor(() => expect(receiver.notes).toEqual(['by PostgreSQL']))
  await nats.start()
  await vi.waitFor(() =>
    expect([sender.isOpen(), receiver.isOpen()]).toEqual([true, true]),
  )
  say(sender, 'by NATS')
  await vi.waitFor(() => expect(receiver.notes.at(-1)).toBe('by NATS'))
  expect(['by PostgreSQL', 'by NATS'].map(isCarried)).toEqual([true, false])
})

test('PostgreSQL carries the notes of a process with wrong credentials', async () => {
  const [wrong, right] = [
    await openProcess({ user: 'server:wrong' }),
    await openProcess({ user: server }),
  ]
  say(wrong, 'hello')
  await vi.waitFor(() => expect(right.notes).toEqual(['hello']))
})

test.each([
  ['is not delivered by NATS', 'deaf:deaf'],
  ['is sent to a process without NATS', null],
])(
  'a note that %s is reported as missed, and PostgreSQL carries the next ones',
  async (_, user) => {
    const [sender, receiver] = (await openAll({ user: server }, { user })) as [
      Process,
      Process,
    ]
    const missedBefore = receiver.missed()
    say(sender, 'dropped')
    await vi.waitFor(() => expect(receiver.missed()).toBe(missedBefore + 1))
    expect(receiver.notes).toEqual([])
    await vi.waitFor(() => {
      say(sender, 'next')
      expect(receiver.notes).toContain('next')
    })
    expect(isCarried('next')).toBe(true)
  },
)

test('a process that starts later receives notes by NATS', async () => {
  const [sender] = (await openAll({ user: server }, { user: server })) as [Process]
  say(sender, 'earlier')
  await vi.waitFor(() =>
    expect(carried.some((payload) => / 1$/.test(payload))).toBe(true),
  )
  const receiver = await openProcess({ user: server })
  await vi.waitFor(() => expect(receiver.isOpen() && receiver.others() > 0).toBe(true))
  await pause(100)
  say(sender, 'later')
  await vi.waitFor(() => expect(receiver.notes).toEqual(['later']))
  expect(isCarried('later')).toBe(false)
})

test('processes on another database receive nothing, even with the same subject', async () => {
  const elsewhere = await cloneDatabase()
  const on = openDatabase(elsewhere.settings, { log })
  closing.push(() => on.close().then(() => elsewhere.drop()))
  const stranger = await openProcess({ user: server, on })
  const [sender, receiver] = (await openAll({ user: server }, { user: server })) as [
    Process,
    Process,
  ]
  await vi.waitFor(() => expect(stranger.isOpen()).toBe(true))
  say(sender, 'private')
  await vi.waitFor(() => expect(receiver.notes).toEqual(['private']))
  await pause(200)
  expect([stranger.notes, stranger.others()]).toEqual([[], 0])
})
