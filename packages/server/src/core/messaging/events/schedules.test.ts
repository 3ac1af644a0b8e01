// Scheduled events and messages: delivered when due and not before, cancellable until then, deleted
// with their subjects.
import { Client } from '@botpress/client'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../../test/support/runtime-scene.ts'
import { newId } from '../../lib/ids.ts'

let scene: RuntimeScene
let conversationId: string
let userId: string

/** Long enough for a busy machine. */
const soon = { interval: 10, timeout: 15_000 }

vi.setConfig({ testTimeout: 30_000 })
beforeAll(async () => {
  scene = await openRuntimeScene()
})
afterAll(() => scene?.close())
beforeEach(async () => {
  scene.invoked.length = 0
  scene.answerWith(() => ({}))
  userId = (
    await call('POST', '/v1/chat/users', scene.asTg, { tags: { id: newId('user') } })
  ).body.user.id
  conversationId = (
    await call('POST', '/v1/chat/conversations', scene.asTg, {
      channel: 'dm',
      tags: { id: newId('conversation') },
    })
  ).body.conversation.id
})

const call = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  headers: Record<string, string>,
  body?: unknown,
) => scene.call(method, url, { headers, body })
const newEvent = (more: object = {}, headers = scene.asBot) =>
  call('POST', '/v1/chat/events', headers, {
    type: 'added',
    payload: { content: 'x' },
    ...more,
  })
const newMessage = (more: object = {}, headers = scene.asBot) =>
  call('POST', '/v1/chat/messages', headers, {
    conversationId,
    userId: scene.botId,
    type: 'text',
    payload: { text: 'x' },
    tags: {},
    ...more,
  })
const findStatus = async (id: string) =>
  (await call('GET', `/v1/chat/events/${id}`, scene.asBot)).body.event.status
const cancel = (id: string, headers = scene.asBot) =>
  call('DELETE', `/v1/chat/events/scheduled/${id}`, headers)
const storedMessages = async () =>
  (await call('GET', `/v1/chat/messages?conversationId=${conversationId}`, scene.asBot))
    .body.messages
const listDeliveries = (id: string) =>
  scene.invoked.filter(({ body }) => body.event?.id === id)
const inAnHour = { delay: 3_600_000 }
/** Moves the due time into the past. */
const makeDue = (table: 'event' | 'scheduled_message', ...ids: string[]) =>
  sql`update ${sql.table(table)} set due_at = now() - interval '1 second' where id = any(${ids})`.execute(
    scene.app.services.db,
  )
const botLog = async () =>
  (
    await scene.app.services.db
      .selectFrom('bot_log')
      .select('message')
      .where('bot_id', '=', scene.botId)
      .execute()
  ).map((row) => row.message)

test.each([
  ['neither dateTime nor delay', {}],
  ['both dateTime and delay', { dateTime: '2999-01-01T00:00:00.000Z', delay: 1 }],
  ['a negative delay', { delay: -1 }],
  ['a delay of centuries', { delay: 1e15 }],
  ['an invalid day', { dateTime: '2026-02-30T00:00:00.000Z' }],
  ['a text that is not a date', { dateTime: 'on the twelfth of never!' }],
  ['a date without time', { dateTime: '2026-02-03' }],
  ['a delay as a string', { delay: '200' }],
  ['an unknown field', { delay: 1, cron: '* * * * *' }],
  ['null', null],
])('rejects a schedule with %s', async (_, schedule) => {
  expect(await newEvent({ schedule })).toMatchObject({
    status: 400,
    body: { type: 'InvalidPayload' },
  })
  expect(await newMessage({ schedule })).toMatchObject({
    status: 400,
    body: { type: 'InvalidPayload' },
  })
})

test('an event is listed as scheduled and delivered once, when due', async () => {
  const begun = performance.now()
  const { status, body } = await newEvent({ schedule: { delay: 300 }, conversationId })
  expect([status, body.event.status]).toEqual([201, 'scheduled'])
  expect(
    (await call('GET', '/v1/chat/events?status=scheduled', scene.asBot)).body.events,
  ).toEqual([body.event])
  expect(listDeliveries(body.event.id)).toEqual([])
  await expect.poll(() => listDeliveries(body.event.id).length, soon).toBe(1)
  expect(performance.now() - begun).toBeGreaterThanOrEqual(295)
  await expect.poll(() => findStatus(body.event.id), soon).toBe('processed')
  expect(
    (await call('GET', '/v1/chat/events?status=scheduled', scene.asBot)).body.events,
  ).toEqual([])
  expect(listDeliveries(body.event.id)[0]!.body.event).toMatchObject({
    type: 'added',
    payload: { content: 'x' },
    conversationId,
    status: 'pending',
  })
})

