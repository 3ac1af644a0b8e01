import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, type Db, openDatabase } from '../src/db/open.ts'
import { createEvent, findEventRow, listEvents } from '../src/events/events.ts'
import {
  createConversation,
  deleteConversation,
  findConversation,
  getOrCreateConversation,
  listConversations,
  updateConversation,
} from '../src/messaging/conversations.ts'
import { findEvent } from '../src/messaging/event-shown.ts'
import { messageWriter, type NewMessage } from '../src/messaging/message-writer.ts'
import { deleteMessage, findMessage, getOrCreateMessage, listMessages, updateMessage } from '../src/messaging/messages.ts'
import { findParticipant, joinConversation, leaveConversation, listParticipants } from '../src/messaging/participants.ts'
import { checkIncoming, checkReferences } from '../src/messaging/references.ts'
import { createUser, deleteUser, findUser, getOrCreateUser, listUsers, updateUser } from '../src/messaging/users.ts'
import type { Enqueued } from '../src/queue/queue.ts'
import { cloneDatabase, type TestDatabase } from './database.ts'
import { ours, seedMessaging, theirs } from './messaging-rows.ts'

const log = pino({ level: 'silent' })
let clone: TestDatabase
let database: Database
let db: Db
const dispatched: Enqueued[] = []
const deliveries = { owner: 'worker_me', dispatch: (enqueued: Enqueued[]) => void dispatched.push(...enqueued) }
let post: (message: Partial<NewMessage> & Pick<NewMessage, 'conversationId' | 'userId'>) => ReturnType<ReturnType<typeof messageWriter>['post']>

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase(clone.settings, { log })
  db = database.db
  await seedMessaging(db)
  const writer = messageWriter(database, deliveries, { publish: () => {} } as never)
  post = (message) => writer.post({ botId: ours, direction: 'incoming', type: 'text', payload: { text: 'hi' }, ...message })
})
afterAll(async () => {
  await database.close()
  await clone.drop()
})

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'nothing',
    (error) => error.type,
  )
const newUser = (tags: Record<string, string> = {}, integration: string | null = 'tg') => createUser(db, ours, integration, { integration, tags })
const newConversation = (tags: Record<string, string> = {}) => createConversation(db, ours, 'tg', { integration: 'tg', channel: 'dm', tags })
const paged = { sortField: 'created_at', direction: 'desc', position: null, limit: 100 } as const

test('an integration finds its own users and the bot, the bot finds all, another bot none', async () => {
  const mine = await newUser({ id: '1' })
  const others = await createUser(db, ours, 'other', { integration: 'other' })
  expect(mine.tags).toEqual({ 'tg:id': '1' })
  expect(await findUser(db, ours, mine.id, 'tg')).toEqual(mine)
  expect((await findUser(db, ours, ours, 'tg')).id).toBe(ours)
  expect((await findUser(db, ours, others.id)).id).toBe(others.id)
  const unseen = [
    () => findUser(db, ours, others.id, 'tg'),
    () => findUser(db, theirs, mine.id),
    () => findUser(db, theirs, mine.id, 'tg'),
    () => updateUser(db, ours, others.id, 'tg', { name: 'X' }),
    () => deleteUser(db, ours, others.id, 'tg'),
  ]
  for (const look of unseen) expect(await refusal(look())).toBe('ResourceNotFound')
  expect(await refusal(deleteUser(db, ours, ours, 'tg'))).toBe('Forbidden')
})

test('a user is updated piece by piece', async () => {
  const user = await newUser({ id: '2', lang: 'fr' })
  const first = await updateUser(db, ours, user.id, 'tg', { name: 'Ann', pictureUrl: 'p', tags: { lang: '' }, properties: { plan: 'a', size: 'b' } })
  expect(first).toMatchObject({ name: 'Ann', picture_url: 'p', tags: { 'tg:id': '2' }, properties: { plan: 'a', size: 'b' } })
  const second = await updateUser(db, ours, user.id, null, { name: null, tags: { mood: 'good', 'tg:id': '2' }, properties: { size: null } })
  expect(second).toMatchObject({ name: null, picture_url: 'p', tags: { 'tg:id': '2', mood: 'good' }, properties: { plan: 'a' } })
  expect(await refusal(updateUser(db, ours, user.id, null, { tags: { 'tg:id': '3' } }))).toBe('InvalidPayload')
  expect(await refusal(updateUser(db, ours, user.id, 'tg', { tags: { undeclared: '3' } }))).toBe('InvalidPayload')
  const unchanged = await updateUser(db, ours, user.id, 'tg', { tags: { id: '2' } })
  expect(unchanged.updated_at).toEqual(second.updated_at)
})

