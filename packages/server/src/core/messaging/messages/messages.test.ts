import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Messaging,
  openMessaging,
  ours,
  theirs,
  toRejection,
} from '../../../../test/support/messaging-rows.ts'
import type { Database, Db } from '../../db/database.ts'
import { deleteConversation, findConversation } from '../conversations.ts'
import { createEvent, findEventRow, listEvents } from '../events/events.ts'
import { createUser, findUser } from '../users.ts'
import { listMessages } from './message-listing.ts'
import {
  deleteMessage,
  findMessage,
  getOrCreateMessage,
  updateMessage,
} from './messages.ts'
import { checkIncoming, checkReferences } from './references.ts'

let messaging: Messaging
let database: Database
let db: Db
let post: Messaging['post']
let newUser: Messaging['newUser']
let newConversation: Messaging['newConversation']

beforeAll(async () => {
  messaging = await openMessaging()
  ;({ database, db, post, newUser, newConversation } = messaging)
})
afterAll(() => messaging.close())

test('messages are listed newest first, by page, date and tag', async () => {
  const [conversation, ann] = [await newConversation(), await newUser()]
  const made: { id: string; number: string; created_at: Date }[] = []
  for (let i = 0; i < 12; i++)
    made.push(
      await post({
        conversationId: conversation.id,
        userId: ann.id,
        tags: { 'tg:id': `m${i % 3}` },
      }),
    )
  const list = async (more: object, viewer: string | null = 'tg') =>
    (
      await listMessages(database, ours, viewer, {
        conversationId: conversation.id,
        position: null,
        limit: 50,
        ...more,
      })
    ).map(({ id }) => made.findIndex((one) => one.id === id))
  const down = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, i) => from - i)
  expect(await list({})).toEqual(down(11, 0))
  expect(
    await list({
      limit: 3,
      position: [made[5]!.created_at.toISOString(), made[5]!.number],
    }),
  ).toEqual([4, 3, 2])
  for (const [first, last] of [
    [0, 11],
    [3, 3],
    [4, 9],
    [11, 11],
  ] as const)
    expect(
      await list({ after: made[first]!.created_at, before: made[last]!.created_at }),
      `${first} to ${last}`,
    ).toEqual(down(last, first))
  expect(await list({ after: new Date(made[11]!.created_at.getTime() + 1) })).toEqual([])
  expect(await list({ before: new Date(made[0]!.created_at.getTime() - 1) })).toEqual([])
  expect(await list({ tags: { id: 'm1' } })).toEqual([10, 7, 4, 1])
  expect(await list({}, 'other')).toEqual([])
  expect(await list({ conversationId: undefined, tags: { id: 'm2' } })).toEqual([
    11, 8, 5, 2,
  ])
  expect(await list({ conversationId: 'conv_nowhere', after: new Date(0) })).toEqual([])
  expect(
    await listMessages(database, theirs, null, {
      conversationId: conversation.id,
      position: null,
      limit: 50,
    }),
  ).toEqual([])
})

test('messages are listed by date after some were deleted', async () => {
  const [conversation, ann] = [await newConversation(), await newUser()]
  const made: { id: string; number: string; created_at: Date }[] = []
  for (let i = 0; i < 9; i++)
    made.push(await post({ conversationId: conversation.id, userId: ann.id }))
  for (const at of [0, 3, 4, 8]) await deleteMessage(db, ours, made[at]!.id, 'tg')
  const list = async (more: object) =>
    (
      await listMessages(database, ours, 'tg', {
        conversationId: conversation.id,
        position: null,
        limit: 50,
        ...more,
      })
    ).map(({ id }) => made.findIndex((one) => one.id === id))
  expect(await list({ after: made[3]!.created_at })).toEqual([7, 6, 5])
  expect(await list({ before: made[4]!.created_at })).toEqual([2, 1])
  expect(await list({ after: made[8]!.created_at })).toEqual([])
})

