// Listening, against a real process: thousands of idle listeners, listeners that do not read,
// connections cut at any byte, and a killed server. A listener that resumes receives every signal
// once. BOTSTEAD_LISTENERS=10000 and STREAM_CUTS=1000 run for a night; SEED=… repeats a run.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import {
  type ChatPeople,
  openChatPeople,
  type Person,
} from '../../../test/support/chat-people.ts'
import { isLong } from '../../../test/support/long-tests.ts'
import { createRandom, type Random, seed } from '../../../test/support/random.ts'
import { type RunningServer, runServer } from '../../../test/support/running-server.ts'
import { openSseReader, type SseReader } from '../../../test/support/sse-reader.ts'

const listeners = Number(process.env.BOTSTEAD_LISTENERS ?? 2_000)
const cuts = Number(process.env.STREAM_CUTS ?? (isLong ? 300 : 60))

let server: RunningServer
let people: ChatPeople
let chance: Random
/** Opened first and checked last, because pings are rare. */
let idle: SseReader

beforeAll(async () => {
  console.log(`SEED=${seed}`)
  chance = createRandom()
  server = await runServer({ BOTSTEAD_SHUTDOWN_SECONDS: '5' })
  people = await openChatPeople(() => server.credentials.chatUrl, 6)
  // The bot must not answer.
  await admin('PUT', `/v1/admin/bots/${server.credentials.botId}`, { blocked: true })
  idle = listen(people.people[5]!)
  await idle.open()
}, 90_000)
afterAll(async () => {
  people?.close()
  await server?.remove()
}, 60_000)