test('two updates of one user lose nothing of each other', async () => {
  const user = await newUser()
  await Promise.all(Array.from({ length: 10 }, (_, i) => updateUser(db, ours, user.id, null, { tags: { [`t${i}`]: 'x' } })))
  expect(Object.keys((await findUser(db, ours, user.id)).tags)).toHaveLength(10)
})

test('forty who race for one user, one conversation, one message get the same', async () => {
  const racing = <T>(one: () => Promise<T>) => Promise.all(Array.from({ length: 40 }, one))
  const users = await racing(() => getOrCreateUser(db, ours, 'tg', { integration: 'tg', tags: { id: 'race' } }))
  expect(new Set(users.map(({ row }) => row.id)).size).toBe(1)
  expect(users.filter(({ created }) => created)).toHaveLength(1)
  const conversations = await racing(() => getOrCreateConversation(db, ours, 'tg', { integration: 'tg', channel: 'dm', tags: { id: 'race' } }))
  expect(new Set(conversations.map(({ row }) => row.id)).size).toBe(1)
  const place = { conversationId: conversations[0]!.row.id, userId: users[0]!.row.id }
  const wanted = { conversationId: place.conversationId, match: { 'tg:id': 'race' }, tags: { id: 'race' }, payload: { text: 'hi' } }
  const messages = await racing(() => getOrCreateMessage(db, ours, 'tg', wanted, () => post({ ...place, tags: { 'tg:id': 'race' } })))
  expect(new Set(messages.map(({ row }) => row.id)).size).toBe(1)
  expect(messages.filter(({ created }) => created)).toHaveLength(1)
})

test('a get-or-create goes by the named tags, and sets what else is given', async () => {
  const given = { integration: 'tg', tags: { id: 'g1', lang: 'fr' } }
  const first = await getOrCreateUser(db, ours, 'tg', given)
  expect(first.created).toBe(true)
  const second = await getOrCreateUser(db, ours, 'tg', { integration: 'tg', tags: { id: 'g1', lang: 'de' }, name: 'Ann' }, ['id'])
  expect(second).toMatchObject({ created: false, row: { id: first.row.id, name: 'Ann', tags: { 'tg:id': 'g1', 'tg:lang': 'de' } } })
  expect((await getOrCreateUser(db, ours, 'tg', given)).created).toBe(true)
  expect((await getOrCreateUser(db, ours, 'other', { integration: 'other', tags: { id: 'g1' } })).created).toBe(true)
  expect((await getOrCreateUser(db, theirs, 'tg', { integration: 'tg', tags: { id: 'g1' } })).created).toBe(true)
  expect((await getOrCreateUser(db, ours, 'tg', { integration: 'tg', tags: {} })).created).toBe(true)
  expect(await refusal(getOrCreateUser(db, ours, 'tg', given, ['absent']))).toBe('InvalidPayload')
})

test('the same tags in another channel are another conversation', async () => {
  const inChannel = (channel: string) => getOrCreateConversation(db, ours, null, { integration: 'tg', channel, tags: { topic: 'x' } })
  const [dm, group, again] = [await inChannel('dm'), await inChannel('group'), await inChannel('dm')]
  expect(dm.row.id).not.toBe(group.row.id)
  expect(again).toMatchObject({ created: false, row: { id: dm.row.id } })
})

