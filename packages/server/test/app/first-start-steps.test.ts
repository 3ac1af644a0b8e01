// The first start, interrupted after each of its steps: on a real database, in one process.

import { randomBytes } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { AllServices } from '../../src/app/all-services.ts'
import { type App, openApp } from '../../src/app/app.ts'
import { prepareFirstStart } from '../../src/app/first-start.ts'
import {
  firstWorkspaceId,
  isFirstStartComplete,
} from '../../src/core/accounts/bootstrap.ts'
import { findToken } from '../../src/core/accounts/tokens.ts'
import { deleteBot, listBotIds } from '../../src/core/bots/bots.ts'
import { seedHub } from '../../src/core/catalog/integrations/hub.ts'
import { readCredentials } from '../../src/core/installation/credentials.ts'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'
import { testConfig } from '../support/scene.ts'

let clone: TestDatabase
let folder: string
let app: App
let isPrepared = false
const chatKey = randomBytes(32).toString('hex')
const bot = {
  name: 'Echo bot',
  code: 'exports.default = { handler: async () => ({ status: 200 }) }',
}

beforeEach(async () => {
  isPrepared = false
  clone = await cloneDatabase()
  folder = await mkdtemp(join(tmpdir(), 'botstead-steps-'))
  app = await openApp({
    config: { ...testConfig(), dataFolder: folder },
    log: pino({ level: 'silent' }),
    connection: clone.settings,
    masterKey: randomBytes(32),
    chatKey,
    isPrepared: () => isPrepared,
  })
  await seedHub(app.services.db)
})
afterEach(async () => {
  await app.close()
  await clone.drop()
  await rm(folder, { recursive: true, force: true })
})

const prepare = (services: AllServices = app.services) =>
  prepareFirstStart(services, { chatKey, bot })

async function expectComplete(token: string | null) {
  const { db } = app.services
  const stored = (await readCredentials(folder))!
  expect(stored.token).toBe(token)
  expect(await findToken(db, token!)).toMatchObject({ kind: 'pat' })
  expect(await listBotIds(db, stored.workspaceId)).toEqual([stored.botId])
  expect(stored.chatUrl).toContain(stored.webhookId)
  const versions = await db.selectFrom('bot_version').select('bot_id').execute()
  expect(versions).toEqual([{ bot_id: stored.botId }])
  expect(await isFirstStartComplete(db)).toBe(true)
}

/** The services, of which one property fails. */
const failing = (name: 'db' | 'inTransaction'): AllServices =>
  new Proxy(app.services, {
    get(target, key) {
      if (key === name) throw new Error('interrupted')
      return Reflect.get(target, key)
    },
  })

test('is not ready before the first start is complete', async () => {
  const before = await app.server.inject('/readyz')
  expect(before.statusCode).toBe(503)
  expect(before.json().troubles).toEqual(['The server is starting'])
  isPrepared = true
  expect((await app.server.inject('/readyz')).statusCode).toBe(200)
})

test('writes the token to the file before the database accepts it', async () => {
  const { db } = app.services
  await db.schema.alterTable('workspace_member').renameTo('away').execute()
  await expect(prepare()).rejects.toThrow('workspace_member')
  await db.schema.alterTable('away').renameTo('workspace_member').execute()
  const { token } = (await readCredentials(folder))!
  expect(await findToken(db, token!)).toBeNull()

  const { isFirst, credentials } = await prepare()
  expect([isFirst, credentials.token]).toEqual([true, token])
  await expectComplete(token)
})

test.skipIf(process.platform !== 'linux')(
  'keeps the token when the power fails',
  async () => {
    const handle = await open(folder)
    const prototype: FileHandle = Object.getPrototypeOf(handle)
    await handle.close()
    const { sync } = prototype
    const synced: string[] = []
    const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (
      this: FileHandle,
    ) {
      synced.push(readlinkSync(`/proc/self/fd/${this.fd}`))
      return sync.call(this)
    })
    onTestFinished(() => spy.mockRestore())
    await expect(prepare(failing('inTransaction'))).rejects.toThrow('interrupted')
    // The draft before it replaces the file, and then the folder.
    const file = synced.indexOf(join(folder, 'credentials.json.new'))
    expect(file).toBeGreaterThanOrEqual(0)
    expect(synced.slice(file + 1)).toContain(folder)
  },
)

test('completes a start that ended between the token and the bot, with the same token', async () => {
  await expect(prepare(failing('inTransaction'))).rejects.toThrow('interrupted')
  const { token, botId } = (await readCredentials(folder))!
  expect(botId).toBeNull()
  expect(await findToken(app.services.db, token!)).not.toBeNull()
  expect(await isFirstStartComplete(app.services.db)).toBe(false)
  expect((await prepare()).isFirst).toBe(true)
  await expectComplete(token)
})

test('completes a start that ended after its bot, without a second one', async () => {
  const { credentials } = await prepare()
  await app.services.db.updateTable('first_start').set({ completed_at: null }).execute()
  expect((await prepare()).isFirst).toBe(true)
  await expectComplete(credentials.token)
})

test('makes another token if the file of an interrupted start is lost', async () => {
  await expect(prepare(failing('inTransaction'))).rejects.toThrow('interrupted')
  const { token: lost } = (await readCredentials(folder))!
  await rm(join(folder, 'credentials.json'))
  const { credentials } = await prepare()
  expect(credentials.token).not.toBe(lost)
  await expectComplete(credentials.token)
})

test('makes one token and one bot when two servers start at once', async () => {
  const otherFolder = await mkdtemp(join(tmpdir(), 'botstead-steps-'))
  const config = { ...app.services.config, dataFolder: otherFolder }
  const [own, other] = await Promise.all([
    prepare(),
    prepare({ ...app.services, config }),
  ])
  expect([own.isFirst, other.isFirst].sort()).toEqual([false, true])
  const personal = app.services.db
    .selectFrom('token')
    .select('id')
    .where('kind', '=', 'pat')
  expect(await personal.execute()).toHaveLength(1)
  if (other.isFirst) folder = otherFolder
  await expectComplete((own.isFirst ? own : other).credentials.token)
})

test('keeps a deleted first bot deleted, and the installations of earlier versions as they are', async () => {
  const { db } = app.services
  const { credentials } = await prepare()
  await db
    .transaction()
    .execute((trx) => deleteBot(trx, credentials.workspaceId, credentials.botId!))
  expect((await prepare()).isFirst).toBe(false)
  expect(await listBotIds(db, credentials.workspaceId)).toEqual([])
  await db.deleteFrom('first_start').execute()
  expect((await prepare()).isFirst).toBe(false)
  expect((await readCredentials(folder))!.token).toBe(credentials.token)
})

test('adds nothing to a workspace that was imported before the first start', async () => {
  const { db } = app.services
  await db
    .insertInto('workspace')
    .values({ id: firstWorkspaceId, name: 'Imported' })
    .execute()
  expect(await prepare()).toMatchObject({ isFirst: false, credentials: { token: null } })
  expect(await listBotIds(db, firstWorkspaceId)).toEqual([])
})
