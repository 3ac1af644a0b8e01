// Deletion of workspaces and accounts, and transfer of bots: deleted rows, kept rows, and access
// afterwards.
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  asAdmin,
  asBot,
  bearing,
  digestTenant,
  type Headers,
  makeTenant,
  type Tenant,
} from '../../../test/support/tenants.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.listen()
}, 30_000)
afterAll(() => scene?.close())

const call: Scene['call'] = (...what) => scene.call(...what)
const db = () => scene.app.services.db
const removeWorkspace = (headers: Headers, id: string) =>
  call('DELETE', `/v1/admin/workspaces/${id}`, { headers })
const transfer = (headers: Headers, botId: string, targetWorkspaceId: string) =>
  call('POST', `/v1/admin/bots/${botId}/transfer`, {
    headers,
    body: { targetWorkspaceId },
  })
const newWorkspace = async (headers: Headers): Promise<string> =>
  (await call('POST', '/v1/admin/workspaces', { headers, body: { name: 'Another' } }))
    .body.id

/** The number of rows that contain any of the texts, by table. */
async function rowsWith(texts: string[]): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not in ('migration', 'worker')`.execute(
    db(),
  )
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const patterns = texts.map((text) => `%${text}%`)
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from ${sql.table(name)} one
        where one::text like any(${patterns})`.execute(db())
      return [name, rows[0]!.count] as const
    }),
  )
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

async function filesWith(text: string): Promise<string[]> {
  const folder = join(scene.app.services.config.dataFolder, 'files')
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (one) => one.isFile(),
  )
  const found = await Promise.all(
    names.map(async ({ parentPath, name }) =>
      (await readFile(join(parentPath, name))).includes(text) ? [name] : [],
    ),
  )
  return found.flat()
}

