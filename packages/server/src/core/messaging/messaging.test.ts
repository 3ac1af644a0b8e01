import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Messaging,
  openMessaging,
  ours,
  theirs,
  toRejection,
} from '../../../test/support/messaging-rows.ts'
import type { Database, Db } from '../db/database.ts'
import { listConversations } from './conversation-listing.ts'
import {
  type ConversationRow,
  createConversation,
  findConversation,
  getOrCreateConversation,
  updateConversation,
} from './conversations.ts'
import { findEvent } from './event-serializers.ts'
import { listEvents } from './events/events.ts'
import { listMessages } from './messages/message-listing.ts'
import { deleteMessage, getOrCreateMessage } from './messages/messages.ts'
import {
  findParticipant,
  joinConversation,
  leaveConversation,
  listParticipants,
} from './participants.ts'
import { listUsers } from './user-listing.ts'
import { createUser, deleteUser, findUser, getOrCreateUser, updateUser } from './users.ts'

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

const paged = {
  sortField: 'created_at',
  direction: 'desc',
  position: null,
  limit: 100,
} as const

test('an integration finds its own users and the bot, the bot finds all, another bot none', async () => {
  const mine = await newUser({ id: '1' })
  const others = await createUser(db, ours, 'other', { integration: 'other' })
  expect(mine.tags).toEqual({ 'tg:id': '1' })
  expect(await findUser(db, ours, mine.id, 'tg')).toEqual(mine)
  expect((await findUser(db, ours, ours, 'tg')).id).toBe(ours)
  expect((await findUser(db, ours, others.id)).id).toBe(others.id)
  const unseen = {
    'finds a user of another integration': () => findUser(db, ours, others.id, 'tg'),
    'finds a user of another bot': () => findUser(db, theirs, mine.id),
    'finds its user in another bot': () => findUser(db, theirs, mine.id, 'tg'),
    'updates a user of another integration': () =>
      updateUser(db, ours, others.id, 'tg', { name: 'X' }),
    'deletes a user of another integration': () => deleteUser(db, ours, others.id, 'tg'),
  }
  for (const [name, look] of Object.entries(unseen))
    expect(await toRejection(look()), name).toBe('ResourceNotFound')
  expect(await toRejection(deleteUser(db, ours, ours, 'tg'))).toBe('Forbidden')
})

test('updates single fields, tags and properties of a user', async () => {
  const user = await newUser({ id: '2', lang: 'fr' })
  const first = await updateUser(db, ours, user.id, 'tg', {
    name: 'Ann',
    pictureUrl: 'p',
    tags: { lang: '' },
    properties: { plan: 'a', size: 'b' },
  })
  expect(first).toMatchObject({
    name: 'Ann',
    picture_url: 'p',
    tags: { 'tg:id': '2' },
    properties: { plan: 'a', size: 'b' },
  })
  const second = await updateUser(db, ours, user.id, null, {
    name: null,
    tags: { mood: 'good', 'tg:id': '2' },
    properties: { size: null },
  })
  expect(second).toMatchObject({
    name: null,
    picture_url: 'p',
    tags: { 'tg:id': '2', mood: 'good' },
    properties: { plan: 'a' },
  })
  expect(
    await toRejection(updateUser(db, ours, user.id, null, { tags: { 'tg:id': '3' } })),
  ).toBe('InvalidPayload')
  expect(
    await toRejection(updateUser(db, ours, user.id, 'tg', { tags: { undeclared: '3' } })),
  ).toBe('InvalidPayload')
  const unchanged = await updateUser(db, ours, user.id, 'tg', { tags: { id: '2' } })
  expect(unchanged.updated_at).toEqual(second.updated_at)
})

test('concurrent updates of one user all take effect', async () => {
  const user = await newUser()
  await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      updateUser(db, ours, user.id, null, { tags: { [`t${i}`]: 'x' } }),
    ),
  )
  expect(Object.keys((await findUser(db, ours, user.id)).tags)).toHaveLength(10)
})

