// The official client calls every served operation of the Runtime API over a socket, as a bot and
// as an integration.
import { Client } from '@botpress/client'
import { runtime } from '@botstead/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRuntimeScene, type RuntimeScene } from '../support/runtime-scene.ts'

let scene: RuntimeScene
let bot: Client
let integration: Client
const performed = new Set<string>()

/** Records the called operations. */
const noting = (client: Client): Client =>
  new Proxy(client, {
    get(target, name: string) {
      const value = target[name as keyof Client] as unknown
      return typeof value === 'function'
        ? (...args: unknown[]) => {
            performed.add(name)
            return value.apply(target, args)
          }
        : value
    },
  })

beforeAll(async () => {
  scene = await openRuntimeScene()
  const apiUrl = await scene.listen()
  const settings = { apiUrl, token: scene.token, botId: scene.botId }
  bot = noting(new Client(settings))
  integration = noting(new Client({ ...settings, integrationAlias: 'tg' }))
})
afterAll(() => scene.close())

test('users', async () => {
  const { user } = await integration.createUser({
    tags: { id: '1' },
    name: 'Ann',
    pictureUrl: 'https://example.org/ann.png',
    properties: { plan: 'free' },
  })
  expect((await integration.getOrCreateUser({ tags: { id: '1' } })).user.id).toBe(user.id)
  expect(
    (
      await integration.getOrCreateUser({
        tags: { id: '1', lang: 'fr' },
        discriminateByTags: ['id'],
      })
    ).meta.created,
  ).toBe(false)
  expect((await bot.getUser({ id: user.id })).user.tags).toEqual({
    'tg:id': '1',
    'tg:lang': 'fr',
  })
  expect(
    (await integration.updateUser({ id: user.id, name: null, tags: { lang: null } }))
      .user,
  ).toMatchObject({
    tags: { id: '1' },
    properties: { plan: 'free' },
  })
  expect(
    (
      await integration.listUsers({
        tags: { id: '1' },
        sortField: 'updatedAt',
        sortDirection: 'asc',
      })
    ).users.map(({ id }) => id),
  ).toEqual([user.id])
  await integration.deleteUser({ id: user.id })
  await expect(integration.getUser({ id: user.id })).rejects.toMatchObject({
    type: 'ResourceNotFound',
    code: 404,
  })
})

test('conversations and participants', async () => {
  const { user } = await integration.createUser({ tags: {} })
  const { conversation } = await integration.createConversation({
    channel: 'dm',
    tags: { id: 'c', room: 'r' },
    properties: { a: 'b' },
  })
  expect(
    (await integration.getOrCreateConversation({ channel: 'dm', tags: { id: 'c' } }))
      .conversation.id,
  ).toBe(conversation.id)
  expect(
    (await integration.addParticipant({ id: conversation.id, userId: user.id }))
      .participant.id,
  ).toBe(user.id)
  expect(
    (await bot.getParticipant({ id: conversation.id, userId: user.id })).participant.id,
  ).toBe(user.id)
  expect((await bot.listParticipants({ id: conversation.id })).participants).toHaveLength(
    1,
  )
  const found = {
    integrationName: 'tg',
    channel: 'dm',
    participantIds: [user.id],
    tags: { 'tg:room': 'r' },
    afterDate: conversation.createdAt,
    beforeDate: new Date().toISOString(),
  }
  expect(
    (
      await bot.listConversations({ ...found, maxMessageCount: 0, pageSize: 5 })
    ).conversations.map(({ id }) => id),
  ).toEqual([conversation.id])
  expect(
    (await bot.listConversations({ ...found, participantIds: [user.id, scene.botId] }))
      .conversations,
  ).toEqual([])
  expect(
    (await bot.updateConversation({ id: conversation.id, tags: { topic: 'x' } }))
      .conversation.tags,
  ).toEqual({ 'tg:id': 'c', 'tg:room': 'r', topic: 'x' })
  expect(
    (await integration.getConversation({ id: conversation.id })).conversation,
  ).toMatchObject({
    integration: 'tg',
    channel: 'dm',
    messageCount: 0,
    tags: { id: 'c', room: 'r' },
  })
  expect(
    await integration.removeParticipant({ id: conversation.id, userId: user.id }),
  ).toEqual({})
  await integration.deleteConversation({ id: conversation.id })
  await expect(bot.getConversation({ id: conversation.id })).rejects.toMatchObject({
    type: 'ResourceNotFound',
  })
})

