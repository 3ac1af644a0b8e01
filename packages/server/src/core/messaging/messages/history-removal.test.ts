// Removal of old events and messages: what the operator's limits delete, and what they must keep.
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type Messaging,
  openMessaging,
  ours,
  theirs,
} from '../../../../test/support/messaging-rows.ts'
import { newId } from '../../lib/ids.ts'
import { createEventRemoval, createMessageRemoval } from './history-removal.ts'

const dayMs = 86_400_000
const days = 30
let messaging: Messaging

beforeEach(async () => {
  messaging = await openMessaging()
  for (const botId of [ours, theirs])
    await sql`insert into analytics_progress (bot_id, through) values (${botId}, now()::date - 1)`.execute(
      messaging.db,
    )
})
afterEach(() => messaging.close())

const ago = (count: number) => new Date(Date.now() - count * dayMs)

interface OldEvent {
  age: number
  botId?: string
  conversationId?: string | null
  status?: string
}

async function addEvent({ age, botId = ours, conversationId = null, status }: OldEvent) {
  const id = newId('event', ago(age).getTime())
  await sql`insert into event (bot_id, id, type, payload, conversation_id, status, created_at)
    values (${botId}, ${id}, 'tg:added', '{}', ${conversationId}, ${status ?? 'processed'},
      ${ago(age)})`.execute(messaging.db)
  return id
}

async function addMessage(conversationId: string, age: number, number: number) {
  const id = newId('message', ago(age).getTime())
  await sql`
    insert into message (bot_id, id, conversation_id, user_id, number, direction, type, payload, created_at,
      updated_at)
    values (${ours}, ${id}, ${conversationId}, ${ours}, ${number}, 'outgoing', 'text', '{}', ${ago(age)},
      ${ago(age)})`.execute(messaging.db)
  await sql`update conversation set message_count = message_count + 1 where id = ${conversationId}`.execute(
    messaging.db,
  )
  return id
}

const addDelivery = (lane: string, subject: string, dead: boolean) =>
  sql`insert into delivery (bot_id, lane, number, id, kind, subject_id, dead_at)
    values (${ours}, ${lane}, 1, ${newId('delivery')}, 'event', ${subject},
      ${dead ? new Date() : null})`.execute(messaging.db)

const idsIn = async (table: 'event' | 'message') =>
  (
    await sql<{ id: string }>`select id from ${sql.table(table)} order by id`.execute(
      messaging.db,
    )
  ).rows.map(({ id }) => id)

test('deletes events after the given days, of every bot', async () => {
  await addEvent({ age: 31 })
  await addEvent({ age: 400, botId: theirs, status: 'failed' })
  const young = await addEvent({ age: 29 })
  expect(await createEventRemoval(messaging.db, days)()).toBeUndefined()
  expect(await idsIn('event')).toEqual([young])
})

test('keeps everything without a limit', async () => {
  const { id } = await messaging.newConversation()
  const [event, message] = [
    await addEvent({ age: 4_000 }),
    await addMessage(id, 4_000, 1),
  ]
  await createEventRemoval(messaging.db, 0)()
  await createMessageRemoval(messaging.db, 0)()
  expect([await idsIn('event'), await idsIn('message')]).toEqual([[event], [message]])
})

test('keeps events that are pending or scheduled, and events with a delivery', async () => {
  const { id } = await messaging.newConversation()
  const kept = [
    await addEvent({ age: 50, status: 'pending' }),
    await addEvent({ age: 40, conversationId: id, status: 'failed' }),
  ]
  await addDelivery(id, kept[1]!, true)
  await sql`insert into event (bot_id, id, type, status, due_at, created_at)
    values (${ours}, 'evt_0', 'x', 'scheduled', now(), ${ago(60)})`.execute(messaging.db)
  await addEvent({ age: 45 })
  await createEventRemoval(messaging.db, days)()
  expect(await idsIn('event')).toEqual(['evt_0', ...kept])
})

test.each(['', 'out:'])(
  'keeps messages of a lane "%s" with a delivery',
  async (prefix) => {
    const [busy, idle] = [
      await messaging.newConversation(),
      await messaging.newConversation(),
    ]
    const kept = await addMessage(busy.id, 40, 1)
    await addMessage(idle.id, 40, 1)
    await addDelivery(`${prefix}${busy.id}`, 'any', false)
    await createMessageRemoval(messaging.db, days)()
    expect(await idsIn('message')).toEqual([kept])
  },
)

test('deletes old messages and counts the others', async () => {
  const { id } = await messaging.newConversation()
  for (const [at, age] of [50, 40, 20].entries()) await addMessage(id, age, at + 1)
  await createMessageRemoval(messaging.db, days)()
  const { rows } =
    await sql`select message_count from conversation where id = ${id}`.execute(
      messaging.db,
    )
  expect(rows).toEqual([{ message_count: 1 }])
  expect(await idsIn('message')).toHaveLength(1)
})

test('keeps days that the statistics have not counted', async () => {
  await sql`update analytics_progress set through = ${ago(60)}`.execute(messaging.db)
  await addEvent({ age: 61 })
  const uncounted = await addEvent({ age: 50 })
  await createEventRemoval(messaging.db, days)()
  expect(await idsIn('event')).toEqual([uncounted])
})

test('keeps a young event with an id of another server', async () => {
  await sql`insert into event (bot_id, id, type, status) values
    (${ours}, 'evt_00000000-0000-4000-8000-000000000000', 'x', 'processed')`.execute(
    messaging.db,
  )
  await createEventRemoval(messaging.db, days)()
  expect(await idsIn('event')).toHaveLength(1)
})

test('continues in another run after many batches', async () => {
  await sql`insert into event (bot_id, id, type, status, created_at)
    select ${ours}, 'evt_' || lpad(i::text, 26, '0'), 'x', 'processed', ${ago(40)}
    from generate_series(1, 21000) i`.execute(messaging.db)
  await addEvent({ age: 40, botId: theirs })
  const remove = createEventRemoval(messaging.db, days)
  expect(await remove()).toBe(100)
  expect(await idsIn('event')).toHaveLength(1_001)
  expect(await remove()).toBeUndefined()
  expect(await idsIn('event')).toEqual([])
})