test('a message is updated and deleted, with a signal for the deletion', async () => {
  const [conversation, ann] = [await newConversation(), await newUser()]
  const message = await post({ conversationId: conversation.id, userId: ann.id })
  const updated = await updateMessage(db, ours, message.id, 'tg', {
    tags: { id: '9' },
    payload: { text: 'ho' },
  })
  expect(updated).toMatchObject({
    tags: { 'tg:id': '9' },
    payload: { text: 'ho' },
    number: '1',
  })
  expect(
    await toRejection(
      updateMessage(db, ours, message.id, 'tg', { tags: { wrong: '9' } }),
    ),
  ).toBe('InvalidPayload')
  expect(
    await toRejection(updateMessage(db, ours, message.id, 'other', { tags: {} })),
  ).toBe('ResourceNotFound')
  expect(await toRejection(findMessage(db, theirs, message.id))).toBe('ResourceNotFound')
  expect(await deleteMessage(db, ours, message.id, 'tg')).toEqual({
    number: '2',
    conversation: conversation.id,
    type: 'message_deleted',
    data: { id: message.id, conversationId: conversation.id, userId: ann.id },
  })
  expect(await toRejection(deleteMessage(db, ours, message.id, 'tg'))).toBe(
    'ResourceNotFound',
  )
  expect((await findConversation(db, ours, conversation.id)).message_count).toBe(0)
})

test('getOrCreateMessage updates the payload of an existing message', async () => {
  const [conversation, ann] = [await newConversation(), await newUser()]
  const author = { conversationId: conversation.id, userId: ann.id }
  const get = (
    tags: Record<string, string>,
    match: Record<string, string> | null,
    payload?: Record<string, unknown>,
  ) =>
    getOrCreateMessage(
      db,
      ours,
      'tg',
      { conversationId: conversation.id, match, tags, payload },
      () =>
        post({
          ...author,
          tags: Object.fromEntries(
            Object.entries(tags).map(([key, value]) => [`tg:${key}`, value]),
          ),
        }),
    )
  const first = await get({ id: '7' }, { 'tg:id': '7' })
  const second = await get({ id: '7' }, { 'tg:id': '7' }, { text: 'edited' })
  expect(second).toMatchObject({
    created: false,
    row: { id: first.row.id, payload: { text: 'edited' } },
  })
  expect((await get({ id: '77' }, { 'tg:id': '77' })).created).toBe(true)
  expect((await get({}, null)).created).toBe(true)
})

const inConversation = (
  conversation: { id: string },
  userId: string,
  tags: Record<string, string>,
) => {
  const stored = Object.fromEntries(
    Object.entries(tags).map(([key, value]) => [`tg:${key}`, value]),
  )
  const author = { conversationId: conversation.id, userId }
  const options = {
    match: stored,
    tags,
    payload: undefined,
    conversationId: conversation.id,
  }
  return getOrCreateMessage(db, ours, 'tg', options, () =>
    post({ ...author, tags: stored }),
  )
}
const existsElsewhere = {
  type: 'AlreadyExists',
  message: expect.stringContaining('already exists for a different conversation'),
}

test('rejects tags of a message in another conversation', async () => {
  const [here, elsewhere, ann] = [
    await newConversation(),
    await newConversation(),
    await newUser(),
  ]
  const { row } = await inConversation(here, ann.id, { id: 'mail', thread: 't1' })
  await expect(inConversation(elsewhere, ann.id, { id: 'mail' })).rejects.toMatchObject(
    existsElsewhere,
  )
  await expect(
    inConversation(elsewhere, ann.id, { thread: 't1', id: 'mail' }),
  ).rejects.toMatchObject(existsElsewhere)
  expect(
    (await inConversation(elsewhere, ann.id, { id: 'mail', thread: 't2' })).created,
  ).toBe(true)
  expect(await inConversation(here, ann.id, { id: 'mail' })).toMatchObject({
    created: false,
    row: { id: row.id },
  })
})

test('creates one message when two conversations race for the same tags', async () => {
  const [here, elsewhere, ann] = [
    await newConversation(),
    await newConversation(),
    await newUser(),
  ]
  const attempts = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) =>
      inConversation(i % 2 ? here : elsewhere, ann.id, { id: 'both' }),
    ),
  )
  const found = attempts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  expect(found).toHaveLength(10)
  expect(new Set(found.map(({ row }) => row.id)).size).toBe(1)
  expect(found.filter(({ created }) => created)).toHaveLength(1)
  for (const one of attempts)
    if (one.status === 'rejected') expect(one.reason).toMatchObject(existsElsewhere)
})

test('deletes a conversation with its messages, signals, participants and events', async () => {
  const [conversation, ann] = [await newConversation(), await newUser()]
  await post({ conversationId: conversation.id, userId: ann.id })
  expect(await toRejection(deleteConversation(db, ours, conversation.id, 'other'))).toBe(
    'ResourceNotFound',
  )
  expect(await toRejection(deleteConversation(db, theirs, conversation.id, null))).toBe(
    'ResourceNotFound',
  )
  await deleteConversation(db, ours, conversation.id, 'tg')
  for (const table of ['message', 'signal', 'participant', 'event']) {
    const { rows } =
      await sql`select 1 from ${sql.table(table)} where conversation_id = ${conversation.id}`.execute(
        db,
      )
    expect(rows, table).toEqual([])
  }
  expect((await findUser(db, ours, ann.id)).id).toBe(ann.id)
})

