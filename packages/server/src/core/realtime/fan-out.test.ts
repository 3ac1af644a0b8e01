// Two server processes on one database, which notify each other by PostgreSQL or by NATS. Listeners
// of both receive the signals of both, whatever happens to NATS.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type ChatPeople,
  openChatPeople,
  type Person,
} from '../../../test/support/chat-people.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import {
  createNatsServer,
  hasNats,
  type NatsServer,
  noNats,
} from '../../../test/support/nats-server.ts'
import {
  type RunningServer,
  runServer,
  settingsOfMany,
} from '../../../test/support/running-server.ts'
import { openSseReader, type SseReader } from '../../../test/support/sse-reader.ts'

describe.each(['PostgreSQL', 'NATS'])('by %s', (by) => {
  let database: TestDatabase
  let nats: NatsServer | null = null
  let servers: [RunningServer, RunningServer]
  let people: ChatPeople
  /** The server that gets the next request. */
  let entry: RunningServer
  const isMissing = by === 'NATS' && !hasNats

  beforeEach(({ skip }) => skip(isMissing, noNats))
  beforeAll(async () => {
    if (isMissing) return
    database = await cloneDatabase()
    if (by === 'NATS') nats = await createNatsServer()
    await nats?.start()
    const env = { ...settingsOfMany(database), ...(nats && { NATS_URL: nats.url }) }
    entry = await runServer(env)
    servers = [entry, await runServer(env)]
    // The bot must not answer.
    await admin('PUT', `/v1/admin/bots/${servers[0].credentials.botId}`, {
      blocked: true,
    })
    people = await openChatPeople(() => urlAt(entry), 4)
  }, 90_000)
  afterAll(async () => {
    people?.close()
    await Promise.all((servers ?? []).map((server) => server.remove()))
    await nats?.kill()
    await database?.drop()
  }, 60_000)

  const urlAt = ({ credentials: { url } }: RunningServer) =>
    `${url}/chat/${servers[0].credentials.webhookId}`
  const listen = (server: RunningServer, { conversationId, key }: Person) =>
    openSseReader(
      () => `${urlAt(server)}/conversations/${conversationId}/listen`,
      key,
      '0',
    )

  async function admin(method: string, path: string, body: unknown) {
    const { token, workspaceId, botId } = servers[0].credentials
    const reply = await fetch(entry.credentials.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-workspace-id': workspaceId,
        'x-bot-id': botId,
      },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  }
  const sendAsBot = (conversationId: string, text: string, metadata?: unknown) =>
    admin('POST', '/v1/chat/messages', {
      conversationId,
      userId: servers[0].credentials.botId,
      type: 'text',
      tags: {},
      payload: { text, ...(metadata !== undefined && { metadata }) },
    })

  /** Opens a listener at each server. */
  async function openReaders(person: Person): Promise<[SseReader, SseReader]> {
    const readers: [SseReader, SseReader] = [
      listen(servers[0], person),
      listen(servers[1], person),
    ]
    for (const reader of readers) await reader.open()
    return readers
  }

  test('listeners receive short, long and streamed messages of both servers once and in order', {
    timeout: 60_000,
  }, async () => {
    const [person] = people.people as [Person]
    const readers = await openReaders(person)
    const long = 'x'.repeat(20_000)
    for (let i = 0; i < 60; i++) {
      entry = servers[i % 2]!
      if (i % 3 === 0) await people.say(person, `${i}`)
      else if (i % 3 === 1)
        await sendAsBot(person.conversationId, `${i} "é\u2028`, { streamId: 's' })
      else await sendAsBot(person.conversationId, `${i} ${long}`)
    }
    const [here, there] = readers
    await vi.waitFor(() =>
      expect(readers.map(({ frames }) => frames.length)).toEqual([80, 80]),
    )
    expect(there.frames).toEqual(here.frames)
    const numbers = here.frames.flatMap(({ id, data }) =>
      id === null ? [] : [Number.parseInt(data.payload.text, 10)],
    )
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, i) => i))
    for (const reader of readers) reader.cut()
    // A listener that resumes reads the same from the database.
    const later = listen(servers[1], person)
    await later.open()
    await vi.waitFor(() => expect(later.frames).toEqual(here.frames))
    later.cut()
  })

  test('a removed participant receives nothing at the other server', {
    timeout: 30_000,
  }, async () => {
    const [, person, guest] = people.people as [Person, Person, Person]
    const { conversationId, key } = person
    entry = servers[0]
    const { body } = await people.call('GET', '/users/me', guest.key)
    const { id: userId } = body.user
    await people.call('POST', `/conversations/${conversationId}/participants`, key, {
      userId,
    })
    const [, reader] = await openReaders({ ...guest, conversationId })
    await people.say(person, 'before')
    await vi.waitFor(() =>
      expect(reader.frames.at(-1)?.data.payload?.text).toBe('before'),
    )
    const path = `/conversations/${conversationId}/participants/${userId}`
    expect((await people.call('DELETE', path, key)).status).toBe(200)
    await people.say(person, 'after')
    await reader.ended()
    expect(JSON.stringify(reader.frames)).not.toContain('after')
  })

  if (by === 'NATS')
    test('listeners miss nothing while NATS is killed and restarted', {
      timeout: 60_000,
    }, async () => {
      const person = people.people[3]!
      const readers = await openReaders(person)
      const stop = new AbortController()
      const talking = (async () => {
        for (let i = 0; !stop.signal.aborted; i++) {
          entry = servers[i % 2]!
          await people.say(person, `${i}`)
        }
      })()
      for (const change of [nats!.kill, nats!.start, nats!.kill, nats!.start]) {
        await pause(700)
        await change()
      }
      await pause(2_000)
      stop.abort()
      await talking
      const expected = person.said.map(({ text }) => text)
      expect(new Set(person.said.map(({ status }) => status))).toEqual(new Set([201]))
      for (const reader of readers) {
        await vi.waitFor(() => expect(reader.frames).toHaveLength(expected.length))
        expect(reader.frames.map(({ data }) => data.payload.text)).toEqual(expected)
        expect(reader.connections).toBe(1)
        reader.cut()
      }
    })
})
