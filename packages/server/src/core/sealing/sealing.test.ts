// Encrypted secrets: a value decrypts only in its own row, each workspace has its own key, and the
// master key can be replaced while servers run.
import { randomBytes } from 'node:crypto'
import { deriveKey, encrypt, StartError } from '@botstead/lib'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { type App, openApp } from '../../app/app.ts'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import { openTargets } from '../delivery/calls/targets.ts'
import { type FormerKey, openKeyring } from './keyring.ts'
import { addMasterKey, rejectOtherMasterKeys } from './rotation.ts'
import type { Secrets } from './secrets.ts'

const log = pino({ level: 'silent' })
let clone: TestDatabase
let database: Database
let scene: Scene

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase(clone.settings, { log })
  scene = await openScene()
})
afterAll(async () => {
  await database?.close()
  await clone?.drop()
  await scene?.close()
})

const noFormerKey: FormerKey = { exists: async () => false, opensWith: async () => true }
const masters = Array.from({ length: 4 }, () => randomBytes(32))
const secretsBy = async (master: Buffer, before = noFormerKey) =>
  (await openKeyring(database, master, before))?.secrets ?? null

describe('keys', () => {
  let secrets: Secrets

  test('are the same for servers that start for the first time at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => secretsBy(masters[0]!)))
    expect(new Set(all.map((one) => one!.derive('any').toString('hex'))).size).toBe(1)
    const sealed = await Promise.all(
      all.map((one) => one!.seal('a workspace', 'word', 'here')),
    )
    expect(new Set(sealed.map((one) => one.subarray(1, 17).toString('hex'))).size).toBe(1)
    for (const one of all)
      expect(await Promise.all(sealed.map((value) => one!.open(value, 'here')))).toEqual(
        sealed.map(() => 'word'),
      )
    secrets = all[0]!
  })

  test.each<[string, (sealed: Buffer, other: Buffer) => Buffer, string]>([
    ['a value of another row', (sealed) => sealed, 'there'],
    [
      'a value with the key id of another workspace',
      (sealed, other) =>
        Buffer.concat([
          sealed.subarray(0, 1),
          other.subarray(1, 17),
          sealed.subarray(17),
        ]),
      'here',
    ],
    [
      'a value with an unknown key id',
      (sealed) =>
        Buffer.concat([sealed.subarray(0, 1), randomBytes(16), sealed.subarray(17)]),
      'here',
    ],
    [
      'a value with a changed last byte',
      (sealed) => Buffer.concat([sealed.subarray(0, -1), Buffer.of(sealed.at(-1)! ^ 1)]),
      'here',
    ],
    ['a value without authentication tag', (sealed) => sealed.subarray(0, 40), 'here'],
    [
      'a value with an unknown scheme',
      (sealed) => Buffer.concat([Buffer.of(9), sealed.subarray(1)]),
      'here',
    ],
    [
      'a value in the format before data keys',
      (sealed) => Buffer.concat([Buffer.of(1), sealed.subarray(17)]),
      'here',
    ],
  ])('do not decrypt %s', async (_, forged, context) => {
    const [sealed, other] = [
      await secrets.seal('a workspace', 'word', 'here'),
      await secrets.seal('another', 'word', 'here'),
    ]
    expect(await secrets.open(sealed, 'here')).toBe('word')
    await expect(secrets.open(forged(sealed, other), context)).rejects.toThrow()
  })

  test('do not unwrap a data key that was copied from another', async () => {
    await secrets.seal('robbed', 'word', 'here')
    await secrets.seal('thief', 'word', 'here')
    const sealed = await secrets.seal('robbed', 'word', 'here')
    await sql`
      update data_key set wrapped = (
        select wrapped from data_key other where other.id <> data_key.id limit 1)`.execute(
      database.db,
    )
    await expect(
      asAnotherProcess().then((other) => other!.open(sealed, 'here')),
    ).rejects.toThrow()
  })

  /** Without cached keys. */
  const asAnotherProcess = () => secretsBy(masters[0]!)
})