test('a delay of 200 ms is not rounded up to a second', async () => {
  const waits: number[] = []
  for (let i = 0; i < 8; i++) {
    const begun = performance.now()
    const { body } = await newEvent({ schedule: { delay: 200 } })
    await expect.poll(() => listDeliveries(body.event.id).length, soon).toBe(1)
    waits.push(performance.now() - begun)
  }
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(195)
  expect(waits.sort((a, b) => a - b)[3]).toBeLessThan(900)
})

test('a time in the past is due at once', async () => {
  const { body } = await newEvent({ schedule: { dateTime: '2001-01-01T00:00:00.000Z' } })
  expect(body.event.status).toBe('scheduled')
  await expect.poll(() => listDeliveries(body.event.id).length, soon).toBe(1)
})

test('an integration cancels only its own scheduled events', async () => {
  const { body: mine } = await newEvent({ schedule: inAnHour }, scene.asTg)
  expect(mine.event.type).toBe('tg:added')
  const { body: bots } = await newEvent({ schedule: inAnHour })
  for (const [name, id, caller] of [
    ['an event of the bot', bots.event.id, 'asTg'],
    ['an event of the integration', mine.event.id, 'asOther'],
    ['an event of the integration', mine.event.id, 'asStranger'],
    ['an event of the bot', bots.event.id, 'asStranger'],
    ['an unknown event', newId('event'), 'asBot'],
    ['__proto__', '__proto__', 'asBot'],
  ] as const) {
    expect(await cancel(id, scene[caller]), `${caller}, ${name}`).toMatchObject({
      status: 404,
      body: {
        type: 'ResourceNotFound',
        message: `Scheduled event "${id}" was not found`,
      },
    })
  }
  expect((await cancel(mine.event.id, scene.asTg)).status).toBe(200)
  expect((await cancel(bots.event.id)).status).toBe(200)
  expect([await findStatus(mine.event.id), await findStatus(bots.event.id)]).toEqual([
    'canceled',
    'canceled',
  ])
})

test('a canceled event stays canceled, and a delivered one cannot be canceled', async () => {
  const { body: one } = await newEvent({ schedule: inAnHour })
  expect(await cancel(one.event.id)).toEqual({ status: 200, body: {} })
  expect((await cancel(one.event.id)).status).toBe(404)
  const { body: other } = await newEvent({ schedule: { delay: 0 } })
  await expect.poll(() => findStatus(other.event.id), soon).toBe('processed')
  expect((await cancel(other.event.id)).status).toBe(404)
  const { body: plain } = await newEvent()
  expect((await cancel(plain.event.id)).status).toBe(404)
  expect(listDeliveries(one.event.id)).toEqual([])
})

test('an event canceled at its due time is either canceled or delivered', async () => {
  const made = await Promise.all(
    Array.from({ length: 40 }, () => newEvent({ schedule: { delay: 60 } })),
  )
  const ids = made.map(({ body }) => body.event.id as string)
  await new Promise((resolve) => setTimeout(resolve, 40))
  const cancelAfter = async (ms: number, id: string) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    return (await cancel(id)).status
  }
  const answers = await Promise.all(ids.map((id, i) => cancelAfter(i, id)))
  await expect
    .poll(async () => Promise.all(ids.map(findStatus)), soon)
    .toEqual(answers.map((status) => (status === 200 ? 'canceled' : 'processed')))
  expect(ids.map((id) => listDeliveries(id).length)).toEqual(
    answers.map((status) => (status === 200 ? 0 : 1)),
  )
})

test('events of a conversation are delivered one at a time, ordered by due time', async () => {
  const ids: string[] = []
  for (let i = 0; i < 3; i++)
    ids.push((await newEvent({ conversationId, schedule: inAnHour })).body.event.id)
  let running = 0
  let together = 0
  scene.answerWith(() => {
    together = Math.max(together, ++running)
    setTimeout(() => running--, 40)
    return { afterMs: 40 }
  })
  await sql`
    update event
    set due_at = now() - array_position(${[ids[0], ids[2], ids[1]]}::text[], id) * interval '1 s'
    where id = any(${ids})`.execute(scene.app.services.db)
  await expect
    .poll(() => Promise.all(ids.map(findStatus)), soon)
    .toEqual(['processed', 'processed', 'processed'])
  expect(scene.invoked.map(({ body }) => body.event.id)).toEqual([ids[1], ids[2], ids[0]])
  expect(together).toBe(1)
})