test('messages, single and listed', async () => {
  const { user } = await integration.createUser({ tags: {} })
  const { conversation } = await integration.createConversation({
    channel: 'dm',
    tags: {},
  })
  const target = { conversationId: conversation.id, userId: user.id, type: 'text' }
  const { message } = await integration.createMessage({
    ...target,
    payload: { text: 'hi' },
    tags: { id: '1' },
  })
  const again = await integration.getOrCreateMessage({
    ...target,
    payload: { text: 'ho' },
    tags: { id: '1' },
  })
  expect([again.meta.created, again.message.id, again.message.payload]).toEqual([
    false,
    message.id,
    { text: 'ho' },
  ])
  for (let i = 0; i < 24; i++)
    await bot.createMessage({
      ...target,
      userId: scene.botId,
      payload: { text: `${i}` },
      tags: {},
    })
  const all = []
  for await (const one of bot.list.messages({ conversationId: conversation.id }))
    all.push(one)
  expect(all.map(({ payload }) => payload.text)).toEqual([
    ...Array.from({ length: 24 }, (_, i) => `${23 - i}`),
    'ho',
  ])
  const dated = await bot.listMessages({
    conversationId: conversation.id,
    afterDate: all[2]!.createdAt,
    beforeDate: all[1]!.createdAt,
  })
  expect(dated.messages.map(({ id }) => id)).toEqual([all[1]!.id, all[2]!.id])
  expect(
    (await integration.updateMessage({ id: message.id, tags: { id: '2' } })).message.tags,
  ).toEqual({
    id: '2',
  })
  expect((await bot.getMessage({ id: message.id })).message).toMatchObject({
    direction: 'incoming',
    tags: { 'tg:id': '2' },
  })
  await bot.deleteMessage({ id: message.id })
  await expect(bot.getMessage({ id: message.id })).rejects.toMatchObject({
    type: 'ResourceNotFound',
  })
  expect(
    (await bot.getConversation({ id: conversation.id })).conversation.messageCount,
  ).toBe(24)
})

test('states', async () => {
  const { user } = await integration.createUser({ tags: {} })
  const profile = { type: 'user', id: user.id, name: 'profile' } as const
  await expect(integration.getState(profile)).rejects.toMatchObject({
    type: 'ResourceNotFound',
    message: expect.stringContaining('No State found'),
  })
  const { state, meta } = await integration.getOrSetState({
    ...profile,
    payload: { lang: 'fr' },
    expiry: 60_000,
  })
  expect([state, meta]).toMatchObject([
    {
      name: 'profile',
      type: 'user',
      userId: user.id,
      botId: scene.botId,
      payload: { lang: 'fr' },
    },
    { cached: false },
  ])
  expect((await integration.getState(profile)).state).toEqual(state)
  await expect(bot.getState(profile)).rejects.toMatchObject({ code: 404 })
  await bot.setState({ ...profile, payload: { any: 'thing' } })
  expect(
    (await bot.patchState({ ...profile, payload: { more: 1 } })).state.payload,
  ).toEqual({
    any: 'thing',
    more: 1,
  })
  expect((await bot.setStateExpiry({ ...profile, expiry: null })).state.payload).toEqual({
    any: 'thing',
    more: 1,
  })
  await bot.setState({ ...profile, payload: null })
  await expect(bot.getState(profile)).rejects.toMatchObject({ code: 404 })
  const plugin = { type: 'bot', id: scene.botId, name: 'files#queue/1' } as const
  expect((await bot.setState({ ...plugin, payload: {} })).state.name).toBe(
    'files#queue/1',
  )
  expect((await bot.getState(plugin)).state.payload).toEqual({})
})

test('workflows', async () => {
  scene.answerWith(() => ({ afterMs: 500 }))
  const { workflow } = await bot.createWorkflow({
    name: 'trip',
    status: 'pending',
    input: { to: 'Rome' },
    tags: { step: '1' },
  })
  expect(workflow).toMatchObject({
    status: 'pending',
    input: { to: 'Rome' },
    output: {},
    tags: { step: '1' },
  })
  const sentEvent = () =>
    scene.invoked.find(({ body }) => body?.event?.workflowId === workflow.id)?.body.event
  await expect.poll(sentEvent).toMatchObject({
    type: 'workflow_update',
    payload: { type: 'workflow_started', workflow },
  })
  const { workflow: begun } = await bot.updateWorkflow({
    id: workflow.id,
    status: 'in_progress',
    eventId: sentEvent().id,
  })
  expect(begun.status).toBe('in_progress')
  const same = {
    name: 'trip',
    status: 'listening',
    tags: { step: '1', mood: 'good' },
    discriminateByTags: ['step'],
  } as const
  const { workflow: found } = await bot.getOrCreateWorkflow({
    ...same,
    discriminateByTags: ['step'],
    discriminateByStatusGroup: 'active',
  })
  expect(found).toMatchObject({ id: workflow.id, tags: same.tags })
  await bot.updateWorkflow({
    id: workflow.id,
    status: 'completed',
    output: { booked: true },
  })
  expect(
    (await bot.listWorkflows({ statuses: ['completed', 'failed'], name: 'trip' }))
      .workflows,
  ).toMatchObject([{ id: workflow.id, output: { booked: true } }])
  await expect(
    bot.updateWorkflow({ id: workflow.id, status: 'listening' }),
  ).rejects.toMatchObject({
    type: 'InvalidPayload',
  })
  await bot.deleteWorkflow({ id: workflow.id })
  await expect(bot.getWorkflow({ id: workflow.id })).rejects.toMatchObject({
    type: 'ResourceNotFound',
  })
})

