// Personal data of a person with several users, and persons in archives of a workspace.
import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { bearing, makeTenant, type Tenant } from '../../../test/support/tenants.ts'
import { tableRules } from '../../app/tables.ts'
import { openDatabaseKeys } from '../../core/installation/keys.ts'
import { exportWorkspace } from '../archive/export.ts'
import { importWorkspace } from '../archive/import.ts'
import { mergeUsers, splitUser } from './merging.ts'

let scene: Scene
let folder: string
beforeAll(async () => {
  scene = await openScene()
  folder = await mkdtemp(join(tmpdir(), 'botstead-persons-'))
}, 60_000)
afterAll(async () => {
  await scene?.close()
  await rm(folder, { recursive: true, force: true })
})

const call = (
  path: string,
  body?: object,
  headers: Record<string, string> = scene.asBot,
) => scene.call(body ? 'POST' : 'GET', `/v1/${path}`, { headers, ...(body && { body }) })

/** Two users of one person, each with a state. */
async function newPerson(headers = scene.asBot): Promise<[string, string]> {
  const ids: string[] = []
  for (const name of ['ana', 'ann']) {
    const { body } = await call('chat/users', { tags: {} }, headers)
    const { id } = body.user
    ids.push(id)
    await call(
      `chat/states/user/${id}/variables`,
      { payload: { name, [name]: 1 } },
      headers,
    )
    const address = { kind: 'email', address: `${name}@example.org` }
    await call(`platform/users/${id}/addresses`, address, headers)
  }
  await call(`platform/users/${ids[0]}/merge`, { userIds: [ids[1]] }, headers)
  return ids as [string, string]
}

const erased = async (id: string) =>
  expect
    .poll(async () => (await call(`platform/erasures/${id}`)).body.erasure.state, {
      timeout: 30_000,
    })
    .toBe('done')
const exists = async (id: string) => (await call(`chat/users/${id}`)).status === 200
const readState = async (id: string) =>
  (await call(`chat/states/user/${id}/variables`)).body.state?.payload

test('counts, exports and erases all users of a person', async () => {
  const [ana, ann] = await newPerson()
  const [other] = await newPerson()
  const count = async (query: string) =>
    (await call(`platform/users/${ann}/personal-data${query}`)).body.counts
  expect(await count('')).toMatchObject({ users: 2, addresses: 2 })
  expect(await count('?scope=user')).toMatchObject({ users: 1, addresses: 1 })
  const url = `${await scene.listen()}/v1/platform/users/${ann}/personal-data/export`
  const file = join(folder, 'export.tar.gz')
  const reply = await fetch(url, { headers: scene.asBot })
  await writeFile(file, new Uint8Array(await reply.arrayBuffer()))
  await promisify(execFile)('tar', ['xzf', file, '-C', folder])
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  expect(await read('addresses.jsonl')).toContain('ann@example.org')
  expect(await read(`users/${ana}/addresses.jsonl`)).toContain('ana@example.org')
  // Also the value that another one hides.
  expect(await read(`users/${ana}/states.jsonl`)).toContain('"name":"ana"')
  const { body } = await call(`platform/users/${ann}/erasures`, {})
  expect([
    body.erasure.userId,
    body.others.map((one: { userId: string }) => one.userId),
  ]).toEqual([ann, [ana]])
  await erased(body.erasure.id)
  await erased(body.others[0].id)
  expect(await Promise.all([ana, ann, other].map(exists))).toEqual([false, false, true])
  const { rows } = await sql`select from state_layer where subject_id in (${ana}, ${ann})
    union all select from user_address where user_id in (${ana}, ${ann})`.execute(
    scene.app.services.db,
  )
  expect(rows).toEqual([])
})

test('an erasure of one user splits it first', async () => {
  const [ana, ann] = await newPerson()
  const { body } = await call(`platform/users/${ana}/erasures`, { scope: 'user' })
  expect(body).not.toHaveProperty('others')
  await erased(body.erasure.id)
  expect([await exists(ana), await exists(ann)]).toEqual([false, true])
  expect(await readState(ann)).toEqual({ name: 'ann', ann: 1 })
})

test('an interrupted merge or split changes nothing', async () => {
  const [ana, ann] = await newPerson()
  const { body } = await call('chat/users', { tags: {} })
  const broken = async (work: Parameters<typeof scene.app.services.inTransaction>[0]) =>
    expect(
      scene.app.services.inTransaction(async (inside) => {
        await work(inside)
        throw new Error('interrupted')
      }),
    ).rejects.toThrow('interrupted')
  const { botId } = scene
  await broken(({ db }) => splitUser(db, botId, ana))
  await broken((inside) =>
    mergeUsers(inside, botId, [ana, body.user.id], { by: 'bot', accountId: null }),
  )
  const { person } = (await call(`platform/users/${ann}/person`)).body
  expect(person.users).toHaveLength(2)
  expect(await readState(ana)).toEqual({ name: 'ann', ana: 1, ann: 1 })
  expect(await readState(body.user.id)).toBeUndefined()
})

test('an imported workspace has its persons, which can be split', async () => {
  const tenant: Tenant = await makeTenant(scene, 'traveller')
  const botId = tenant.things.bot[0]!
  const headers = { ...bearing(tenant.token), 'x-bot-id': botId }
  const [ana, ann] = await newPerson(headers)
  const toDeps = ({ app: { services } }: Scene) => ({
    database: services.database,
    blobs: services.blobs,
    secrets: services.secrets,
    tableRules,
    version: '0.0.0',
  })
  const file = join(folder, 'workspace.tar')
  const passphrase = 'correct horse battery staple'
  const out = createWriteStream(file)
  await exportWorkspace(toDeps(scene), tenant.things.workspace[0]!, out, { passphrase })
  const other = await openScene()
  try {
    const keys = await openDatabaseKeys(other.app.services.database, other.masterKey)
    const options = { passphrase, signedBy: null, maxBytes: 2 ** 30 }
    await importWorkspace({ ...toDeps(other), ...keys }, file, options)
    const { db } = other.app.services
    const read = async () =>
      (
        await sql<{ user_id: string; payload: object }>`select user_id, payload from state
          where bot_id = ${botId} and user_id in (${ana}, ${ann}) order by user_id`.execute(
          db,
        )
      ).rows
    expect(await read()).toEqual([
      { user_id: ana, payload: { name: 'ann', ana: 1, ann: 1 } },
    ])
    await other.app.services.inTransaction((inside) => splitUser(inside.db, botId, ann))
    expect(await read()).toEqual([
      { user_id: ana, payload: { name: 'ana', ana: 1 } },
      { user_id: ann, payload: { name: 'ann', ann: 1 } },
    ])
    const { rows } = await sql`select from user_address
      where bot_id = ${botId} and user_id in (${ana}, ${ann})`.execute(db)
    expect(rows).toHaveLength(2)
  } finally {
    await other.close()
  }
})