test('stores an event with its delivery, in the lane of its conversation or in a separate lane', async () => {
  const conversation = await newConversation()
  const { database, deliveries, dispatched } = messaging
  dispatched.length = 0
  const base = { botId: ours, type: 'tg:added', payload: { content: 'x' } }
  const [first, second] = [
    await createEvent(
      { database, deliveries },
      { ...base, conversationId: conversation.id },
    ),
    await createEvent(
      { database, deliveries },
      { ...base, conversationId: conversation.id },
    ),
  ]
  const alone = await createEvent({ database, deliveries }, base)
  // The first number of a lane comes from the time.
  const firstNumber = dispatched[0]!.number
  expect(
    dispatched.map(({ lane, number, subjectId, kind, owner, ahead }) => ({
      lane,
      number,
      subjectId,
      kind,
      owner,
      ahead,
    })),
  ).toEqual([
    {
      lane: conversation.id,
      number: firstNumber,
      subjectId: first.id,
      kind: 'event',
      owner: 'worker_me',
      ahead: 0,
    },
    {
      lane: conversation.id,
      number: String(Number(firstNumber) + 1),
      subjectId: second.id,
      kind: 'event',
      owner: 'worker_me',
      ahead: 1,
    },
    {
      lane: alone.id,
      number: expect.stringMatching(/^\d{16}$/),
      subjectId: alone.id,
      kind: 'event',
      owner: 'worker_me',
      ahead: 0,
    },
  ])
  expect(await findEventRow(db, ours, first.id, null)).toEqual(first)
  expect(await findEventRow(db, ours, first.id, 'tg')).toEqual(first)
  expect(await findEventRow(db, ours, first.id, 'other')).toBeNull()
  expect(await findEventRow(db, theirs, first.id, null)).toBeNull()
  const list = async (more: object) =>
    (
      await listEvents(db, ours, null, {
        conversationId: conversation.id,
        position: null,
        limit: 9,
        ...more,
      })
    ).map(({ id }) => id)
  expect(await list({})).toEqual([second.id, first.id])
  expect(await list({ position: second.id })).toEqual([first.id])
  expect(await list({ status: 'processed' })).toEqual([])
  expect(await list({ type: 'tg:added', status: 'pending' })).toEqual([
    second.id,
    first.id,
  ])
})

test('references must exist in the same bot and be visible to the caller', async () => {
  const [conversation, ann, others] = [
    await newConversation(),
    await newUser(),
    await createUser(db, ours, 'other', { integration: 'other' }),
  ]
  const check = (viewer: string | null, references: object, botId = ours) =>
    toRejection(checkReferences(db, botId, viewer, references))
  expect(await check('tg', {})).toBe('nothing')
  expect(await check('tg', { conversationId: conversation.id, userId: ann.id })).toBe(
    'nothing',
  )
  expect(await check('tg', { userId: ours })).toBe('nothing')
  expect(await check('tg', { userId: others.id })).toBe('ReferenceNotFound')
  expect(await check(null, { userId: others.id })).toBe('nothing')
  expect(await check(null, { userId: others.id }, theirs)).toBe('ReferenceNotFound')
  expect(await check('other', { conversationId: conversation.id })).toBe(
    'ReferenceNotFound',
  )
  expect(await check('tg', { messageId: 'msg_none' })).toBe('ReferenceNotFound')
  const incoming = (alias: string, conversationId: string, userId: string) =>
    toRejection(checkIncoming(db, ours, alias, conversationId, userId))
  expect(await incoming('tg', conversation.id, ann.id)).toBe('nothing')
  expect(await incoming('other', conversation.id, others.id)).toBe('ResourceNotFound')
  expect(await incoming('tg', conversation.id, others.id)).toBe('ReferenceNotFound')
  await sql`
    update installation set disabled_channels = '{dm}' where bot_id = ${ours} and alias = 'tg'`.execute(
    db,
  )
  expect(await incoming('tg', conversation.id, ann.id)).toBe('Forbidden')
  await sql`
    update installation set disabled_channels = '{}' where bot_id = ${ours} and alias = 'tg'`.execute(
    db,
  )
})
