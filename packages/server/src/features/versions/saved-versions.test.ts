// Versions with numbers and the running one: after deployments, changes, restorations, deletions.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

async function call(line: string, body?: unknown) {
  const [method, path] = line.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string]
  const headers = { ...scene.admin, 'x-multiple-integrations': 'true' }
  return scene.call(method, `/v1/${path}`, {
    headers,
    ...(body !== undefined && { body }),
  })
}
const toCode = (word: string) => `exports.handler = () => {} // ${word}`

async function openBot() {
  const { id } = (await call('POST admin/bots', { name: 'bot', code: toCode('first') }))
    .body.bot
  return {
    id,
    save: async (name: string) =>
      (await call(`POST admin/bots/${id}/versions`, { name })).body.version.id as string,
    change: (body: object) => call(`PUT admin/bots/${id}`, body),
    restore: (versionId: string) =>
      call(`POST admin/bots/${id}/versions/deploy`, { versionId }),
    list: async () => (await call(`GET platform/bots/${id}/versions`)).body,
    rename: (version: string, body: object) =>
      call(`PUT platform/bots/${id}/versions/${version}`, body),
    remove: (version: string) => call(`DELETE platform/bots/${id}/versions/${version}`),
    codes: async () =>
      (
        await scene.app.services.db
          .selectFrom('bot_version_code')
          .select('code')
          .where('bot_id', '=', id)
          .orderBy('code')
          .execute()
      ).map(({ code }) => code),
  }
}

test('numbers versions, and names the running one and whether the bot has changed since', async () => {
  const { id } = (await call('POST admin/bots', { name: 'without code' })).body.bot
  const { body: deployment } = await call(`GET platform/bots/${id}/deployment`)
  expect((await call(`GET platform/bots/${id}/versions`)).body).toEqual({
    versions: [],
    running: null,
    ...deployment,
  })
  const bot = await openBot()
  const first = await bot.save('one')
  expect((await bot.list()).running).toEqual({ versionId: first, isModified: false })
  await bot.change({ secrets: { WORD: 'a' }, name: 'renamed', tags: { a: 'b' } })
  expect((await bot.list()).running).toEqual({ versionId: first, isModified: false })
  await bot.change({ configuration: { data: { a: 0 } } })
  expect((await bot.list()).running).toEqual({ versionId: first, isModified: true })
  await bot.change({ code: toCode('second') })
  const second = await bot.save('two')
  const { versions, running } = await bot.list()
  expect(running).toEqual({ versionId: second, isModified: false })
  expect(versions).toMatchObject([
    { id: second, number: 2, name: 'two' },
    { id: first, number: 1, name: 'one' },
  ])
  await bot.restore(first)
  expect((await bot.list()).running).toEqual({ versionId: first, isModified: false })
  await bot.change({ configuration: { data: { a: 1 } } })
  expect((await bot.list()).running).toEqual({ versionId: first, isModified: true })
})

test('a version keeps the reason why its code did not load, until it is deployed again', async () => {
  const bot = await openBot()
  await bot.change({ code: 'throw new Error("no luck")' })
  const broken = await bot.save('broken')
  await bot.change({ code: toCode('better') })
  await bot.save('better')
  const errors = async () =>
    (await bot.list()).versions.map(({ loadError }: { loadError?: string }) => loadError)
  const ofFirst = undefined
  expect(await errors()).toEqual([undefined, expect.stringContaining('no luck'), ofFirst])
  await scene.app.services.db
    .updateTable('bot_version_code')
    .set({ code: toCode('mended') })
    .where('code', 'like', '%no luck%')
    .execute()
  await bot.restore(broken)
  expect(await errors()).toEqual([undefined, undefined, ofFirst])
})

test('a rollback to a version keeps the address of an integration that was removed', async () => {
  const bot = await openBot()
  const findAddress = async () =>
    (await call(`GET admin/bots/${bot.id}`)).body.bot.integrations.chat?.webhookId
  const before = await findAddress()
  const first = await bot.save('with chat')
  expect((await bot.list()).running.isModified).toBe(false)
  await bot.change({ integrations: { chat: null } })
  expect(await findAddress()).toBeUndefined()
  await bot.restore(first)
  expect(await findAddress()).toBe(before)
  expect((await bot.list()).running).toEqual({ versionId: first, isModified: false })
  // Another installation has the address: never take it from there.
  await bot.change({ integrations: { chat: null } })
  const other = await openBot()
  await scene.app.services.db
    .updateTable('installation')
    .set({ webhook_id: before })
    .where('bot_id', '=', other.id)
    .execute()
  await bot.restore(first)
  expect(await findAddress()).toMatch(/^[0-9a-f-]{36}$/)
  expect(await findAddress()).not.toBe(before)
  const { body } = await call(`GET admin/bots/${bot.id}/versions/${first}`)
  const { pathname, search } = new URL(body.url)
  const exported = await scene.call('GET', pathname + search)
  expect(exported.status).toBe(200)
  expect(JSON.stringify(exported.body)).not.toContain(before)
})

test('no request sets the address of an integration', async () => {
  const bot = await openBot()
  const found = await call('GET admin/hub/integrations/chat/latest')
  const webhookId = '00000000-0000-4000-8000-000000000001'
  await bot.change({
    integrations: { other: { integrationId: found.body.integration.id, webhookId } },
  })
  const chat = { name: 'chat', version: '0.99.0', enabled: true, webhookId }
  await call(`POST admin/bots/${bot.id}/publish-from-bot-json`, {
    botJson: {
      kind: 'bot',
      version: 2,
      integrations: { third: chat },
      webhookIds: { third: webhookId },
    },
  })
  const { rows } =
    await sql`select from installation where webhook_id = ${webhookId}`.execute(
      scene.app.services.db,
    )
  expect(rows).toEqual([])
})