test('forty concurrent get-or-create calls return the same user, conversation and message', async () => {
  const inParallel = <T>(one: () => Promise<T>) =>
    Promise.all(Array.from({ length: 40 }, one))
  const users = await inParallel(() =>
    getOrCreateUser(db, ours, 'tg', { integration: 'tg', tags: { id: 'race' } }),
  )
  expect(new Set(users.map(({ row }) => row.id)).size).toBe(1)
  expect(users.filter(({ created }) => created)).toHaveLength(1)
  const conversations = await inParallel(() =>
    getOrCreateConversation(db, ours, 'tg', {
      integration: 'tg',
      channel: 'dm',
      tags: { id: 'race' },
    }),
  )
  expect(new Set(conversations.map(({ row }) => row.id)).size).toBe(1)
  const author = { conversationId: conversations[0]!.row.id, userId: users[0]!.row.id }
  const options = {
    conversationId: author.conversationId,
    match: { 'tg:id': 'race' },
    tags: { id: 'race' },
    payload: { text: 'hi' },
  }
  const messages = await inParallel(() =>
    getOrCreateMessage(db, ours, 'tg', options, () =>
      post({ ...author, tags: { 'tg:id': 'race' } }),
    ),
  )
  expect(new Set(messages.map(({ row }) => row.id)).size).toBe(1)
  expect(messages.filter(({ created }) => created)).toHaveLength(1)
})

test('get-or-create matches by the named tags only and sets the other fields', async () => {
  const input = { integration: 'tg', tags: { id: 'g1', lang: 'fr' } }
  const first = await getOrCreateUser(db, ours, 'tg', input)
  expect(first.created).toBe(true)
  const second = await getOrCreateUser(
    db,
    ours,
    'tg',
    { integration: 'tg', tags: { id: 'g1', lang: 'de' }, name: 'Ann' },
    ['id'],
  )
  expect(second).toMatchObject({
    created: false,
    row: { id: first.row.id, name: 'Ann', tags: { 'tg:id': 'g1', 'tg:lang': 'de' } },
  })
  expect((await getOrCreateUser(db, ours, 'tg', input)).created).toBe(true)
  expect(
    (
      await getOrCreateUser(db, ours, 'other', {
        integration: 'other',
        tags: { id: 'g1' },
      })
    ).created,
  ).toBe(true)
  expect(
    (await getOrCreateUser(db, theirs, 'tg', { integration: 'tg', tags: { id: 'g1' } }))
      .created,
  ).toBe(true)
  expect(
    (await getOrCreateUser(db, ours, 'tg', { integration: 'tg', tags: {} })).created,
  ).toBe(true)
  expect(await toRejection(getOrCreateUser(db, ours, 'tg', input, ['absent']))).toBe(
    'InvalidPayload',
  )
})

test('the same tags in another channel create another conversation', async () => {
  const inChannel = (channel: string) =>
    getOrCreateConversation(db, ours, null, {
      integration: 'tg',
      channel,
      tags: { topic: 'x' },
    })
  const [dm, group, again] = [
    await inChannel('dm'),
    await inChannel('group'),
    await inChannel('dm'),
  ]
  expect(dm.row.id).not.toBe(group.row.id)
  expect(again).toMatchObject({ created: false, row: { id: dm.row.id } })
})

test('conversations are found by every filter, in pages', async () => {
  const made: ConversationRow[] = []
  for (let i = 0; i < 5; i++)
    made.push(await newConversation({ room: 'lists', id: `l${i}` }))
  const [ann, bob] = [await newUser(), await newUser()]
  for (const { id } of made.slice(0, 3)) await joinConversation(db, ours, id, ann.id)
  await joinConversation(db, ours, made[0]!.id, bob.id)
  const list = async (more: object, viewer: string | null = 'tg') =>
    (await listConversations(db, ours, viewer, { ...paged, ...more })).rows.map(
      ({ id }) => made.findIndex((one) => one.id === id),
    )
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
  expect(
    await list({ tags, after: made[1]!.created_at, before: made[3]!.created_at }),
  ).toEqual(expect.arrayContaining([3, 2, 1]))
  expect(
    await list({ tags, position: { at: made[2]!.created_at, id: made[2]!.id } }),
  ).toEqual([1, 0])
  expect(
    await list({
      tags,
      sortField: 'updated_at',
      direction: 'asc',
      position: { at: made[2]!.updated_at, id: made[2]!.id },
    }),
  ).toEqual(expect.arrayContaining([3, 4]))
})

