// The machine's clock jumps by an hour or a day, back and forth, while people talk. Everything is
// listed once and in order, leases keep their length, and all events reach the bot and the
// listeners. Timers do not jump: setting the clock does not affect them.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type ChatPeople, openChatPeople } from '../../../test/support/chat-people.ts'
import {
  openRecordingBot,
  type RecordingBot,
} from '../../../test/support/recording-bot.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { openSseReader } from '../../../test/support/sse-reader.ts'

let scene: Scene
let bot: RecordingBot
let people: ChatPeople
let url: string

beforeAll(async () => {
  bot = await openRecordingBot()
  scene = await openScene({ config: { leaseSeconds: 2 } })
  url = `${await scene.listen()}/chat/${scene.webhookId}`
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { url: bot.url },
  })
  people = await openChatPeople(() => url, 3)
})
afterEach(() => void vi.useRealTimers())
afterAll(async () => {
  people?.close()
  await scene?.close()
  await bot?.close()
})

const hour = 3_600_000
/** Offsets from the true time, in milliseconds, applied in turn. */
const offsets = [hour, -hour, 24 * hour, -24 * hour, 0]
/** The clock of a machine without a battery before it is set: 1970. */
const epoch = -performance.timeOrigin

const jump = (offset: number) =>
  void vi.useFakeTimers({
    toFake: ['Date'],
    now: performance.timeOrigin + performance.now() + offset,
  })

/** Reads all pages, 7 items each. */
async function listAll(path: string, key: string): Promise<string[]> {
  const ids: string[] = []
  for (let token = ''; ; ) {
    const query = `pageSize=7${token && `&nextToken=${encodeURIComponent(token)}`}`
    const url = path + (path.includes('?') ? '&' : '?') + query
    const { status, body } = await scene.call('GET', url, { headers: scene.asBot })
    expect(status, JSON.stringify(body)).toBe(200)
    ids.push(...body[key].map(({ id }: { id: string }) => id))
    token = body.meta.nextToken ?? ''
    if (!token) return ids
  }
}

const workers = () => scene.app.services.db.selectFrom('worker').select('id').execute()
const count = async (table: 'lane' | 'delivery') => {
  const { n } = await scene.app.services.db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where(table === 'lane' ? 'owner' : 'id', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(n)
}

test('lists everything in order, keeps leases and delivers all events while the clock jumps', {
  timeout: 60_000,
}, async () => {
  const before = await workers()
  const [person] = people.people
  const reader = openSseReader(
    () => `${url}/conversations/${person!.conversationId}/listen`,
    person!.key,
    '0',
  )
  expect(await reader.open()).toBe(200)
  const made: string[] = []
  for (const offset of offsets) {
    jump(offset)
    for (const one of people.people) {
      for (let nth = 0; nth < 5; nth++) {
        const { status, messageId } = await people.say(one, `${offset} ${nth}`)
        expect(status).toBe(201)
        made.push(messageId!)
      }
    }
    await scene.call('POST', '/v1/chat/events', {
      headers: scene.asBot,
      body: { type: 'tick', payload: {} },
    })
    await vi.waitFor(
      () =>
        expect(
          made.filter((id) => !bot.received.some(({ messageId }) => messageId === id)),
        ).toEqual([]),
      10_000,
    )
    // Long enough that a lease measured by the jumping clock would expire or not be renewed.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
  }
  expect(await workers()).toEqual(before)

  expect(new Set(made).size).toBe(made.length)
  for (const one of people.people) {
    const own = one.said.map(({ messageId }) => messageId)
    expect(
      (
        await listAll(
          `/v1/chat/messages?conversationId=${one.conversationId}`,
          'messages',
        )
      ).reverse(),
    ).toEqual(own)
    expect(
      bot.received
        .filter(({ conversationId }) => conversationId === one.conversationId)
        .map(({ messageId }) => messageId),
    ).toEqual(own)
  }
  const events = await listAll('/v1/chat/events', 'events')
  expect([new Set(events).size, events.length]).toEqual([
    made.length + offsets.length,
    made.length + offsets.length,
  ])
  expect(new Set(await listAll('/v1/chat/messages', 'messages'))).toEqual(new Set(made))

  await vi.waitFor(() =>
    expect(reader.frames.map(({ data }) => data.payload?.text)).toEqual(
      person!.said.map(({ text }) => text),
    ),
  )
  reader.cut()
  await vi.waitFor(
    async () => expect([await count('lane'), await count('delivery')]).toEqual([0, 0]),
    10_000,
  )
})

test('keeps upload links valid if the clock is off by a minute, and expires them later', async () => {
  const headers = { ...scene.asBot, 'content-type': 'application/json' }
  const put = {
    method: 'PUT',
    headers,
    body: JSON.stringify({ key: 'a.txt', size: 2, contentType: 'text/plain' }),
  }
  const upload = async (offset: number) => {
    vi.useRealTimers()
    const { file } = (await (await fetch(new URL('/v1/files', url), put)).json()) as {
      file: { uploadUrl: string }
    }
    jump(offset)
    return (
      await fetch(file.uploadUrl, {
        method: 'PUT',
        headers: { 'content-type': 'text/plain' },
        body: 'hi',
      })
    ).status
  }
  expect(await upload(-60_000)).toBe(200)
  expect(await upload(60_000)).toBe(200)
  expect(await upload(2 * hour)).toBe(403)
})

test('records a plausible duration for an attempt during which the clock jumps by fifty years', {
  timeout: 30_000,
}, async () => {
  const [person] = people.people
  jump(epoch)
  bot.behave(() => {
    vi.useRealTimers()
    return 500
  })
  const { messageId } = await people.say(person!, 'when is it?')
  const attempts = () =>
    scene.app.services.db
      .selectFrom('delivery_attempt as a')
      .innerJoin('delivery as d', (join) =>
        join.onRef('d.bot_id', '=', 'a.bot_id').onRef('d.id', '=', 'a.delivery_id'),
      )
      .select('a.ms')
      .where('d.dead_at', 'is not', null)
      .execute()
  await vi.waitFor(async () => expect(await attempts()).toHaveLength(3), 10_000)
  expect((await attempts()).filter(({ ms }) => ms < 0 || ms > 20_000)).toEqual([])
  expect(bot.received.filter((told) => told.messageId === messageId)).toHaveLength(3)
})