describe('values of rows', () => {
  let bots: { id: string; workspaceId: string }[]
  beforeAll(async () => {
    const other = (
      await scene.call('POST', '/v1/admin/workspaces', {
        headers: scene.admin,
        body: { name: 'Other' },
      })
    ).body
    const workspaces = [scene.workspaceId, scene.workspaceId, other.id as string]
    bots = []
    for (const workspaceId of workspaces) {
      const headers = { ...scene.admin, 'x-workspace-id': workspaceId }
      const { bot } = (
        await scene.call('POST', '/v1/admin/bots', {
          headers,
          body: { secrets: { WORD: 'w' } },
        })
      ).body
      await scene.call('POST', `/v1/admin/bots/${bot.id}/versions`, {
        headers,
        body: { name: 'kept' },
      })
      await scene.call('POST', `/v1/admin/bots/${bot.id}/signing-secrets/rotate`, {
        headers,
        body: {},
      })
      bots.push({ id: bot.id, workspaceId })
    }
  })
  const ask = (bot: { id: string; workspaceId: string }, path = '') =>
    scene.call('GET', `/v1/admin/bots/${bot.id}${path}`, {
      headers: { ...scene.admin, 'x-workspace-id': bot.workspaceId },
    })

  const swaps = [
    ['bot', 'id', 'secrets'],
    ['bot', 'id', 'signing_secret'],
    ['installation', 'bot_id', 'configuration'],
    ['bot_version', 'bot_id', 'state'],
  ] as const
  test.each(swaps)(
    'of %s, moved from one row (%s) to another, cannot be decrypted: %s',
    async (table, key, column) => {
      const { db, secrets } = scene.app.services
      const read = async () => {
        const ids = sql.join(bots.map(({ id }) => id))
        const { rows } = await sql<{ key: string; value: unknown }>`
          select ${sql.ref(key)} as key, ${sql.ref(column)} as value from ${sql.table(table)}
          where ${sql.ref(key)} in (${ids})`.execute(db)
        return bots.map(({ id }) => rows.find((row) => row.key === id)!.value)
      }
      const values = await read()
      expect(new Set(values.map((value) => JSON.stringify(value))).size).toBe(3)
      for (const from of [1, 2]) {
        const sealed = Buffer.isBuffer(values[from])
          ? values[from]
          : Buffer.from((values[from] as Record<string, string>).WORD!, 'base64')
        const version =
          table === 'bot_version'
            ? `/${(await ask(bots[0]!, '/versions')).body.versions[0].id}`
            : ''
        const suffix = {
          secrets: '/WORD',
          signing_secret: '',
          configuration: '/chat',
          state: version,
        }[column]
        const context = (id: string, end = suffix) => `${table}.${column}/${id}${end}`
        const own =
          table === 'bot_version'
            ? `/${(await ask(bots[from]!, '/versions')).body.versions[0].id}`
            : suffix
        expect(await secrets.open(sealed, context(bots[from]!.id, own))).not.toBe('')
        await expect(secrets.open(sealed, context(bots[0]!.id))).rejects.toThrow()
      }
    },
  )

  test('are not returned for a bot with the configuration of another', async () => {
    const { db } = scene.app.services
    expect((await ask(bots[0]!)).status).toBe(200)
    const taken = sql`(select configuration from installation where bot_id = ${bots[1]!.id})`
    await sql`update installation set configuration = ${taken} where bot_id = ${bots[0]!.id}`.execute(
      db,
    )
    expect(await ask(bots[0]!)).toMatchObject({ status: 500, body: { type: 'Internal' } })
  })

  test('of two workspaces are encrypted with two keys', async () => {
    const { db } = scene.app.services
    const ids = sql.join(bots.map(({ id }) => id))
    const { rows } = await sql<{ key: string }>`
      select encode(substring(signing_secret from 2 for 16), 'hex') as key
      from bot where id in (${ids}) order by id`.execute(db)
    const [one, same, other] = rows.map(({ key }) => key)
    expect([one === same, one === other]).toEqual([true, false])
  })

  test('of a bot in another workspace after a transfer can be decrypted', async () => {
    const { id, workspaceId } = bots[2]!
    const headers = { ...scene.admin, 'x-workspace-id': workspaceId }
    const moved = await scene.call('POST', `/v1/admin/bots/${id}/transfer`, {
      headers,
      body: { targetWorkspaceId: scene.workspaceId },
    })
    expect(moved.status).toBe(200)
    const target = await openTargets(
      scene.app.services.db,
      scene.app.services.secrets,
    ).bot(id)
    expect([target!.secrets, target!.signingSecrets().length]).toEqual([{ WORD: 'w' }, 2])
  })
})