test('a published document is the running version', async () => {
  const bot = await openBot()
  const { body } = await call(`POST admin/bots/${bot.id}/publish-from-bot-json`, {
    botJson: { kind: 'bot', version: 2, code: toCode('published') },
  })
  expect((await bot.list()).running).toEqual({
    versionId: body.version.id,
    isModified: false,
  })
})

test('each deployment of code or of an address stores a version, which can run again', async () => {
  const bot = await openBot()
  await bot.change({ code: toCode('second'), configuration: { data: { a: 1 } } })
  await bot.change({ url: 'http://127.0.0.1:9/bot' })
  const { versions, running } = await bot.list()
  expect(versions).toMatchObject(
    [3, 2, 1].map((number) => ({
      number,
      name: 'Deployed code',
      author: expect.stringContaining('@'),
    })),
  )
  expect(running).toEqual({ versionId: versions[0].id, isModified: false })
  expect(await bot.codes()).toEqual([toCode('first'), toCode('second')])
  await bot.restore(versions[2].id)
  const { body } = await call(`GET admin/bots/${bot.id}/bot-json`)
  expect(body).toMatchObject({ code: toCode('first') })
  expect(body.configuration?.data).not.toEqual({ a: 1 })
})

test('a deployment of the running state stores no further version', async () => {
  const bot = await openBot()
  const [first] = (await bot.list()).versions
  await bot.change({ code: toCode('first') })
  const { versions } = await bot.list()
  expect(versions).toMatchObject([{ id: first.id }])
  expect(Date.parse(versions[0].deployedAt)).toBeGreaterThan(Date.parse(first.deployedAt))
})

test('changes without code, and deployments of bots under development, store no version', async () => {
  const bot = await openBot()
  await bot.change({ name: 'other', configuration: { data: { a: 1 } } })
  expect((await bot.list()).versions).toHaveLength(1)
  const dev = { dev: true, url: 'http://127.0.0.1:9/bot' }
  const { id } = (await call('POST admin/bots', dev)).body.bot
  await call(`PUT admin/bots/${id}`, { url: 'http://127.0.0.1:9/other' })
  expect((await call(`GET platform/bots/${id}/versions`)).body.versions).toEqual([])
})

test('a name for the state of the last deployment names its version', async () => {
  const bot = await openBot()
  const named = await bot.save('spring')
  expect((await bot.list()).versions).toMatchObject([
    { id: named, number: 1, name: 'spring' },
  ])
  expect(await bot.save('again')).not.toBe(named)
  expect((await bot.list()).versions).toMatchObject([
    { name: 'again' },
    { name: 'spring' },
  ])
})

describe('the oldest versions of deployments', () => {
  const add = async (botId: string, count: number, automatic: boolean) =>
    sql`
      insert into bot_version (bot_id, id, number, name, state, created_at, deployed_at, automatic)
      select ${botId}, 'botver_' || ${String(automatic)} || i, 1 + i, 'n', '', at, at, ${automatic}
        from generate_series(1, ${count}::int) i,
          lateral (select now() - i * interval '1 day' as at) t`.execute(
      scene.app.services.db,
    )
  const names = async (bot: Awaited<ReturnType<typeof openBot>>) =>
    (
      await sql<{ id: string; automatic: boolean }>`
      select id, automatic from bot_version where bot_id = ${bot.id}`.execute(
        scene.app.services.db,
      )
    ).rows

  test('are deleted beyond a hundred, with their code', async () => {
    const bot = await openBot()
    await add(bot.id, 99, true)
    await bot.change({ code: toCode('second') })
    const ids = (await names(bot)).map(({ id }) => id)
    expect(ids).toHaveLength(100)
    expect(ids).not.toContain('botver_true99')
    expect(ids).toContain('botver_true98')
  })

  test('make room for named ones, which stay', async () => {
    const bot = await openBot()
    await add(bot.id, 20, true)
    await add(bot.id, 179, false)
    await bot.change({ code: toCode('second') })
    await bot.save('named')
    const rows = await names(bot)
    expect(rows).toHaveLength(200)
    expect(rows.filter(({ automatic }) => !automatic)).toHaveLength(180)
  })
})

test('renames and describes a version', async () => {
  const bot = await openBot()
  const id = await bot.save('one')
  const described = { name: 'other', description: 'why' }
  expect((await bot.rename(id, described)).body.version).toMatchObject(described)
  const changed = (await bot.rename(id, { description: '' })).body.version
  expect(changed).toMatchObject({ name: 'other', number: 1 })
  expect(changed).not.toHaveProperty('description')
  expect((await bot.rename(id, { name: '' })).status).toBe(400)
})

test('deletes a version, and its code when no other version has it', async () => {
  const bot = await openBot()
  const [first, same] = [await bot.save('one'), await bot.save('two')]
  await bot.change({ code: toCode('second') })
  const second = await bot.save('three')
  expect((await bot.remove(second)).status).toBe(200)
  expect(await bot.codes()).toEqual([toCode('first')])
  expect((await bot.remove(first)).status).toBe(200)
  expect(await bot.codes()).toEqual([toCode('first')])
  expect((await bot.restore(same)).status).toBe(200)
  expect((await bot.remove(first)).status).toBe(404)
  expect((await bot.list()).versions).toMatchObject([{ id: same, number: 2 }])
})

test('changes no version of another bot', async () => {
  const [bot, other] = [await openBot(), await openBot()]
  const id = await other.save('one')
  expect((await bot.rename(id, { name: 'taken' })).status).toBe(404)
  expect((await bot.remove(id)).status).toBe(404)
  expect((await other.list()).versions).toMatchObject([{ id, name: 'one' }])
})
