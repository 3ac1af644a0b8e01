// The first steps with a bot: each is done by the fact that it names, of this bot and workspace only.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { createPerson, signIn } from '../../../test/support/sign-in.ts'

let scene: Scene
/** Another bot of the workspace, in which nothing is done. */
let otherBot: string
beforeAll(async () => {
  scene = await openScene()
  const body = { name: 'other' }
  const { bot } = (
    await scene.call('POST', '/v1/admin/bots', { headers: scene.admin, body })
  ).body
  otherBot = bot.id
})
afterAll(() => scene?.close())

const ask = async (botId = scene.botId, headers = scene.admin) =>
  scene.call('GET', `/v1/platform/bots/${botId}/first-steps`, { headers })
/** Returns the names of the steps that are done. */
const listDone = async (botId?: string): Promise<string[]> => {
  const { steps } = (await ask(botId)).body
  return steps
    .filter(({ isDone }: { isDone: boolean }) => isDone)
    .map(({ name }: { name: string }) => name)
}

async function upload(key: string, tags: Record<string, string>, index = true) {
  const body = { key, size: 5, index, tags }
  const reply = await scene.call('PUT', '/v1/files', { headers: scene.asBot, body })
  expect(reply.status).toBe(200)
}

const configure = async (configuration: object) => {
  const body = { integrations: { chat: { configuration } } }
  const path = `/v1/admin/bots/${scene.botId}`
  expect((await scene.call('PUT', path, { headers: scene.admin, body })).status).toBe(200)
}

test('has no step done in a new bot', async () => {
  const { steps, isDismissed } = (await ask()).body
  expect(isDismissed).toBe(false)
  const names = [
    'talk',
    'document',
    'greeting',
    'website',
    'invite',
    'channel',
    'handoff',
  ]
  expect(steps).toEqual(names.map((name) => ({ name, isDone: false })))
})

test('counts neither samples of an example nor files without search as documents', async () => {
  await upload('sample.txt', { sample: 'true' })
  await upload('picture.png', {}, false)
  expect(await listDone()).toEqual([])
  await upload('hours.txt', {})
  expect(await listDone()).toEqual(['document'])
})

test('reads greeting and websites from the configuration of the chat', async () => {
  await configure({ appearance: { greeting: '' }, allowedOrigins: [] })
  expect(await listDone()).toEqual(['document'])
  await configure({ appearance: { greeting: 'Hello' } })
  expect(await listDone()).toEqual(['document', 'greeting'])
  await configure({ allowedOrigins: ['https://www.example.org'] })
  expect(await listDone()).toEqual(['document', 'website'])
})

test('is talked to after a message of a user, and handed over with a handoff', async () => {
  const { headers } = await scene.chatUser()
  const chat = `/chat/${scene.webhookId}`
  const { conversation } = (
    await scene.call('POST', `${chat}/conversations`, { headers, body: {} })
  ).body
  const { id: conversationId } = conversation
  await scene.call('POST', '/v1/chat/messages', {
    headers: scene.asBot,
    body: {
      conversationId,
      userId: scene.botId,
      type: 'text',
      tags: {},
      payload: { text: 'Welcome' },
    },
  })
  expect(await listDone()).not.toContain('talk')
  const body = { conversationId, payload: { type: 'text', text: 'hi' } }
  await scene.call('POST', `${chat}/messages`, { headers, body })
  expect(await listDone()).toEqual(['talk', 'document', 'website'])
  const handoff = { conversationId, reason: 'refund' }
  await scene.call('POST', '/v1/platform/handoffs', {
    headers: scene.asBot,
    body: handoff,
  })
  expect(await listDone()).toEqual(['talk', 'document', 'website', 'handoff'])
})

test('has a channel once one is enabled and registered', async () => {
  const { db } = scene.app.services
  const telegram = await db
    .selectFrom('integration')
    .select('id')
    .where('name', '=', 'telegram')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('installation')
    .values({
      bot_id: scene.botId,
      alias: 'tg',
      integration_id: telegram.id,
      webhook_id: 'first-steps-tg',
      enabled: true,
      configuration: Buffer.from(''),
      status: 'registration_failed',
    })
    .execute()
  expect(await listDone()).not.toContain('channel')
  await db
    .updateTable('installation')
    .set({ status: 'registered' })
    .where('bot_id', '=', scene.botId)
    .where('alias', '=', 'tg')
    .execute()
  expect(await listDone()).toContain('channel')
})

test('is shared after an invitation, or with another member', async () => {
  const body = { email: 'ana@example.org', role: 'viewer' }
  const path = '/v1/platform/invitations'
  const { invitation } = (await scene.call('POST', path, { headers: scene.admin, body }))
    .body
  expect(await listDone()).toContain('invite')
  await scene.call('DELETE', `${path}/${invitation.id}`, { headers: scene.admin })
  expect(await listDone()).not.toContain('invite')
  await createPerson(scene, 'viewer')
  expect(await listDone()).toContain('invite')
})

test('is dismissed by a preference of the account for one bot', async () => {
  const path = `/v1/admin/account/preferences/firstSteps.${scene.botId}`
  const body = { value: 'dismissed' }
  expect((await scene.call('POST', path, { headers: scene.admin, body })).status).toBe(
    200,
  )
  expect((await ask()).body.isDismissed).toBe(true)
  expect((await ask(otherBot)).body.isDismissed).toBe(false)
  const other = await signIn(scene.app, await createPerson(scene, 'viewer'))
  const steps = `/v1/platform/bots/${scene.botId}/first-steps`
  const headers = { 'x-workspace-id': scene.workspaceId }
  expect((await other.call('GET', steps, { headers })).body.isDismissed).toBe(false)
})

test('reports nothing of other bots, and hides bots of other workspaces', async () => {
  expect(await listDone(otherBot)).toEqual(['invite'])
  const name = { headers: scene.admin, body: { name: 'Elsewhere' } }
  const { id } = (await scene.call('POST', '/v1/admin/workspaces', name)).body
  const elsewhere = { ...scene.admin, 'x-workspace-id': id }
  expect((await ask(scene.botId, elsewhere)).status).toBe(404)
})
