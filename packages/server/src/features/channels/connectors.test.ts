// Connections that servers open to providers: their owners, where they continue, and what they report about
// failures.
import type { Arrival } from '@botstead/channels'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { installChannel, until } from '../../../test/channels/cases.ts'
import { openTelegram, type Telegram } from '../../../test/channels/telegram-stand-in.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { bearing, makeTenant } from '../../../test/support/tenants.ts'
import { type App, openApp } from '../../app/app.ts'
import { storeArrivals } from './arrivals.ts'
import { ConnectorLost } from './connectors.ts'
import type { ChannelDeps } from './deps.ts'

let scene: Scene
let telegram: Telegram

beforeAll(async () => {
  scene = await openScene()
  await scene.listen()
  telegram = await openTelegram()
  await install()
}, 60_000)
afterEach(async () => {
  await install()
})
afterAll(async () => {
  await scene?.close()
  await telegram?.close()
})

const install = (change: Record<string, unknown> = {}) =>
  installChannel(scene, 'telegram', { ...telegram.configuration, ...change })

const change = (installation: object | null) =>
  scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { integrations: { telegram: installation } },
  })

const row = () =>
  scene.app.services.db
    .selectFrom('connector')
    .selectAll()
    .where('bot_id', '=', scene.botId)
    .executeTakeFirst()

async function texts(): Promise<unknown[]> {
  const { body } = await scene.call('GET', '/v1/chat/messages', { headers: scene.asBot })
  return body.messages.map(({ payload }: { payload: { text: string } }) => payload.text)
}

const arrives = (text: string) => until(async () => (await texts()).includes(text))

const countPolls = () =>
  telegram.calls.filter(({ method }) => method === 'getUpdates').length

const openTwin = (): Promise<App> => {
  const { config, log } = scene.app.services
  const { connection, masterKey, chatKey } = scene
  return openApp({ config, log, connection, masterKey, chatKey })
}

test('says that it is connected', async () => {
  await until(async () => (await row())?.state === 'connected')
})

test('a server that stops hands its connections to another one at once, which misses nothing', async () => {
  const twin = await openTwin()
  await telegram.say('before the other server')
  await arrives('before the other server')
  const { services } = scene.app
  await services.db.updateTable('connector').set({ worker: null }).execute()
  await until(async () => (await row())?.worker !== null)
  await telegram.say('after a new claim')
  await arrives('after a new claim')
  await twin.close()
  await until(async () => (await row())?.state === 'connected')
  await telegram.say('after the other server')
  await arrives('after the other server')
  const all = await texts()
  expect(all.filter((text) => text === 'before the other server')).toHaveLength(1)
})

test('only one of two servers receives', async () => {
  const twin = await openTwin()
  try {
    for (let n = 0; n < 10; n++) await telegram.say(`shared ${n}`)
    await arrives('shared 9')
    const shared = (await texts()).filter((text) => String(text).startsWith('shared'))
    expect(shared).toHaveLength(10)
    const { rows } = {
      rows: await scene.app.services.db.selectFrom('connector').selectAll().execute(),
    }
    expect(rows).toHaveLength(1)
  } finally {
    await twin.close()
  }
})

test('a server that has lost its claim stores nothing more', async () => {
  await until(async () => (await row())?.state === 'connected')
  const { db } = scene.app.services
  const stale = await row()
  // Another server that lives would be named here; its lease is that of the scene's own worker.
  await db
    .updateTable('connector')
    .set({ generation: stale!.generation + 1 })
    .execute()
  await telegram.say('exactly once')
  await arrives('exactly once')
  expect((await texts()).filter((text) => text === 'exactly once')).toHaveLength(1)
})

test('what arrives together is stored in its order, and once', async () => {
  const write = (
    id: number,
    message_id: number,
    text: string,
    first_name = `Person ${id}`,
  ) => {
    const chat = { id, type: 'private' as const, first_name }
    const from = { id, is_bot: false, first_name }
    void telegram.update({ message: { message_id, from, chat, date: 0, text } })
  }
  for (const id of [71, 72]) write(id, 1, `${id} begins`)
  await arrives('72 begins')
  write(71, 2, '71 second')
  write(72, 2, '72 second')
  write(72, 3, '72 third', 'Renamed')
  write(73, 1, '73 begins')
  write(71, 3, '71 third')
  write(71, 2, '71 second')
  write(71, 3, '71 third, as it is now')
  write(72, 4, '72 fourth', 'Renamed')
  write(71, 4, '71 fourth')
  await arrives('71 fourth')
  const all = (await texts()).toReversed()
  const toTexts = (id: number) => all.filter((text) => String(text).startsWith(`${id} `))
  expect([71, 72, 73].map(toTexts)).toEqual([
    ['71 begins', '71 second', '71 third, as it is now', '71 fourth'],
    ['72 begins', '72 second', '72 third', '72 fourth'],
    ['73 begins'],
  ])
  const { body } = await scene.call('GET', '/v1/chat/users?tags[telegram:id]=72', {
    headers: scene.asBot,
  })
  expect(body.users.map(({ name }: { name: string }) => name)).toEqual(['Renamed'])
})