test('events, actions and settings', async () => {
  scene.answerWith(() => ({ body: { output: { y: 2 } } }))
  const { event } = await integration.createEvent({
    type: 'added',
    payload: { content: 'milk' },
  })
  expect(event).toMatchObject({ type: 'tg:added', payload: { content: 'milk' } })
  await expect
    .poll(async () => (await bot.getEvent({ id: event.id })).event.status)
    .toBe('processed')
  expect(
    (await bot.listEvents({ type: 'tg:added', status: 'processed' })).events.map(
      ({ id }) => id,
    ),
  ).toEqual([event.id])
  const later = { schedule: { delay: 3_600_000 } }
  const { event: doomed } = await integration.createEvent({
    type: 'added',
    payload: { content: 'bread' },
    ...later,
  })
  expect((await bot.listEvents({ status: 'scheduled' })).events).toEqual([doomed])
  expect(await integration.cancelScheduledEvent({ id: doomed.id })).toEqual({})
  expect(await bot.callAction({ type: 'tg:add', input: { x: 1 } })).toEqual({
    output: { y: 2 },
    meta: { cached: false },
  })
  await expect(bot.callAction({ type: 'tg:add', input: {} })).rejects.toMatchObject({
    type: 'InvalidPayload',
  })
  expect(
    await integration.configureIntegration({
      identifier: 'me',
      scheduleRegisterCall: 'weekly',
      sandboxIdentifiers: null,
    }),
  ).toEqual({})
  expect(await integration.configureIntegration({ identifier: null })).toEqual({})
})

test('imported messages, incoming messages and analytics', async () => {
  const { user } = await integration.createUser({ tags: { id: 'past' } })
  const { conversation } = await integration.createConversation({
    channel: 'dm',
    tags: { id: 'past' },
  })
  const textMessage = {
    type: 'text',
    payload: { text: 'long ago' },
    tags: { id: 'then' },
    discriminateByTags: ['id'],
  }
  const target = { conversationId: conversation.id, userId: user.id }
  const past = { ...textMessage, ...target, createdAt: '2020-01-01T00:00:00.000Z' }
  const { messages } = await integration.importMessages({ messages: [past] })
  expect(messages).toMatchObject([
    { ...target, createdAt: past.createdAt, direction: 'incoming', tags: { id: 'then' } },
  ])
  const arrived = await integration.initializeIncomingMessage({
    user: { tags: { id: 'past', lang: 'fr' }, discriminateByTags: ['id'] },
    conversation: { channel: 'dm', tags: { id: 'past' }, discriminateByTags: ['id'] },
    message: { ...textMessage, tags: { id: 'now' } },
  })
  expect([arrived.user.id, arrived.user.tags, arrived.conversation.id]).toEqual([
    user.id,
    { id: 'past', lang: 'fr' },
    conversation.id,
  ])
  expect(arrived.message).toMatchObject({
    ...target,
    direction: 'incoming',
    tags: { id: 'now' },
  })
  expect(await integration.listTagValues({ key: 'id', type: 'message' })).toMatchObject({
    tags: expect.arrayContaining([{ value: 'now' }, { value: 'then' }]),
  })
  expect(await bot.listTagValues({ key: 'tg:lang', type: 'user' })).toEqual({
    tags: [{ value: 'fr' }],
    meta: {},
  })
  expect(await bot.trackAnalytics({ name: 'orders', count: 3 })).toEqual({})
  expect(
    await integration.captureObservation({
      name: 'step',
      data: { a: 1 },
      conversationId: conversation.id,
    }),
  ).toEqual({})
})

test('covers every served operation', () => {
  const served = Object.values(runtime).flatMap((group) => Object.keys(group))
  expect([...performed].filter((name) => served.includes(name)).sort()).toEqual(
    served.sort(),
  )
})