test('rejects references to unknown objects when scheduling', async () => {
  const unknownUser = newId('user')
  const unknownConversation = newId('conversation')
  expect(
    await newEvent({ conversationId: unknownConversation, schedule: inAnHour }),
  ).toMatchObject({
    status: 400,
    body: { type: 'ReferenceNotFound' },
  })
  expect(
    await newMessage({ conversationId: unknownConversation, schedule: inAnHour }),
  ).toMatchObject({
    status: 404,
    body: { type: 'ResourceNotFound' },
  })
  expect(await newMessage({ userId: unknownUser, schedule: inAnHour })).toMatchObject({
    status: 400,
    body: { type: 'ReferenceNotFound' },
  })
  expect(
    await newMessage({ userId, schedule: inAnHour }, scene.asStranger),
  ).toMatchObject({
    status: 404,
    body: { type: 'ResourceNotFound' },
  })
})

test('deletes scheduled events with their conversation or user', async () => {
  const { body: one } = await newEvent({ conversationId, schedule: inAnHour })
  const { body: other } = await newEvent({ userId, schedule: inAnHour })
  await call('DELETE', `/v1/chat/conversations/${conversationId}`, scene.asBot)
  await call('DELETE', `/v1/chat/users/${userId}`, scene.asBot)
  for (const [name, { event }] of [
    ['of the conversation', one],
    ['of the user', other],
  ] as const)
    expect(
      (await call('GET', `/v1/chat/events/${event.id}`, scene.asBot)).status,
      name,
    ).toBe(404)
})

test('a message of the bot is acknowledged at once, and stored and delivered when due', async () => {
  const { status, body } = await newMessage({ schedule: { delay: 150 } })
  expect([status, body.message.direction]).toEqual([201, 'outgoing'])
  expect(
    (await call('GET', `/v1/chat/messages/${body.message.id}`, scene.asBot)).status,
  ).toBe(404)
  expect(await storedMessages()).toEqual([])
  const [sent] = await scene.heard('message_created', 1)
  expect(sent!.body.message.id).toBe(body.message.id)
  const [stored, ...more] = await storedMessages()
  expect(more).toEqual([])
  expect({ ...stored, createdAt: '', updatedAt: '' }).toEqual({
    ...body.message,
    createdAt: '',
    updatedAt: '',
  })
  expect(
    Date.parse(stored.createdAt) - Date.parse(body.message.createdAt),
  ).toBeGreaterThanOrEqual(149)
  const { conversation } = (
    await call('GET', `/v1/chat/conversations/${conversationId}`, scene.asBot)
  ).body
  expect(conversation.messageCount).toBe(1)
})

test('a message through an integration becomes an event of its conversation when due', async () => {
  const { body } = await newMessage(
    { userId, tags: { id: '7' }, schedule: { delay: 50 } },
    scene.asTg,
  )
  expect(body.message).toMatchObject({ direction: 'incoming', tags: { id: '7' } })
  const [event] = await scene.heard('event_received', 1)
  expect(event!.body.event).toMatchObject({
    type: 'message_created',
    messageId: body.message.id,
    conversationId,
    userId,
  })
  expect(event!.body.event.payload.message).toMatchObject({
    id: body.message.id,
    tags: { 'tg:id': '7' },
  })
  const participants = (
    await call(
      'GET',
      `/v1/chat/conversations/${conversationId}/participants`,
      scene.asBot,
    )
  ).body.participants
  expect(participants.map(({ id }: { id: string }) => id)).toEqual([userId])
})

test('messages are ordered by due time, not by the time of scheduling', async () => {
  const later = (await newMessage({ payload: { text: 'later' }, schedule: inAnHour }))
    .body.message.id
  const sooner = (await newMessage({ payload: { text: 'sooner' }, schedule: inAnHour }))
    .body.message.id
  await newMessage({ payload: { text: 'now' } })
  await sql`
    update scheduled_message
    set due_at = now() - case when id = ${sooner} then interval '2 s' else interval '1 s' end
    where id = any(${[later, sooner]})`.execute(scene.app.services.db)
  await expect
    .poll(
      async () =>
        (await storedMessages()).map(
          (one: { payload: { text: string } }) => one.payload.text,
        ),
      soon,
    )
    .toEqual(['later', 'sooner', 'now'])
  await expect
    .poll(() => scene.invoked.map(({ body }) => body.payload?.text), soon)
    .toEqual(['now', 'sooner', 'later'])
})

