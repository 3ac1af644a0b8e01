// Expectations of official integrations, tested with their requests. conformance/assumptions.ts
// lists the software and the situations.
import type { Client } from '@botpress/client'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRuntimeScene, type RuntimeScene } from '../support/runtime-scene.ts'

let scene: RuntimeScene
/** The client of the integration `tg`. */
let client: Client

beforeAll(async () => {
  scene = await openRuntimeScene()
  const tags = { id: {}, ts: {}, channelId: {}, mentionsBot: {}, forkedToThread: {} }
  await sql`update integration set definition =
    jsonb_set(definition, '{channels,dm,message,tags}', ${JSON.stringify(tags)}::jsonb)
    where name = 'telegram'`.execute(scene.app.services.db)
  client = await scene.openClient({ botId: scene.botId, integrationAlias: 'tg' })
})
afterAll(() => scene?.close())

const conversationFor = async (id: string) =>
  (await client.getOrCreateConversation({ channel: 'dm', tags: { id } })).conversation
const userFor = async (id: string) =>
  (await client.getOrCreateUser({ tags: { id } })).user

test('returns ResourceNotFound with code 404, a unique id and "not found" for a missing object', async () => {
  const attempts = [
    client.getState({ type: 'integration', id: scene.botId, name: 'credentials' }),
    client.getConversation({ id: 'conv_01J0000000000000000000NONE' }),
    client.getUser({ id: 'user_01J0000000000000000000NONE' }),
    client.getMessage({ id: 'msg_01J00000000000000000000NONE' }),
    client.getEvent({ id: 'evt_01J00000000000000000000NONE' }),
    client.getFile({ id: 'file_01J0000000000000000000NONE' }),
  ]
  const ids = new Set<string>()
  for (const { reason: error } of (await Promise.allSettled(
    attempts,
  )) as PromiseRejectedResult[]) {
    expect(error).toMatchObject({ type: 'ResourceNotFound', code: 404, isApiError: true })
    expect(error.message.toLowerCase()).toContain('not found')
    ids.add(error.id)
  }
  expect(ids.size).toBe(attempts.length)
})

test('reports an e-mail that exists in another thread with the expected message', async () => {
  const [first, second, user] = [
    await conversationFor('thread-1'),
    await conversationFor('thread-2'),
    await userFor('ann@example.org'),
  ]
  const mail = {
    tags: { id: 'mail-1' },
    type: 'text',
    userId: user.id,
    payload: { text: 'hi' },
  }
  await client.getOrCreateMessage({ ...mail, conversationId: first.id })
  const again = { ...mail, conversationId: second.id }
  await expect(client.getOrCreateMessage(again)).rejects.toMatchObject({
    type: 'AlreadyExists',
    code: 409,
    message: expect.stringContaining('already exists for a different conversation'),
  })
  await expect(
    client.initializeIncomingMessage({
      userId: user.id,
      conversationId: second.id,
      message: {
        type: 'text',
        payload: { text: 'hi' },
        tags: mail.tags,
        discriminateByTags: ['id'],
      },
    }),
  ).rejects.toMatchObject({ type: 'AlreadyExists' })
  expect((await client.listMessages({ conversationId: second.id })).messages).toEqual([])
})

test('finds the channel’s message for a repeated webhook although it was forked to a thread', async () => {
  const [channel, thread, user] = [
    await conversationFor('C1'),
    await conversationFor('C1-thread'),
    await userFor('U1'),
  ]
  const message = { type: 'text', payload: { text: 'hi' }, userId: user.id }
  const tags = { ts: '17.5', channelId: 'C1', mentionsBot: undefined as never }
  const post = async () => [
    await client.getOrCreateMessage({
      ...message,
      tags,
      conversationId: channel.id,
      discriminateByTags: ['ts', 'channelId'],
    }),
    await client.getOrCreateMessage({
      ...message,
      conversationId: thread.id,
      tags: { ...tags, forkedToThread: 'true' },
      discriminateByTags: ['ts', 'channelId', 'forkedToThread'],
    }),
  ]
  const ids = (answers: { message: { id: string } }[]) =>
    answers.map(({ message }) => message.id)
  expect(ids(await post())).toEqual(ids(await post()))
})

test('lets an integration set picture, name and its tags on the bot’s own user', async () => {
  const tags = { id: '77', lang: 'en' }
  const picture = { name: 'Botpress', pictureUrl: 'https://example.org/bp.svg' }
  await client.updateUser({ id: scene.botId, ...picture, tags })
  expect((await client.getUser({ id: scene.botId })).user).toMatchObject({
    ...picture,
    tags,
  })
})

test('accepts a user as it was returned, with some fields changed', async () => {
  const user = await userFor('sent-back')
  const changed = { ...user, name: 'Ann', pictureUrl: undefined as never }
  expect((await client.updateUser(changed)).user).toMatchObject({
    name: 'Ann',
    tags: { id: 'sent-back' },
  })
})

test('accepts the release of an identifier that was not claimed', async () => {
  expect(await client.configureIntegration({ identifier: null })).toEqual({})
  expect(await client.configureIntegration({ identifier: null })).toEqual({})
})

test('keeps the existing state in getOrSetState', async () => {
  const state = { type: 'integration', id: scene.botId, name: 'login' } as const
  await client.getOrSetState({ ...state, payload: { key: '1' } })
  const { state: second } = await client.getOrSetState({
    ...state,
    payload: { key: '2' },
  })
  expect(second.payload).toEqual({ key: '1' })
})