describe('a new master key', () => {
  const open = (masterKey: Buffer): Promise<App> =>
    openApp({
      config: { ...scene.app.services.config, port: 0 },
      log,
      connection: scene.connection,
      masterKey,
      chatKey: scene.chatKey,
    })

  test('replaces the old one without interrupting running servers', {
    timeout: 60_000,
  }, async () => {
    const { services } = scene.app
    const other = await open(scene.masterKey)
    const next = randomBytes(32)
    const kept = async () =>
      (await sql`select id, wrapped from data_key order by id`.execute(services.db)).rows
    const before = await kept()
    const sealed = await services.secrets.seal(scene.workspaceId, 'word', 'here')

    expect(await addMasterKey(services.database, randomBytes(32), next)).toBe(false)
    await expect(open(next)).rejects.toThrow(StartError)
    expect(await addMasterKey(services.database, scene.masterKey, next)).toBe(true)
    for (const good of [scene.masterKey, next]) await (await open(good)).close()
    expect(await rejectOtherMasterKeys(services.database, randomBytes(32))).toBeNull()
    expect(await rejectOtherMasterKeys(services.database, next)).toBe(1)
    expect(await kept()).toEqual(before)

    await expect(open(scene.masterKey)).rejects.toThrow(/sealed with another master key/)
    const later = await open(next)
    const made = await Promise.all(
      [services, other.services, later.services].map(({ secrets }, i) =>
        secrets.seal(`new ${i % 2}`, 'word', 'there'),
      ),
    )
    for (const { secrets } of [services, other.services, later.services]) {
      expect(await secrets.open(sealed, 'here')).toBe('word')
      expect(await Promise.all(made.map((one) => secrets.open(one, 'there')))).toEqual([
        'word',
        'word',
        'word',
      ])
    }
    expect((await later.services.audit.verify(scene.workspaceId, null)).fault).toBeNull()
    await Promise.all([other.close(), later.close()])
  })
})

describe('values encrypted before there were data keys', () => {
  const master = masters[3]!
  const sealedBefore = Buffer.concat([
    Buffer.of(1),
    encrypt(deriveKey(master, 'seal'), Buffer.from('word'), 'here'),
  ])
  const before: FormerKey = {
    exists: async () => true,
    opensWith: async (key) => key.equals(deriveKey(master, 'seal')),
  }

  test('decrypt with the master key of that time, also after it was replaced', async () => {
    await sql`delete from root_key`.execute(database.db)
    await sql`delete from data_key`.execute(database.db)
    expect(await secretsBy(masters[2]!, before)).toBeNull()
    const keyring = (await openKeyring(database, master, before))!
    expect(await keyring.secrets.open(sealedBefore, 'here')).toBe('word')
    await expect(keyring.secrets.open(sealedBefore, 'there')).rejects.toThrow()
    expect(keyring.auditKey).toEqual(deriveKey(master, 'audit records'))
    expect((await keyring.secrets.seal('w', 'word', 'here'))[0]).toBe(2)

    expect(await addMasterKey(database, master, masters[1]!)).toBe(true)
    expect(await rejectOtherMasterKeys(database, masters[1]!)).toBe(1)
    expect(await secretsBy(master, before)).toBeNull()
    expect(await (await secretsBy(masters[1]!))!.open(sealedBefore, 'here')).toBe('word')
  })
})