test('a synthetic message is stored when due and not delivered', async () => {
  await newMessage({ userId, origin: 'synthetic', schedule: { delay: 20 } }, scene.asTg)
  await expect
    .poll(
      async () => (await storedMessages()).map((one: { origin: string }) => one.origin),
      soon,
    )
    .toEqual(['synthetic'])
  expect(scene.invoked).toEqual([])
})

test('sends a scheduled message to listeners when due', async () => {
  const { headers } = await scene.chatUser()
  const url = `/chat/${scene.webhookId}`
  const { conversation } = (await call('POST', `${url}/conversations`, headers, {})).body
  const ours = (await call('GET', '/v1/chat/conversations?channel=channel', scene.asBot))
    .body.conversations[0].id
  const stream = await fetch(
    `${await scene.listen()}${url}/conversations/${conversation.id}/listen`,
    {
      headers,
    },
  )
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
  await newMessage({
    conversationId: ours,
    payload: { text: 'it is time' },
    schedule: { delay: 100 },
  })
  let received = ''
  while (!received.includes('it is time')) received += (await reader.read()).value
  await reader.cancel()
})

test('only its owner cancels a scheduled message, by deleting it', async () => {
  const { body } = await newMessage({ schedule: inAnHour })
  const { body: incoming } = await newMessage({ userId, schedule: inAnHour }, scene.asTg)
  for (const caller of ['asStranger', 'asOther'] as const)
    expect(
      (await call('DELETE', `/v1/chat/messages/${body.message.id}`, scene[caller]))
        .status,
      caller,
    ).toBe(404)
  expect(
    await call('DELETE', `/v1/chat/messages/${body.message.id}`, scene.asBot),
  ).toEqual({
    status: 200,
    body: {},
  })
  expect(
    (await call('DELETE', `/v1/chat/messages/${body.message.id}`, scene.asBot)).status,
  ).toBe(404)
  expect(
    (await call('DELETE', `/v1/chat/messages/${incoming.message.id}`, scene.asTg)).status,
  ).toBe(200)
  const { rows } =
    await sql`select 1 from scheduled_message where conversation_id = ${conversationId}`.execute(
      scene.app.services.db,
    )
  expect(rows).toEqual([])
})

test('drops and logs messages whose conversation or user was deleted, and delivers later ones', async () => {
  const { body: withoutConversation } = await newMessage({ schedule: inAnHour })
  const other = (
    await call('POST', '/v1/chat/conversations', scene.asTg, { channel: 'dm', tags: {} })
  ).body.conversation.id
  const { body: withoutAuthor } = await newMessage(
    { conversationId: other, userId, schedule: inAnHour },
    scene.asTg,
  )
  const { body: good } = await newMessage({ conversationId: other, schedule: inAnHour })
  await call('DELETE', `/v1/chat/conversations/${conversationId}`, scene.asBot)
  await call('DELETE', `/v1/chat/users/${userId}`, scene.asBot)
  await makeDue(
    'scheduled_message',
    withoutConversation.message.id,
    withoutAuthor.message.id,
    good.message.id,
  )
  await expect
    .poll(
      async () =>
        (await call('GET', `/v1/chat/messages/${good.message.id}`, scene.asBot)).status,
      soon,
    )
    .toBe(200)
  for (const [name, { message }] of [
    ['without its conversation', withoutConversation],
    ['without its user', withoutAuthor],
  ] as const) {
    await expect
      .poll(botLog, { ...soon, message: name })
      .toContain(
        `The scheduled message ${message.id} was dropped: its conversation or its user was deleted`,
      )
    expect(
      (await call('GET', `/v1/chat/messages/${message.id}`, scene.asBot)).status,
      name,
    ).toBe(404)
  }
})