test('conversations are found by every filter, in pages', async () => {
  const made = []
  for (let i = 0; i < 5; i++) made.push(await newConversation({ room: 'lists', id: `l${i}` }))
  const [ann, bob] = [await newUser(), await newUser()]
  for (const { id } of made.slice(0, 3)) await joinConversation(db, ours, id, ann.id)
  await joinConversation(db, ours, made[0]!.id, bob.id)
  const list = async (more: object, viewer: string | null = 'tg') =>
    (await listConversations(db, ours, viewer, { ...paged, ...more })).map(({ id }) => made.findIndex((one) => one.id === id))
  const tags = { room: 'lists' }
  expect(await list({ tags })).toEqual([4, 3, 2, 1, 0])
  expect(await list({ tags, direction: 'asc', limit: 2 })).toEqual([0, 1])
  expect(await list({ tags: { 'tg:room': 'lists' } }, null)).toEqual([4, 3, 2, 1, 0])
  expect(await list({ tags }, 'other')).toEqual([])
  expect(await list({ participantIds: [ann.id] })).toEqual([2, 1, 0])
  expect(await list({ participantIds: [ann.id, bob.id, bob.id] })).toEqual([0])
  expect(await list({ tags, integrations: ['other'] })).toEqual([])
  expect(await list({ tags, channel: 'group' })).toEqual([])
  expect(await list({ tags, minMessageCount: 1 })).toEqual([])
  expect(await list({ tags, after: made[1]!.created_at, before: made[3]!.created_at })).toEqual(expect.arrayContaining([3, 2, 1]))
  expect(await list({ tags, position: { at: made[2]!.created_at, id: made[2]!.id } })).toEqual([1, 0])
  expect(await list({ tags, sortField: 'updated_at', direction: 'asc', position: { at: made[2]!.updated_at, id: made[2]!.id } })).toEqual(
    expect.arrayContaining([3, 4]),
  )
})

test('users are found by conversation, tags and time', async () => {
  const conversation = await newConversation()
  const [ann, bob] = [await newUser({ lang: 'xx' }), await newUser({ lang: 'xx' })]
  await joinConversation(db, ours, conversation.id, ann.id)
  const list = async (more: object, viewer: string | null = 'tg') =>
    (await listUsers(db, ours, viewer, { ...paged, rangeField: 'created_at', ...more })).map(({ id }) => id)
  expect(await list({ conversationId: conversation.id })).toEqual([ann.id])
  expect(await list({ tags: { lang: 'xx' } })).toEqual([bob.id, ann.id])
  expect(await list({ tags: { lang: 'xx' } }, 'other')).toEqual([])
  expect(await list({ tags: { lang: 'xx' }, rangeField: 'updated_at', after: new Date(Date.now() + 60_000) })).toEqual([])
  expect(await list({ tags: { lang: 'xx' }, position: { at: bob.created_at, id: bob.id } })).toEqual([ann.id])
})

test('joining and leaving are signalled once each', async () => {
  const [conversation, ann] = [
    await createConversation(db, ours, 'tg', { integration: 'tg', channel: 'dm', fid: 'c-fid' }),
    await createUser(db, ours, 'tg', { integration: 'tg', fid: 'u-fid' }),
  ]
  const data = { conversationId: 'c-fid', participantId: 'u-fid' }
  expect(await joinConversation(db, ours, conversation.id, ann.id)).toEqual({
    joined: true,
    number: '1',
    signal: { number: '1', type: 'participant_added', data },
  })
  expect(await joinConversation(db, ours, conversation.id, ann.id)).toEqual({ joined: false, number: null, signal: null })
  expect((await findParticipant(db, ours, conversation.id, ann.id)).id).toBe(ann.id)
  expect((await listParticipants(db, ours, conversation.id, { position: null, limit: 5 })).map(({ id }) => id)).toEqual([ann.id])
  expect(await leaveConversation(db, ours, conversation.id, ann.id)).toMatchObject({ left: true, number: '2' })
  expect(await leaveConversation(db, ours, conversation.id, ann.id)).toMatchObject({ left: false, number: null })
  expect(await refusal(findParticipant(db, ours, conversation.id, ann.id))).toBe('ResourceNotFound')
  for (const [botId, userId] of [
    [theirs, ann.id],
    [ours, 'user_nobody'],
    [ours, theirs],
  ] as const) {
    expect((await joinConversation(db, botId, conversation.id, userId)).joined).toBe(false)
  }
  const { rows } = await sql`select number, type from signal where conversation_id = ${conversation.id} order by number`.execute(db)
  expect(rows).toEqual([
    { number: '1', type: 'participant_added' },
    { number: '2', type: 'participant_removed' },
  ])
})