test('conversations of a user who takes part in more than a thousand are found in order', async () => {
  const user = await newUser()
  const first = await newConversation()
  await sql`
    with made as (
      insert into conversation (bot_id, id, integration, channel, created_at)
      select ${ours}, 'conv_many' || i, 'tg', 'dm', now() - interval '1 day' - i * interval '1 second'
      from generate_series(1, 1001) i returning id
    )
    insert into participant (bot_id, conversation_id, user_id)
    select ${ours}, id, ${user.id} from made where id <> 'conv_many2'
    union all select ${ours}, ${first.id}, ${user.id}`.execute(db)
  await newConversation()
  const { rows } = await listConversations(db, ours, 'tg', {
    ...paged,
    participantIds: [user.id],
    limit: 3,
  })
  expect(rows.map(({ id }) => id)).toEqual([first.id, 'conv_many1', 'conv_many3'])
})

test('users are found by conversation, tags and time', async () => {
  const conversation = await newConversation()
  const [ann, bob] = [await newUser({ lang: 'xx' }), await newUser({ lang: 'xx' })]
  await joinConversation(db, ours, conversation.id, ann.id)
  const list = async (more: object, viewer: string | null = 'tg') =>
    (
      await listUsers(db, ours, viewer, { ...paged, rangeField: 'created_at', ...more })
    ).map(({ id }) => id)
  expect(await list({ conversationId: conversation.id })).toEqual([ann.id])
  expect(await list({ tags: { lang: 'xx' } })).toEqual([bob.id, ann.id])
  expect(await list({ tags: { lang: 'xx' } }, 'other')).toEqual([])
  expect(
    await list({
      tags: { lang: 'xx' },
      rangeField: 'updated_at',
      after: new Date(Date.now() + 60_000),
    }),
  ).toEqual([])
  expect(
    await list({ tags: { lang: 'xx' }, position: { at: bob.created_at, id: bob.id } }),
  ).toEqual([ann.id])
})

test('joining and leaving send one signal each', async () => {
  const [conversation, ann] = [
    await createConversation(db, ours, 'tg', {
      integration: 'tg',
      channel: 'dm',
      fid: 'c-fid',
    }),
    await createUser(db, ours, 'tg', { integration: 'tg', fid: 'u-fid' }),
  ]
  const data = { conversationId: 'c-fid', participantId: 'u-fid' }
  expect(await joinConversation(db, ours, conversation.id, ann.id)).toEqual({
    joined: true,
    number: '1',
    signal: { number: '1', type: 'participant_added', data },
  })
  expect(await joinConversation(db, ours, conversation.id, ann.id)).toEqual({
    joined: false,
    number: null,
    signal: null,
  })
  expect((await findParticipant(db, ours, conversation.id, ann.id)).id).toBe(ann.id)
  expect(
    (await listParticipants(db, ours, conversation.id, { position: null, limit: 5 })).map(
      ({ id }) => id,
    ),
  ).toEqual([ann.id])
  expect(await leaveConversation(db, ours, conversation.id, ann.id)).toMatchObject({
    removed: true,
    number: '2',
  })
  expect(await leaveConversation(db, ours, conversation.id, ann.id)).toMatchObject({
    removed: false,
    number: null,
  })
  expect(await toRejection(findParticipant(db, ours, conversation.id, ann.id))).toBe(
    'ResourceNotFound',
  )
  for (const [name, botId, userId] of [
    ['a conversation of another bot', theirs, ann.id],
    ['an unknown user', ours, 'user_nobody'],
    ['another bot as the user', ours, theirs],
  ] as const) {
    expect(
      (await joinConversation(db, botId, conversation.id, userId)).joined,
      name,
    ).toBe(false)
  }
  const { rows } = await sql`
    select number, type from signal where conversation_id = ${conversation.id} order by number`.execute(
    db,
  )
  expect(rows).toEqual([
    { number: '1', type: 'participant_added' },
    { number: '2', type: 'participant_removed' },
  ])
})

