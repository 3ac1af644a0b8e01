// A hosted bot that was built with the official SDK and its bundler uses states through the client
// of its handlers.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { bundledText } from '../../../../test/support/sdk-sources.ts'

const source = `
import { Bot } from '@botpress/sdk'
const bot = new Bot({ actions: {}, plugins: {} })
const say = (client, ctx, conversationId, value) =>
  client.createMessage({
    conversationId, userId: ctx.botId, type: 'text', tags: {}, payload: { text: JSON.stringify(value) },
  })
const errorOf = ({ code, type }) => ({ code, type })

bot.on.message('*', async ({ client, ctx, conversation, user }) => {
  const session = { type: 'conversation', id: conversation.id, name: 'session' }
  const missing = await client.getState(session).catch(errorOf)
  const first = await client.getOrSetState({ ...session, payload: { step: 1 } })
  const second = await client.getOrSetState({ ...session, payload: { step: 2 } })
  const patched = await client.patchState({ ...session, payload: { note: 'a' } })
  const wrong = await client.patchState({ ...session, payload: { step: 'one' } }).catch(errorOf)
  await client.setState({ type: 'user', id: user.id, name: 'profile', payload: { seen: true } })
  await client.setState({ type: 'bot', id: ctx.botId, name: 'plugin#queue', payload: { length: 3 } })
  const [got, profile, queue] = await Promise.all([
    client.getState(session),
    client.getState({ type: 'user', id: user.id, name: 'profile' }),
    client.getState({ type: 'bot', id: ctx.botId, name: 'plugin#queue' }),
  ])
  await client.setState({ type: 'user', id: user.id, name: 'profile', payload: null })
  const deleted = await client.getState({ type: 'user', id: user.id, name: 'profile' }).catch(errorOf)
  const states = [first, second, patched, got, profile, queue].map(({ state }) => state.payload)
  await say(client, ctx, conversation.id, { missing, wrong, deleted, states, cached: got.meta.cached })
})
bot.on.stateExpired('*', async ({ client, ctx, state }) => {
  await say(client, ctx, state.conversationId, { expired: state.name, payload: state.payload })
})
export default bot
export const handler = bot.handler`

let scene: Scene
beforeAll(async () => {
  scene = await openScene({ code: await bundledText(source) })
  const session = {
    type: 'object',
    properties: { step: { type: 'number' }, note: { type: 'string' } },
    required: ['step'],
    additionalProperties: false,
  }
  const states = {
    session: { type: 'conversation', schema: session, expiry: 600_000 },
    profile: { type: 'user', schema: {} },
  }
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { states },
  })
}, 60_000)
afterAll(() => scene?.close())

test('sets, reads, patches and deletes states, and receives expiry events', {
  timeout: 40_000,
}, async () => {
  const { headers } = await scene.chatUser()
  const chat = `/chat/${scene.webhookId}`
  const { id } = (
    await scene.call('POST', `${chat}/conversations`, { headers, body: {} })
  ).body.conversation
  const messageTexts = async () => {
    const { body } = await scene.call('GET', `${chat}/conversations/${id}/messages`, {
      headers,
    })
    return body.messages
      .map(({ payload }: { payload: { text: string } }) => payload.text)
      .reverse() as string[]
  }
  await scene.call('POST', `${chat}/messages`, {
    headers,
    body: { conversationId: id, payload: { type: 'text', text: 'hello' } },
  })
  await expect
    .poll(async () => (await messageTexts()).length, { timeout: 20_000 })
    .toBe(2)
  expect(JSON.parse((await messageTexts())[1]!)).toEqual({
    missing: { code: 404, type: 'ResourceNotFound' },
    wrong: { code: 400, type: 'InvalidDataFormat' },
    deleted: { code: 404, type: 'ResourceNotFound' },
    states: [
      { step: 1 },
      { step: 1 },
      { step: 1, note: 'a' },
      { step: 1, note: 'a' },
      { seen: true },
      { length: 3 },
    ],
    cached: false,
  })
  const { rows } = await sql<{ type: string }>`
    select e.type from state s join event e on e.bot_id = s.bot_id and e.id = s.cause
    where s.bot_id = ${scene.botId} order by s.name`.execute(scene.app.services.db)
  expect(rows).toEqual([{ type: 'message_created' }, { type: 'message_created' }])

  await sql`update state set expires_at = now() where subject_id = ${id}`.execute(
    scene.app.services.db,
  )
  await expect
    .poll(async () => (await messageTexts()).length, { timeout: 20_000 })
    .toBe(3)
  expect(JSON.parse((await messageTexts())[2]!)).toEqual({
    expired: 'session',
    payload: { step: 1, note: 'a' },
  })
})