test('an id that a client chose is taken once', async () => {
  expect(await refusal(createUser(db, ours, 'tg', { integration: 'tg', fid: 'taken' }))).toBe('nothing')
  expect(await refusal(createUser(db, ours, 'tg', { integration: 'tg', fid: 'taken' }))).toBe('AlreadyExists')
  expect(await refusal(createUser(db, theirs, 'tg', { integration: 'tg', fid: 'taken' }))).toBe('nothing')
  const owner = await newUser()
  const made = await createConversation(db, ours, 'tg', { integration: 'tg', channel: 'dm', fid: 'taken', ownerId: owner.id })
  expect((await findParticipant(db, ours, made.id, owner.id)).id).toBe(owner.id)
  expect(await refusal(createConversation(db, ours, 'tg', { integration: 'tg', channel: 'dm', fid: 'taken' }))).toBe('AlreadyExists')
})

test('messages are listed newest first, by page, date and tag', async () => {
  const [conversation, ann] = [await newConversation(), await newUser()]
  const made = []
  for (let i = 0; i < 12; i++) made.push(await post({ conversationId: conversation.id, userId: ann.id, tags: { 'tg:id': `m${i % 3}` } }))
  const list = async (more: object, viewer: string | null = 'tg') =>
    (await listMessages(db, ours, viewer, { conversationId: conversation.id, position: null, limit: 50, ...more })).map(({ id }) =>
      made.findIndex((one) => one.id === id),
    )
  const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i)
  expect(await list({})).toEqual(down(11, 0))
  expect(await list({ limit: 3, position: made[5]!.number })).toEqual([4, 3, 2])
  for (const [first, last] of [
    [0, 11],
    [3, 3],
    [4, 9],
    [11, 11],
  ] as const)
    expect(await list({ after: made[first]!.created_at, before: made[last]!.created_at })).toEqual(down(last, first))
  expect(await list({ after: new Date(made[11]!.created_at.getTime() + 1) })).toEqual([])
  expect(await list({ before: new Date(made[0]!.created_at.getTime() - 1) })).toEqual([])
  expect(await list({ tags: { id: 'm1' } })).toEqual([10, 7, 4, 1])
  expect(await list({}, 'other')).toEqual([])
  expect(await list({ conversationId: undefined, tags: { id: 'm2' } })).toEqual([11, 8, 5, 2])
  expect(await list({ conversationId: 'conv_nowhere', after: new Date(0) })).toEqual([])
  expect(await listMessages(db, theirs, null, { conversationId: conversation.id, position: null, limit: 50 })).toEqual([])
})

test('a page by date stays found when messages are gone', async () => {
  const [conversation, ann] = [await newConversation(), await newUser()]
  const made = []
  for (let i = 0; i < 9; i++) made.push(await post({ conversationId: conversation.id, userId: ann.id }))
  for (const at of [0, 3, 4, 8]) await deleteMessage(db, ours, made[at]!.id, 'tg')
  const list = async (more: object) =>
    (await listMessages(db, ours, 'tg', { conversationId: conversation.id, position: null, limit: 50, ...more })).map(({ id }) =>
      made.findIndex((one) => one.id === id),
    )
  expect(await list({ after: made[3]!.created_at })).toEqual([7, 6, 5])
  expect(await list({ before: made[4]!.created_at })).toEqual([2, 1])
  expect(await list({ after: made[8]!.created_at })).toEqual([])
})

test('a message is updated and deleted, which listeners are told', async () => {
  const [conversation, ann] = [await newConversation(), await newUser()]
  const message = await post({ conversationId: conversation.id, userId: ann.id })
  const updated = await updateMessage(db, ours, message.id, 'tg', { tags: { id: '9' }, payload: { text: 'ho' } })
  expect(updated).toMatchObject({ tags: { 'tg:id': '9' }, payload: { text: 'ho' }, number: '1' })
  expect(await refusal(updateMessage(db, ours, message.id, 'tg', { tags: { wrong: '9' } }))).toBe('InvalidPayload')
  expect(await refusal(updateMessage(db, ours, message.id, 'other', { tags: {} }))).toBe('ResourceNotFound')
  expect(await refusal(findMessage(db, theirs, message.id))).toBe('ResourceNotFound')
  expect(await deleteMessage(db, ours, message.id, 'tg')).toEqual({
    number: '2',
    conversation: conversation.id,
    type: 'message_deleted',
    data: { id: message.id, conversationId: conversation.id, userId: ann.id },
  })
  expect(await refusal(deleteMessage(db, ours, message.id, 'tg'))).toBe('ResourceNotFound')
  expect((await findConversation(db, ours, conversation.id)).message_count).toBe(0)
})

