// The machine's clock jumps, by an hour or a day, back and forth, while people talk: what was made before and after is all listed, once and in order;
// nobody's lease ends or stays; everything is delivered, and listeners hear it. Timers do not jump, as they do not when an operator sets the clock.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { bringPeople, type ChatPeople } from '../../support/chat-people.ts'
import { openRecordingBot, type RecordingBot } from '../../support/recording-bot.ts'
import { openScene, type Scene } from '../../support/scene.ts'
import { makeReader } from '../../support/sse-reader.ts'

let scene: Scene
let bot: RecordingBot
let people: ChatPeople
let url: string

beforeAll(async () => {
  bot = await openRecordingBot()
  scene = await openScene({ config: { leaseSeconds: 2 } })
  url = `${await scene.listen()}/chat/${scene.webhookId}`
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, { headers: scene.admin, body: { url: bot.url } })
  people = await bringPeople(() => url, 3)
})
afterEach(() => void vi.useRealTimers())
afterAll(async () => {
  people?.close()
  await scene?.close()
  await bot?.close()
})

const hour = 3_600_000
/** Away from the true time, one after the other. */
const offsets = [hour, -hour, 24 * hour, -24 * hour, 0]
/** As a machine without a battery has it, until somebody tells it what year it is. */
const epoch = -performance.timeOrigin

const jump = (offset: number) =>
  void vi.useFakeTimers({ toFake: ['Date'], now: performance.timeOrigin + performance.now() + offset })

/** Every page, as small as may be read in reasonable time. */
async function listAll(path: string, key: string): Promise<string[]> {
  const ids: string[] = []
  for (let token = ''; ; ) {
    const { status, body } = await scene.call(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}pageSize=7${token && `&nextToken=${encodeURIComponent(token)}`}`,
      {
        headers: scene.asBot,
      },
    )
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

test('one jump after the other', { timeout: 60_000 }, async () => {
  const before = await workers()
  const [person] = people.people
  const reader = makeReader(() => `${url}/conversations/${person!.conversationId}/listen`, person!.key, '0')
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
    await scene.call('POST', '/v1/chat/events', { headers: scene.asBot, body: { type: 'tick', payload: {} } })
    await vi.waitFor(
      () => expect(made.filter((id) => !bot.told.some(({ messageId }) => messageId === id))).toEqual([]),
      10_000,
    )
    // Past the lease: whoever goes by the wrong clock would have lost it, or would renew it no more.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
  }
  expect(await workers()).toEqual(before)

  expect(new Set(made).size).toBe(made.length)
  for (const one of people.people) {
    const own = one.said.map(({ messageId }) => messageId)
    expect(
      (await listAll(`/v1/chat/messages?conversationId=${one.conversationId}`, 'messages')).reverse(),
    ).toEqual(own)
    expect(
      bot.told
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
    expect(reader.frames.map(({ data }) => data.payload?.text)).toEqual(person!.said.map(({ text }) => text)),
  )
  reader.cut()
  await vi.waitFor(async () => expect([await count('lane'), await count('delivery')]).toEqual([0, 0]), 10_000)
})

test('a link is good for as long as it should be, give or take a minute', async () => {
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
      await fetch(file.uploadUrl, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'hi' })
    ).status
  }
  expect(await upload(-60_000)).toBe(200)
  expect(await upload(60_000)).toBe(200)
  expect(await upload(2 * hour)).toBe(403)
})

test('an attempt in whose time fifty years go by is recorded as it was', { timeout: 30_000 }, async () => {
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
  expect(bot.told.filter((told) => told.messageId === messageId)).toHaveLength(3)
})