async function admin(
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const { url, token, workspaceId } = server.credentials
  const given = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'content-type': 'application/json',
    ...headers,
  }
  const reply = await fetch(url + path, {
    method,
    headers: given,
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  return reply.json()
}
const asBot = (path: string, body: unknown) =>
  admin('POST', path, body, { 'x-bot-id': server.credentials.botId })
const sendAsBot = (conversationId: string, text: string, metadata?: unknown) =>
  asBot('/v1/chat/messages', {
    conversationId,
    userId: server.credentials.botId,
    type: 'text',
    tags: {},
    payload: { text, ...(metadata !== undefined && { metadata }) },
  })
const publishStream = (conversationId: string, signal: unknown) =>
  asBot('/v1/chat/actions', {
    type: 'chat:publishMessageStream',
    input: { conversationId, signal },
  })

const listen = ({ conversationId, key }: Person, lastId?: string) =>
  openSseReader(
    () => `${server.credentials.chatUrl}/conversations/${conversationId}/listen`,
    key,
    lastId,
  )

const texts = ({ frames }: SseReader) =>
  frames
    .filter(({ type }) => type === 'message_created')
    .map(({ data }) => data.payload.text as string)

const status = (field: string) =>
  Number(
    new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(
      readFileSync(`/proc/${server.pid()}/status`, 'utf8'),
    )![1],
  ) * 1024
const openFiles = () => readdirSync(`/proc/${server.pid()}/fd`).length
const linux = process.platform === 'linux'

test(`${listeners} idle listeners cost little memory, receive each message once, and release everything`, {
  timeout: 60_000,
}, async () => {
  // One person may open 100 streams.
  const crowded = await openChatPeople(
    () => server.credentials.chatUrl,
    Math.ceil(listeners / 100),
  )
  const sayToAll = (text: string) =>
    Promise.all(crowded.people.map((person) => crowded.say(person, text)))
  await sayToAll('before')
  await pause(600)
  const filesBefore = linux ? openFiles() : 0
  const rssBefore = linux ? status('VmRSS') : 0
  const crowd = Array.from({ length: listeners }, (_, i) =>
    listen(crowded.people[i % crowded.people.length]!),
  )
  for (let from = 0; from < crowd.length; from += 100) {
    const statuses = await Promise.all(
      crowd.slice(from, from + 100).map((reader) => reader.open()),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
  }
  const rssEach = linux ? (status('VmRSS') - rssBefore) / listeners : 0
  const begun = performance.now()
  await sayToAll('to all of you')
  await vi.waitFor(
    () =>
      expect(
        crowd.filter((reader) => !texts(reader).includes('to all of you')),
      ).toHaveLength(0),
    { timeout: 10_000, interval: 20 },
  )
  console.log(
    JSON.stringify({
      listeners,
      rssKbEach: Math.round(rssEach / 102.4) / 10,
      heardByAllAfterMs: Math.round(performance.now() - begun),
    }),
  )
  // Each listener received it exactly once.
  expect(
    crowd.filter(
      (reader) => texts(reader).filter((text) => text === 'to all of you').length !== 1,
    ),
  ).toHaveLength(0)
  expect(rssEach).toBeLessThan(80 * 1024)
  for (const reader of crowd) reader.cut()
  if (linux)
    await vi.waitFor(() => expect(openFiles()).toBeLessThan(filesBefore + 20), 10_000)
})

test('disconnects listeners that do not read, with bounded memory, and lets them resume', {
  timeout: 60_000,
}, async () => {
  const person = people.people[1]!
  const healthy = listen(person, '0')
  const stuck = Array.from({ length: 24 }, () => listen(person, '0'))
  await Promise.all([healthy, ...stuck].map((reader) => reader.open()))
  await people.say(person, 'first')
  await vi.waitFor(() => expect(stuck.map(texts)).toEqual(stuck.map(() => ['first'])))
  for (const reader of stuck) reader.hold()
  const rssBefore = linux ? status('VmRSS') : 0
  const filler = 'x'.repeat(90_000)
  let peakGrowth = 0
  for (let i = 0; i < 240; i++) {
    await people.say(person, `${i} ${filler}`)
    if (linux) peakGrowth = Math.max(peakGrowth, status('VmRSS') - rssBefore)
  }
  await vi.waitFor(() => expect(texts(healthy)).toHaveLength(241), 10_000)
  console.log(
    JSON.stringify({
      saidMb: (240 * filler.length) >> 20,
      unread: stuck.length,
      rssGrewMb: peakGrowth >> 20,
    }),
  )
  // Without the limit, the unread messages of 24 listeners would take 500 MB.
  expect(peakGrowth).toBeLessThan(250 * 1_048_576)
  // They missed more than the buffer holds, so the server must read it from the database.
  for (const reader of stuck) {
    reader.release()
    // They receive only what the kernel had buffered.
    await reader.ended()
    expect(texts(reader).length).toBeLessThan(200)
    await reader.open()
  }
  await vi.waitFor(
    () =>
      expect(stuck.map((reader) => texts(reader).length)).toEqual(stuck.map(() => 241)),
    20_000,
  )
  for (const reader of stuck) {
    expect(texts(reader).map((text) => text.split(' ')[0])).toEqual([
      'first',
      ...Array.from({ length: 240 }, (_, i) => String(i)),
    ])
    reader.cut()
  }
  healthy.cut()
})

test('a WebSocket receives the same signals', { timeout: 20_000 }, async () => {
  const person = people.people[3]!
  const { conversationId, key } = person
  const url = `${server.credentials.chatUrl.replace('http', 'ws')}/conversations/${conversationId}/listen?x-user-key=${key}`
  const received: unknown[] = []
  const socket = new WebSocket(url)
  socket.on('message', (text) => received.push(JSON.parse(String(text))))
  await new Promise((resolve, reject) =>
    socket.once('open', resolve).once('error', reject),
  )
  const reader = listen(person)
  await reader.open()
  await people.say(person, 'hello')
  await people.call('POST', '/events', key, { conversationId, payload: { any: 'thing' } })
  const { body } = await people.call('POST', '/users', null, {})
  await people.call('POST', `/conversations/${conversationId}/participants`, key, {
    userId: body.user.id,
  })
  await publishStream(conversationId, {
    type: 'delta',
    streamId: 's1',
    createdAt: new Date().toISOString(),
    sequence: 0,
    delta: 'He',
  })
  await sendAsBot(conversationId, 'Hello!', { streamId: 's1' })
  await vi.waitFor(() => expect(reader.frames).toHaveLength(6))
  await vi.waitFor(() =>
    expect(received).toEqual(reader.frames.map(({ type, data }) => ({ type, data }))),
  )
  expect(reader.frames.map(({ type }) => type)).toEqual([
    'message_created',
    'event_created',
    'participant_added',
    'message_stream_delta',
    'message_stream_complete',
    'message_created',
  ])
  socket.close()
  reader.cut()
})

test('streamed messages: forwards deltas, and stores the complete message for listeners that resume', {
  timeout: 20_000,
}, async () => {
  const person = people.people[4]!
  const { conversationId } = person
  const reader = listen(person, '0')
  await reader.open()
  await people.say(person, 'tell me')
  await vi.waitFor(() => expect(reader.frames).toHaveLength(1))
  const delta = (sequence: number, text: string) =>
    publishStream(conversationId, {
      type: 'delta',
      streamId: 'st',
      createdAt: '2026-01-01T00:00:00.000Z',
      sequence,
      delta: text,
    })
  // Equal deltas must not be merged.
  for (const [sequence, text] of ['ha', 'ha', '!'].entries()) await delta(sequence, text)
  await publishStream(conversationId, { type: 'abort', streamId: 'other' })
  await vi.waitFor(() => expect(reader.frames).toHaveLength(5))
  const pieces = reader.frames.slice(1)
  expect(
    pieces.map(({ id, type, data }) => [id, type, data.delta ?? data.streamId]),
  ).toEqual([
    [null, 'message_stream_delta', 'ha'],
    [null, 'message_stream_delta', 'ha'],
    [null, 'message_stream_delta', '!'],
    [null, 'message_stream_abort', 'other'],
  ])
  const away = listen(person, reader.lastId)
  await sendAsBot(conversationId, 'haha!', { streamId: 'st' })
  await vi.waitFor(() => expect(reader.frames).toHaveLength(7))
  await away.open()
  await vi.waitFor(() => expect(away.frames).toHaveLength(2))
  await pause(100)
  expect(away.frames).toEqual(reader.frames.slice(5))
  expect(away.frames.map(({ id, type }) => [id !== null, type])).toEqual([
    [false, 'message_stream_complete'],
    [true, 'message_created'],
  ])
  reader.cut()
  away.cut()
})

test('keeps an idle stream alive with comments and pings', {
  timeout: 60_000,
}, async () => {
  await vi.waitFor(() => expect(idle.pings).toBeGreaterThan(0), {
    timeout: 30_000,
    interval: 200,
  })
  expect(idle.comments).toBeGreaterThan(4)
  expect(idle).toMatchObject({ frames: [], connections: 1 })
  idle.cut()
})

test(`loses and repeats nothing with ${cuts} cut connections and a killed server`, {
  timeout: 120_000,
}, async () => {
  const person = people.people[2]!
  let talking = true
  let sent = 0
  const talk = (async () => {
    while (talking) {
      await Promise.all([
        people.say(person, `s${sent++}`),
        chance.next() < 0.3
          ? sendAsBot(person.conversationId, `b${sent++}`).catch(() => {})
          : null,
      ])
      await pause(4)
    }
  })()
  const readers = Array.from({ length: 6 }, () => listen(person, '0'))
  let done = 0
  let killed = false
  await Promise.all(
    readers.map(async (reader) => {
      while (done < cuts) {
        // While the server is down, requests fail or return errors; the next attempt may succeed.
        const opened = await reader.open().catch(() => null)
        await pause(opened === 200 ? chance.between(0, 120) : 100)
        reader.cut()
        await reader.ended()
        if (opened === 200) done++
        if (done > cuts / 2 && !killed) {
          killed = true
          await server.stop('SIGKILL')
          await server.start()
        }
      }
    }),
  )
  talking = false
  await talk
  const all = await everything(person)
  await Promise.all(readers.map((reader) => reader.open()))
  await vi.waitFor(
    () =>
      expect(readers.map((reader) => reader.lastId)).toEqual(
        readers.map(() => all.at(-1)!.id),
      ),
    15_000,
  )
  console.log(
    JSON.stringify({
      cuts: done,
      signals: all.length,
      frames: readers.map(({ frames }) => frames.length),
    }),
  )
  // A busy machine sends fewer between two cuts.
  expect(all.length).toBeGreaterThan(cuts / 10)
  expect(person.said.filter(({ status }) => status !== 201).length).toBeGreaterThan(0)
  for (const reader of readers) {
    expect(reader.frames).toEqual(all)
    reader.cut()
  }
})

/** The signals that an uninterrupted listener receives. */
async function everything(person: Person): Promise<SseReader['frames']> {
  const whole = listen(person, '0')
  await whole.open()
  let before = -1
  while (whole.frames.length !== before) {
    before = whole.frames.length
    await pause(500)
  }
  whole.cut()
  return whole.frames
}