test('concurrent get-or-create calls schedule one message', async () => {
  const getOrCreate = (text: string, more: object = {}) =>
    call('POST', '/v1/chat/messages/get-or-create', scene.asTg, {
      conversationId,
      userId,
      type: 'text',
      payload: { text },
      tags: { id: '9' },
      schedule: inAnHour,
      ...more,
    })
  const answers = await Promise.all(Array.from({ length: 6 }, () => getOrCreate('first')))
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
  const [id, ...others] = new Set(answers.map(({ body }) => body.message.id as string))
  expect(others).toEqual([])
  expect(answers.filter(({ body }) => body.meta.created)).toHaveLength(1)
  const { body: changed } = await getOrCreate('second', {
    tags: { id: '9' },
    discriminateByTags: ['id'],
  })
  expect(changed).toMatchObject({
    message: { id, payload: { text: 'second' }, tags: { id: '9' } },
    meta: { created: false },
  })
  expect((await getOrCreate('third', { schedule: {} })).body.type).toBe('InvalidPayload')
  const { body: elsewhere } = await call('POST', '/v1/chat/conversations', scene.asTg, {
    channel: 'dm',
    tags: { id: 'elsewhere' },
  })
  expect(
    (await getOrCreate('third', { conversationId: elsewhere.conversation.id })).body,
  ).toMatchObject({
    type: 'AlreadyExists',
    message: expect.stringContaining('already exists for a different conversation'),
  })
  await makeDue('scheduled_message', id!)
  await expect
    .poll(
      async () =>
        (await storedMessages()).map(
          (one: { payload: { text: string } }) => one.payload.text,
        ),
      soon,
    )
    .toEqual(['second'])
  expect((await getOrCreate('third')).body).toMatchObject({
    message: { id, payload: { text: 'third' } },
    meta: { created: false },
  })
})

test('a repeated handler run schedules nothing twice', async () => {
  const asRun = (run: string) => ({
    ...scene.asBot,
    'x-botstead-cause': `${cause};${run}`,
  })
  const cause = newId('event')
  const say = async (headers: Record<string, string>, text: string) =>
    (await newMessage({ payload: { text }, schedule: inAnHour }, headers)).body.message.id
  const first = { ...scene.asBot, 'x-botstead-cause': cause }
  const ids = [await say(first, 'a'), await say(first, 'a'), await say(first, 'b')]
  expect(new Set(ids).size).toBe(3)
  expect([
    await say(asRun('2'), 'a'),
    await say(asRun('2'), 'a'),
    await say(asRun('2'), 'b'),
  ]).toEqual(ids)
  const third = await say(asRun('2'), 'a')
  expect(ids).not.toContain(third)
  await makeDue('scheduled_message', ids[0]!)
  await expect.poll(async () => (await storedMessages()).length, soon).toBe(1)
  expect(
    new Set([
      await say(asRun('3'), 'a'),
      await say(asRun('3'), 'a'),
      await say(asRun('3'), 'a'),
    ]),
  ).toEqual(new Set([ids[0], ids[1], third]))
  expect((await storedMessages()).length).toBe(1)
})

test('a blocked bot ignores events that become due', async () => {
  const block = (blocked: boolean) =>
    call('PUT', `/v1/admin/bots/${scene.botId}`, scene.admin, { blocked })
  const { body } = await newEvent({ schedule: inAnHour })
  await block(true)
  await makeDue('event', body.event.id)
  await expect.poll(() => findStatus(body.event.id), soon).toBe('ignored')
  await block(false)
})

test('deletes scheduled events with their bot', async () => {
  const { bot } = (await call('POST', '/v1/admin/bots', scene.admin, {})).body
  const asIt = { ...scene.asBot, 'x-bot-id': bot.id }
  const { body } = await newEvent({ schedule: inAnHour }, asIt)
  await call('DELETE', `/v1/admin/bots/${bot.id}`, scene.admin)
  const { rows } = await sql`select 1 from event where id = ${body.event.id}`.execute(
    scene.app.services.db,
  )
  expect(rows).toEqual([])
})

test('works through the official client', async () => {
  const client = new Client({
    apiUrl: await scene.listen(),
    token: scene.token,
    botId: scene.botId,
  })
  const { event } = await client.createEvent({
    type: 'reminder',
    payload: { a: 1 },
    schedule: { delay: 2_000 },
  })
  const later = new Date(Date.now() + 2_000).toISOString()
  const { message } = await client.createMessage({
    conversationId,
    userId: scene.botId,
    type: 'text',
    payload: { text: 'hi' },
    tags: {},
    schedule: { dateTime: later },
  })
  expect((await client.listEvents({ status: 'scheduled' })).events).toEqual([event])
  await expect
    .poll(async () => (await client.getEvent({ id: event.id })).event.status, soon)
    .toBe('processed')
  await expect
    .poll(
      async () =>
        (await client.listMessages({ conversationId })).messages.map(({ id }) => id),
      soon,
    )
    .toEqual([message.id])
  const { event: doomed } = await client.createEvent({
    type: 'reminder',
    payload: {},
    schedule: inAnHour,
  })
  await client.cancelScheduledEvent({ id: doomed.id })
  await expect(client.cancelScheduledEvent({ id: doomed.id })).rejects.toMatchObject({
    type: 'ResourceNotFound',
  })
})