test('a message that is there gets the tags and payload given', async () => {
  const [conversation, ann] = [await newConversation(), await newUser()]
  const place = { conversationId: conversation.id, userId: ann.id }
  const get = (tags: Record<string, string>, match: Record<string, string> | null, payload?: Record<string, unknown>) =>
    getOrCreateMessage(db, ours, 'tg', { conversationId: conversation.id, match, tags, payload }, () =>
      post({ ...place, tags: Object.fromEntries(Object.entries(tags).map(([key, value]) => [`tg:${key}`, value])) }),
    )
  const first = await get({ id: '7' }, { 'tg:id': '7' })
  const second = await get({ id: '7' }, { 'tg:id': '7' }, { text: 'edited' })
  expect(second).toMatchObject({ created: false, row: { id: first.row.id, payload: { text: 'edited' } } })
  expect((await get({ id: '77' }, { 'tg:id': '77' })).created).toBe(true)
  expect((await get({}, null)).created).toBe(true)
  const elsewhere = await newConversation()
  const wanted = { conversationId: elsewhere.id, match: { 'tg:id': '7' }, tags: { id: '7' }, payload: undefined }
  expect((await getOrCreateMessage(db, ours, 'tg', wanted, () => post({ ...place, conversationId: elsewhere.id, tags: { 'tg:id': '7' } }))).created).toBe(true)
})

test('deleting a conversation takes along all that was in it', async () => {
  const [conversation, ann] = [await newConversation(), await newUser()]
  await post({ conversationId: conversation.id, userId: ann.id })
  expect(await refusal(deleteConversation(db, ours, conversation.id, 'other'))).toBe('ResourceNotFound')
  expect(await refusal(deleteConversation(db, theirs, conversation.id, null))).toBe('ResourceNotFound')
  await deleteConversation(db, ours, conversation.id, 'tg')
  for (const table of ['message', 'signal', 'participant', 'event']) {
    const { rows } = await sql`select 1 from ${sql.table(table)} where conversation_id = ${conversation.id}`.execute(db)
    expect(rows).toEqual([])
  }
  expect((await findUser(db, ours, ann.id)).id).toBe(ann.id)
})

test('deleting a user takes along what they said, and conversations of theirs alone', async () => {
  const [ann, bob] = [await newUser(), await newUser()]
  const alone = await createConversation(db, ours, 'tg', { integration: 'tg', channel: 'dm', ownerId: ann.id })
  const shared = await createConversation(db, ours, 'tg', { integration: 'tg', channel: 'dm', ownerId: ann.id })
  await joinConversation(db, ours, shared.id, bob.id)
  for (const userId of [ann.id, ours]) await post({ conversationId: alone.id, userId })
  for (const userId of [ann.id, bob.id]) await post({ conversationId: shared.id, userId })
  await deleteUser(db, ours, ann.id, 'tg')
  expect(await refusal(findConversation(db, ours, alone.id))).toBe('ResourceNotFound')
  expect(await findConversation(db, ours, shared.id)).toMatchObject({ message_count: 1 })
  expect((await listMessages(db, ours, null, { conversationId: shared.id, position: null, limit: 9 })).map(({ user_id }) => user_id)).toEqual([bob.id])
  expect((await listParticipants(db, ours, shared.id, { position: null, limit: 9 })).map(({ id }) => id)).toEqual([bob.id])
  expect((await listEvents(db, ours, null, { userId: ann.id, position: null, limit: 9 })).length).toBe(0)
})

test('an event is written with its delivery, in the lane of its conversation or alone', async () => {
  const conversation = await newConversation()
  dispatched.length = 0
  const base = { botId: ours, type: 'tg:added', payload: { content: 'x' } }
  const [first, second] = [
    await createEvent({ database, deliveries }, { ...base, conversationId: conversation.id }),
    await createEvent({ database, deliveries }, { ...base, conversationId: conversation.id }),
  ]
  const alone = await createEvent({ database, deliveries }, base)
  expect(dispatched.map(({ lane, number, subjectId, kind, owner, ahead }) => ({ lane, number, subjectId, kind, owner, ahead }))).toEqual([
    { lane: conversation.id, number: '1', subjectId: first.id, kind: 'event', owner: 'worker_me', ahead: 0 },
    { lane: conversation.id, number: '2', subjectId: second.id, kind: 'event', owner: 'worker_me', ahead: 1 },
    { lane: alone.id, number: '1', subjectId: alone.id, kind: 'event', owner: 'worker_me', ahead: 0 },
  ])
  expect(await findEventRow(db, ours, first.id, null)).toEqual(first)
  expect(await findEventRow(db, ours, first.id, 'tg')).toEqual(first)
  expect(await findEventRow(db, ours, first.id, 'other')).toBeNull()
  expect(await findEventRow(db, theirs, first.id, null)).toBeNull()
  const list = async (more: object) =>
    (await listEvents(db, ours, null, { conversationId: conversation.id, position: null, limit: 9, ...more })).map(({ id }) => id)
  expect(await list({})).toEqual([second.id, first.id])
  expect(await list({ position: second.id })).toEqual([first.id])
  expect(await list({ status: 'processed' })).toEqual([])
  expect(await list({ type: 'tg:added', status: 'pending' })).toEqual([second.id, first.id])
})