test('a disabled installation does not connect, and misses nothing when it is enabled again', async () => {
  const installed = await install()
  const { id: integrationId } = installed as { id: string }
  await change({ integrationId, enabled: false, configuration: telegram.configuration })
  await until(async () => (await row())?.is_active === false)
  await telegram.say('while it was disabled')
  const before = countPolls()
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(countPolls()).toBe(before)
  await install()
  await arrives('while it was disabled')
})

test('a removed installation leaves no connection', async () => {
  await change(null)
  expect(await row()).toBeUndefined()
})

test('a wrong token does not register, and the reason says where to find the right one', async () => {
  await expect(install({ botToken: '1:wrong' })).rejects.toThrow(/@BotFather/)
})

test('a token that is revoked later is an issue of the bot, and its state says why', async () => {
  await until(async () => (await row())?.state === 'connected')
  telegram.revoke()
  try {
    await until(async () => (await row())?.state === 'failing')
    expect((await row())?.reason).toContain('@BotFather')
    const path = `/v1/admin/bots/${scene.botId}/issues`
    const { body } = await scene.call('GET', path, { headers: scene.admin })
    const codes = body.issues.map(({ code }: { code: string }) => code)
    expect(codes).toContain('integration_not_registered')
  } finally {
    telegram.revoke(false)
    const { db } = scene.app.services
    await db.updateTable('connector').set({ generation: 1_000 }).execute()
  }
})

test('a provider on an address inside of the network is refused', async () => {
  const { token, things } = await makeTenant(scene, 'stranger')
  const admin = { ...bearing(token), 'x-workspace-id': things.workspace[0]! }
  const botId = things.bot[0]!
  for (const apiUrl of [
    'http://169.254.169.254/',
    'http://10.1.2.3:9/',
    'http://[::ffff:10.1.2.3]/',
  ])
    await expect(
      installChannel(scene, 'telegram', { botToken: '1:a', apiUrl }, { botId, admin }),
    ).rejects.toThrow(/does not connect/)
})

test('characters that cannot be stored are replaced, and hold up nothing', async () => {
  await telegram.say('zero \u0000 and half \ud83d of a character')
  await telegram.say('the next one')
  await arrives('the next one')
  expect(await texts()).toContain('zero \ufffd and half \ufffd of a character')
})

test('what a rule of the bot rejects is left out, and the next ones arrive', async () => {
  // Names of people have at most 200 characters, as users that a bot creates.
  const from = { id: 9, is_bot: false, first_name: 'x'.repeat(100_000) }
  await telegram.receive({ text: 'from a person with a long name', from })
  await telegram.say('after the rejected one')
  await arrives('after the rejected one')
})

test('what arrived with a rejected message is stored with the position, or not at all', async () => {
  const by = ['id']
  const toArrival = (id: string, name: string): Arrival => ({
    conversation: { channel: 'channel', tags: { id }, by },
    user: { tags: { id }, by, name },
  })
  const event = {
    type: 'messageEdited',
    payload: { messageTags: {}, payload: {}, userTags: {} },
  }
  const message = { type: 'text', payload: { text: 'rejected' }, tags: { id: '1' }, by }
  const arrivals = [
    { ...toArrival('81', 'Ana'), event },
    { ...toArrival('82', 'x'.repeat(100_000)), message },
  ]
  const receiver = { botId: scene.botId, alias: 'telegram', hasNoButtons: false }
  const deps = scene.app.services as unknown as ChannelDeps
  const countEvents = async () => {
    const path = '/v1/chat/events?type=telegram:messageEdited'
    return (await scene.call('GET', path, { headers: scene.asBot })).body.events.length
  }
  const lost = storeArrivals(deps, receiver, arrivals, () =>
    Promise.reject(new ConnectorLost()),
  )
  await expect(lost).rejects.toThrow(ConnectorLost)
  expect(await countEvents()).toBe(0)
  await storeArrivals(deps, receiver, arrivals)
  expect(await countEvents()).toBe(1)
})