describe('deleting a workspace', () => {
  let deleted: Tenant
  let neighbour: Tenant
  let before: Record<string, string>
  const removals: Awaited<ReturnType<typeof removeWorkspace>>[] = []

  beforeAll(async () => {
    deleted = await makeTenant(scene, 'deleted')
    neighbour = await makeTenant(scene, 'neighbour')
    before = await digestTenant(scene, neighbour)
    expect(Object.keys(await rowsWith([deleted.mark])).length).toBeGreaterThan(15)
    expect(await filesWith(deleted.mark)).not.toEqual([])
    for (const id of deleted.things.workspace)
      removals.push(await removeWorkspace(bearing(deleted.token), id))
  }, 60_000)

  test('removes all its rows and files, and nothing of another workspace', async () => {
    expect(removals).toEqual(
      deleted.things.workspace.map(() => ({ status: 200, body: {} })),
    )
    const { workspace, bot, spareBot, conversation, user, message } = deleted.things
    expect(
      await rowsWith(
        [...workspace, ...bot, ...spareBot, ...conversation, ...user, ...message].filter(
          (id) => !workspace.includes(id),
        ),
      ),
    ).toEqual({})
    // Accounts with their tokens and preferences stay, and the audit log keeps the deletion. Deleted
    // archives are named until every server has deleted its files.
    const remaining = await rowsWith([...workspace, deleted.mark])
    expect(remaining).toEqual({
      account: remaining.account,
      token: remaining.token,
      account_preference: 1,
      archive_job: 2,
      audit_record: 2,
    })
    expect(await filesWith(deleted.mark)).toEqual([])
    expect(await digestTenant(scene, neighbour)).toEqual(before)
  })

  test('ends all access to it', async () => {
    const [workspaceId] = deleted.things.workspace
    expect(
      (await call('GET', '/v1/admin/bots', { headers: asAdmin(deleted) })).status,
    ).toBe(401)
    expect(
      (
        await call('GET', `/v1/admin/workspaces/${workspaceId}`, {
          headers: bearing(deleted.token),
        })
      ).status,
    ).toBe(404)
    expect(
      (await call('GET', '/v1/chat/users', { headers: asBot(deleted) })).status,
    ).toBe(404)
    for (const [i, key] of [...deleted.botKeys, deleted.integrationKey].entries())
      expect(
        (
          await call('GET', '/v1/chat/users', {
            headers: { ...bearing(key), 'x-bot-id': deleted.things.bot[0]! },
          })
        ).status,
        i < deleted.botKeys.length ? `bot key ${i}` : 'integration key',
      ).toBe(401)
    expect(
      (
        await call('GET', `/chat/${deleted.things.webhook[0]}/users/me`, {
          headers: { 'x-user-key': deleted.userKey },
        })
      ).status,
    ).toBe(404)
    expect((await removeWorkspace(bearing(deleted.token), workspaceId!)).status).toBe(404)
    expect(
      (await call('GET', '/v1/admin/account/me', { headers: bearing(deleted.token) }))
        .status,
    ).toBe(200)
  })

  test('stops its bots at once, also when an integration answers slowly', async () => {
    const held: (() => void)[] = []
    const slow = createServer((request, reply) => {
      request.resume()
      if (request.headers['x-bp-operation'] === 'unregister')
        held.push(() => reply.writeHead(200).end('{}'))
      else reply.writeHead(200).end('{}')
    })
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    const tenant = await makeTenant(scene, 'stopped')
    const [botId] = tenant.things.bot
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`
    await db()
      .updateTable('integration')
      .set({ url })
      .where('workspace_id', '=', tenant.things.workspace[0]!)
      .execute()
    await call('PUT', `/v1/admin/bots/${botId}`, {
      headers: asAdmin(tenant),
      body: { url: `${url}bot` },
    })
    const removal = removeWorkspace(asAdmin(tenant), tenant.things.workspace[0]!)
    await expect.poll(() => held.length, { timeout: 5_000 }).toBeGreaterThan(0)
    const invoked = scene.app.services.invoker.invoke({
      target: { botId: botId!, alias: null },
      operation: 'ping',
      type: null,
      body: {},
    } as never)
    await expect(invoked).rejects.toMatchObject({ reason: 'blocked' })
    const answerAll = setInterval(() => {
      for (const answer of held.splice(0)) answer()
    }, 50)
    expect((await removal).status).toBe(200)
    clearInterval(answerAll)
    slow.close()
  }, 30_000)

  test('keeps integrations that others have installed, under an anonymous workspace', async () => {
    const maker = await makeTenant(scene, 'maker')
    const other = await makeTenant(scene, 'other')
    const [integrationId, workspaceId] = [
      maker.things.integration[0]!,
      maker.things.workspace[0]!,
    ]
    await db()
      .updateTable('integration')
      .set({ visibility: 'public' })
      .where('id', '=', integrationId)
      .execute()
    const headers = { ...asAdmin(other), 'x-multiple-integrations': 'true' }
    const { bot } = (await call('POST', '/v1/admin/bots', { headers, body: {} })).body
    const installed = {
      theirs: { integrationId, enabled: true, configuration: { mark: 'x' } },
    }
    expect(
      (
        await call('PUT', `/v1/admin/bots/${bot.id}`, {
          headers,
          body: { integrations: installed },
        })
      ).status,
    ).toBe(200)
    expect((await removeWorkspace(asAdmin(maker), workspaceId)).status).toBe(200)
    expect(
      (await call('GET', `/v1/admin/bots/${bot.id}`, { headers })).body.bot.integrations
        .theirs.name,
    ).toContain('telegram')
    expect(
      (await call('GET', '/v1/admin/bots', { headers: asAdmin(maker) })).status,
    ).toBe(401)
    expect(
      await db()
        .selectFrom('workspace')
        .select(['name', 'handle', 'profile'])
        .where('id', '=', workspaceId)
        .executeTakeFirst(),
    ).toEqual({
      name: 'Deleted workspace',
      handle: null,
      profile: {},
    })
    expect(
      await db()
        .selectFrom('integration')
        .select('id')
        .where('workspace_id', '=', workspaceId)
        .execute(),
    ).toEqual([{ id: integrationId }])
  })
})

describe('deleting an account', () => {
  const deleteAccount = (headers: Headers) =>
    call('POST', '/v1/admin/account/me', { headers, body: {} })

  test('removes its tokens and the workspaces without other members', async () => {
    const tenant = await makeTenant(scene, 'leaving')
    const [first, second] = tenant.things.workspace
    expect((await deleteAccount(bearing(tenant.token))).body).toMatchObject({
      code: 409,
      type: 'RelationConflict',
    })
    expect(
      (await call('GET', '/v1/admin/bots', { headers: asAdmin(tenant) })).status,
    ).toBe(200)
    for (const id of [tenant.things.account[1], tenant.things.invitee[0]])
      await call('DELETE', `/v1/admin/workspace-members/${id}`, {
        headers: asAdmin(tenant),
      })
    expect(await deleteAccount(bearing(tenant.token))).toEqual({ status: 200, body: {} })
    expect(
      (await call('GET', '/v1/admin/account/me', { headers: bearing(tenant.token) }))
        .status,
    ).toBe(401)
    const remaining = await rowsWith([
      first!,
      second!,
      tenant.things.account[0]!,
      ...tenant.things.bot,
    ])
    expect(remaining).toEqual({
      audit_record: remaining.audit_record,
      audit_chain: 1,
      // Until every server has deleted the files of the archives.
      archive_job: 2,
    })
    // The remaining records contain the operations, but no names.
    expect(await rowsWith([`${tenant.mark}@example.org`])).toEqual({})
  })

  test('keeps one owner of a shared workspace, also when both owners leave at once', async () => {
    const owners = await Promise.all(
      [1, 2].map(async (nth) => ({
        nth,
        tenant: await makeTenant(scene, `pair-${nth}`),
      })),
    )
    const [one, two] = owners.map(({ tenant }) => tenant) as [Tenant, Tenant]
    // Both are members only of the shared workspace, which has a third member.
    const shared = await newWorkspace(bearing(one.token))
    const headers = { ...bearing(one.token), 'x-workspace-id': shared }
    const invite = (email: string, role: string) =>
      call('POST', '/v1/admin/workspace-members', { headers, body: { email, role } })
    await invite(`${two.mark}@example.org`, 'owner')
    await invite(`${randomUUID()}@example.org`, 'viewer')
    for (const { things, token } of [one, two])
      for (const id of things.workspace) await removeWorkspace(bearing(token), id)
    const answers = await Promise.all([
      deleteAccount(bearing(one.token)),
      deleteAccount(bearing(two.token)),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('transferring a bot', () => {
  let from: Tenant
  let to: Tenant
  let nth = 0
  beforeEach(async () => {
    nth += 1
    from = await makeTenant(scene, `giver-${nth}`)
    to = await makeTenant(scene, `taker-${nth}`)
  }, 30_000)

  const addMember = (workspace: Tenant, member: Tenant, role: string) =>
    call('POST', '/v1/admin/workspace-members', {
      headers: asAdmin(workspace),
      body: { email: `${member.mark}@example.org`, role },
    })

  test('requires a role in the target workspace that may create bots', async () => {
    const [botId] = from.things.spareBot
    const [target] = to.things.workspace
    expect((await transfer(asAdmin(from), botId!, target!)).body).toMatchObject({
      code: 404,
      message: `Workspace "${target}" was not found`,
    })
    const { body: member } = await addMember(to, from, 'viewer')
    expect((await transfer(asAdmin(from), botId!, target!)).body).toMatchObject({
      code: 403,
      type: 'Forbidden',
    })
    expect(
      (await transfer(asAdmin(from), botId!, from.things.workspace[0]!)).body,
    ).toMatchObject({
      code: 400,
      type: 'InvalidPayload',
    })
    await call('PUT', `/v1/admin/workspace-members/${member.id}`, {
      headers: asAdmin(to),
      body: { role: 'developer' },
    })
    expect(
      (await call('GET', `/v1/admin/bots/${botId}`, { headers: asAdmin(from) })).status,
    ).toBe(200)
  })

  test('is rejected while the bot uses private integrations of the old workspace', async () => {
    const [botId] = from.things.bot
    await addMember(to, from, 'developer')
    const { body } = await transfer(asAdmin(from), botId!, to.things.workspace[0]!)
    expect(body).toMatchObject({
      code: 409,
      type: 'ReferenceConstraint',
      message: expect.stringContaining('tg'),
    })
    expect(
      (await call('GET', `/v1/admin/bots/${botId}`, { headers: asAdmin(from) })).status,
    ).toBe(200)
    expect(
      (await call('GET', `/v1/admin/bots/${botId}`, { headers: asAdmin(to) })).status,
    ).toBe(404)
  })

  test('moves all its data, is recorded in both workspaces, and keeps shared members allowed', async () => {
    const [botId] = from.things.spareBot
    await addMember(to, from, 'developer')
    const giver = from.things.account[0]!
    const colleague = from.things.account[1]!
    const users = { [giver]: true, [colleague]: true }
    await call('PUT', `/v1/admin/bots/${botId}/allowlist`, {
      headers: asAdmin(from),
      body: { setting: 'SELECTED_USERS', users },
    })
    const key = (
      await call('POST', '/v1/admin/bots/baks', {
        headers: asAdmin(from),
        body: { botId },
      })
    ).body
    const asTheBot = { ...bearing(key.value), 'x-bot-id': botId! }
    const made = await call('POST', '/v1/chat/users', {
      headers: asTheBot,
      body: { tags: {}, name: 'Ann' },
    })
    expect((await transfer(asAdmin(from), botId!, to.things.workspace[0]!)).status).toBe(
      200,
    )
    expect(
      (await call('GET', `/v1/admin/bots/${botId}`, { headers: asAdmin(from) })).status,
    ).toBe(404)
    expect(
      (await call('GET', `/v1/chat/users/${made.body.user.id}`, { headers: asTheBot }))
        .body.user.name,
    ).toBe('Ann')
    expect(
      (await call('GET', `/v1/admin/bots/${botId}/allowlist`, { headers: asAdmin(to) }))
        .body,
    ).toEqual({
      setting: 'SELECTED_USERS',
      users: [{ id: giver }],
    })
    for (const tenant of [from, to]) {
      const { body } = await call(
        'GET',
        `/v1/admin/workspaces/${tenant.things.workspace[0]}/audit-records?pageSize=5`,
        { headers: asAdmin(tenant) },
      )
      expect(body.records, tenant === from ? 'from' : 'to').toContainEqual(
        expect.objectContaining({
          action: 'TRANSFER_BOT',
          resourceId: botId,
          userId: giver,
        }),
      )
    }
  })
})