test('rejects an id chosen by a client that is already in use in the bot', async () => {
  expect(
    await toRejection(createUser(db, ours, 'tg', { integration: 'tg', fid: 'taken' })),
  ).toBe('nothing')
  expect(
    await toRejection(createUser(db, ours, 'tg', { integration: 'tg', fid: 'taken' })),
  ).toBe('AlreadyExists')
  expect(
    await toRejection(createUser(db, theirs, 'tg', { integration: 'tg', fid: 'taken' })),
  ).toBe('nothing')
  const owner = await newUser()
  const made = await createConversation(db, ours, 'tg', {
    integration: 'tg',
    channel: 'dm',
    fid: 'taken',
    ownerId: owner.id,
  })
  expect((await findParticipant(db, ours, made.id, owner.id)).id).toBe(owner.id)
  expect(
    await toRejection(
      createConversation(db, ours, 'tg', {
        integration: 'tg',
        channel: 'dm',
        fid: 'taken',
      }),
    ),
  ).toBe('AlreadyExists')
})

test('deletes a user with their messages and the conversations that have no other participant', async () => {
  const [ann, bob] = [await newUser(), await newUser()]
  const alone = await createConversation(db, ours, 'tg', {
    integration: 'tg',
    channel: 'dm',
    ownerId: ann.id,
  })
  const shared = await createConversation(db, ours, 'tg', {
    integration: 'tg',
    channel: 'dm',
    ownerId: ann.id,
  })
  await joinConversation(db, ours, shared.id, bob.id)
  for (const userId of [ann.id, ours]) await post({ conversationId: alone.id, userId })
  for (const userId of [ann.id, bob.id]) await post({ conversationId: shared.id, userId })
  await deleteUser(db, ours, ann.id, 'tg')
  expect(await toRejection(findConversation(db, ours, alone.id))).toBe('ResourceNotFound')
  expect(await findConversation(db, ours, shared.id)).toMatchObject({ message_count: 1 })
  expect(
    (
      await listMessages(database, ours, null, {
        conversationId: shared.id,
        position: null,
        limit: 9,
      })
    ).map(({ user_id }) => user_id),
  ).toEqual([bob.id])
  expect(
    (await listParticipants(db, ours, shared.id, { position: null, limit: 9 })).map(
      ({ id }) => id,
    ),
  ).toEqual([bob.id])
  expect(
    (await listEvents(db, ours, null, { userId: ann.id, position: null, limit: 9 }))
      .length,
  ).toBe(0)
})

test('a message_created event contains the message, its author and its conversation', async () => {
  const [conversation, ann] = [
    await newConversation({ id: 'shown' }),
    await newUser({ id: 'shown' }),
  ]
  const message = await post({
    conversationId: conversation.id,
    userId: ann.id,
    tags: { 'tg:id': 's' },
  })
  const [row] = await listEvents(db, ours, null, {
    messageId: message.id,
    position: null,
    limit: 1,
  })
  expect(await findEvent(db, ours, row!.id)).toMatchObject({
    type: 'message_created',
    status: 'pending',
    conversationId: conversation.id,
    payload: {
      message: {
        id: message.id,
        payload: { text: 'hi' },
        tags: { 'tg:id': 's' },
        direction: 'incoming',
      },
      user: { id: ann.id, tags: { 'tg:id': 'shown' } },
      conversation: { id: conversation.id, integration: 'tg', messageCount: 1 },
    },
  })
  await deleteMessage(db, ours, message.id, null)
  expect((await findEvent(db, ours, row!.id))?.payload).toEqual({})
})

test('an integration and the bot update a conversation with their own tag names', async () => {
  const conversation = await newConversation({ id: 'u1' })
  await updateConversation(db, ours, conversation.id, 'tg', {
    tags: { room: 'a' },
    properties: { p: '1' },
  })
  const after = await updateConversation(db, ours, conversation.id, null, {
    tags: { topic: 't' },
    properties: { p: null },
  })
  expect(after).toMatchObject({
    tags: { 'tg:id': 'u1', 'tg:room': 'a', topic: 't' },
    properties: {},
  })
  expect(
    await toRejection(
      updateConversation(db, ours, conversation.id, 'other', { tags: {} }),
    ),
  ).toBe('ResourceNotFound')
  expect(
    await toRejection(
      updateConversation(db, ours, conversation.id, 'tg', { tags: { nope: 'x' } }),
    ),
  ).toBe('InvalidPayload')
})