test('a message_created shows the message, its author and its conversation', async () => {
  const [conversation, ann] = [await newConversation({ id: 'shown' }), await newUser({ id: 'shown' })]
  const message = await post({ conversationId: conversation.id, userId: ann.id, tags: { 'tg:id': 's' } })
  const [row] = await listEvents(db, ours, null, { messageId: message.id, position: null, limit: 1 })
  expect(await findEvent(db, ours, row!.id)).toMatchObject({
    type: 'message_created',
    status: 'pending',
    conversationId: conversation.id,
    payload: {
      message: { id: message.id, payload: { text: 'hi' }, tags: { 'tg:id': 's' }, direction: 'incoming' },
      user: { id: ann.id, tags: { 'tg:id': 'shown' } },
      conversation: { id: conversation.id, integration: 'tg', messageCount: 1 },
    },
  })
  await deleteMessage(db, ours, message.id, null)
  expect((await findEvent(db, ours, row!.id))?.payload).toEqual({})
})

test('references must exist, here and with the one who names them', async () => {
  const [conversation, ann, others] = [await newConversation(), await newUser(), await createUser(db, ours, 'other', { integration: 'other' })]
  const check = (viewer: string | null, references: object, botId = ours) => refusal(checkReferences(db, botId, viewer, references))
  expect(await check('tg', {})).toBe('nothing')
  expect(await check('tg', { conversationId: conversation.id, userId: ann.id })).toBe('nothing')
  expect(await check('tg', { userId: ours })).toBe('nothing')
  expect(await check('tg', { userId: others.id })).toBe('ReferenceNotFound')
  expect(await check(null, { userId: others.id })).toBe('nothing')
  expect(await check(null, { userId: others.id }, theirs)).toBe('ReferenceNotFound')
  expect(await check('other', { conversationId: conversation.id })).toBe('ReferenceNotFound')
  expect(await check('tg', { messageId: 'msg_none' })).toBe('ReferenceNotFound')
  const incoming = (alias: string, conversationId: string, userId: string) => refusal(checkIncoming(db, ours, alias, conversationId, userId))
  expect(await incoming('tg', conversation.id, ann.id)).toBe('nothing')
  expect(await incoming('other', conversation.id, others.id)).toBe('ResourceNotFound')
  expect(await incoming('tg', conversation.id, others.id)).toBe('ReferenceNotFound')
  await sql`update installation set disabled_channels = '{dm}' where bot_id = ${ours} and alias = 'tg'`.execute(db)
  expect(await incoming('tg', conversation.id, ann.id)).toBe('Forbidden')
  await sql`update installation set disabled_channels = '{}' where bot_id = ${ours} and alias = 'tg'`.execute(db)
})

test('a conversation is updated by each in its own view', async () => {
  const conversation = await newConversation({ id: 'u1' })
  await updateConversation(db, ours, conversation.id, 'tg', { tags: { room: 'a' }, properties: { p: '1' } })
  const after = await updateConversation(db, ours, conversation.id, null, { tags: { topic: 't' }, properties: { p: null } })
  expect(after).toMatchObject({ tags: { 'tg:id': 'u1', 'tg:room': 'a', topic: 't' }, properties: {} })
  expect(await refusal(updateConversation(db, ours, conversation.id, 'other', { tags: {} }))).toBe('ResourceNotFound')
  expect(await refusal(updateConversation(db, ours, conversation.id, 'tg', { tags: { nope: 'x' } }))).toBe('InvalidPayload')
})
