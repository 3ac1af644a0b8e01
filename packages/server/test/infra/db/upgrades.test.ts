// Upgrades from every released version: its database is migrated, and this version must answer all
// that the old one answered.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { type App, openApp } from '../../../src/app/app.ts'
import { openKeys } from '../../../src/app/keys.ts'
import { upgradeDatabase } from '../../../src/app/upgrades.ts'
import { openDiskBlobs } from '../../../src/infra/blobs/disk.ts'
import { startEmbedded } from '../../../src/infra/db/embedded.ts'
import { migrate, readReleased } from '../../../src/infra/db/migrate.ts'
import { type ConnectionSettings, openDatabase } from '../../../src/infra/db/open.ts'
import { restore } from '../../../src/modules/archive/restore.ts'
import { emptyDatabase } from '../../support/database.ts'
import { createOlderDatabase, olderPostgres } from '../../support/older-postgres.ts'
import { testConfig } from '../../support/scene.ts'
import {
  backupOf,
  fillVersionDatabase,
  listVersions,
  openVersionDatabase,
  openVersionFolder,
  type Recorded,
  readRecorded,
} from '../../support/versions.ts'

/** Migrating applies every migration since the old version. */
const timeout = 60_000
type Answer = Recorded['answers'][number]['answer']
const log = pino({ level: 'silent' })

/** Opens this version on an older installation. */
async function openUpgraded(settings: ConnectionSettings, dataFolder: string) {
  await migrate(settings, log)
  const config = { ...testConfig(), dataFolder }
  const { master, chat } = await openKeys(config)
  const app = await openApp({
    ...{ config, log, connection: settings, masterKey: master, chatKey: chat },
  })
  app.address.api = await app.server.listen({ host: '127.0.0.1', port: 0 })
  return app
}

const request = async (
  app: App,
  path: string,
  { method = 'GET', headers, body }: Partial<Recorded['answers'][number]>,
) => {
  const reply = await fetch(app.address.api + path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = (await reply.text()).replaceAll(app.address.api, '{{origin}}')
  const isJson = reply.headers.get('content-type')?.includes('json')
  return { status: reply.status, text, answer: isJson ? JSON.parse(text) : null }
}

/**
 * Repeats every request. The answers may have new fields and new objects, because the recurring
 * event is overdue, and signatures of URLs change.
 */
async function expectAnswers(app: App, { answers }: Recorded) {
  for (const { path, answer, ...sent } of answers) {
    const reply = await request(app, path, sent)
    expect(reply, path).toMatchObject({ status: 200 })
    expect(unsigned(recordedOf(reply.answer, answer)), path).toMatchObject(unsigned(answer))
    const { url } = reply.answer.file ?? {}
    if (url) expect((await request(app, url.replace('{{origin}}', ''), {})).text).toMatch('harbour')
  }
}

/** Leaves out objects of lists that were not recorded. */
const recordedOf = (now: Answer, recorded: Answer): Answer =>
  Object.fromEntries(
    Object.entries(now).map(([name, value]) => {
      const ids = Array.isArray(recorded[name]) ? recorded[name].map(({ id }) => id) : []
      return [name, Array.isArray(value) ? value.filter(({ id }) => ids.includes(id)) : value]
    }),
  )

const unsigned = (value: unknown) =>
  JSON.parse(JSON.stringify(value).replaceAll(/(\{\{origin\}\}[^"?]*)\?[^"]*/g, '$1'))

/** Sends a text in a conversation of the older version, and returns the bot's answer. */
async function continueTalk(app: App, { path, key, conversationId }: Recorded['chat']) {
  const headers = { 'x-user-key': key }
  const list = async (): Promise<{ userId: string; payload: { text: string } }[]> =>
    (await request(app, `${path}/conversations/${conversationId}/messages`, { headers })).answer
      .messages
  const before = await list()
  const body = { conversationId, payload: { type: 'text', text: 'Still there?' } }
  const sent = await request(app, `${path}/messages`, { method: 'POST', headers, body })
  expect(sent.status).toBe(201)
  while ((await list()).length < before.length + 2) await pause(50)
  const { userId } = sent.answer.message
  return (await list()).find((one) => one.userId !== userId)?.payload.text
}

it('has an installation of each released version', async () => {
  expect(await listVersions()).toEqual(Object.keys(await readReleased()))
})

describe.each(await listVersions())('from %s', (version) => {
  const closing: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    for (const close of closing.reverse()) await close()
  })

  it('migrates the database, and answers as before', { timeout }, async () => {
    const database = await openVersionDatabase(version)
    closing.push(() => database.drop())
    const folder = await openVersionFolder(version)
    closing.push(() => folder.remove())
    const app = await openUpgraded(database.settings, folder.path)
    closing.push(() => app.close())
    const recorded = await readRecorded(version)
    await expectAnswers(app, recorded)
    for (const talk of [recorded.chat, recorded.flow])
      expect(await continueTalk(app, talk)).toBe('Still there?')
  })

  it('restores a backup', { timeout }, async () => {
    const database = await emptyDatabase()
    closing.push(() => database.drop())
    const folder = await openVersionFolder(version)
    closing.push(() => folder.remove())
    await rm(join(folder.path, 'files'), { recursive: true })
    const blobs = await openDiskBlobs(join(folder.path, 'files'))
    const opened = openDatabase(database.settings, { log })
    const { master } = await openKeys({ dataFolder: folder.path, masterKey: null, chatKey: null })
    await restore({ settings: database.settings, database: opened, blobs }, backupOf(version), {
      ...{ masterKey: master, maxBytes: 2 ** 28, keepFile: async () => {} },
    }).finally(() => opened.close())
    const app = await openUpgraded(database.settings, folder.path)
    closing.push(() => app.close())
    await expectAnswers(app, await readRecorded(version))
  })
  it.skipIf(!olderPostgres)(
    'upgrades an embedded database of an older PostgreSQL',
    { timeout },
    async () => {
      const folder = await openVersionFolder(version)
      closing.push(() => folder.remove())
      await createOlderDatabase(folder.path, olderPostgres!, (settings) =>
        fillVersionDatabase(version, settings),
      )
      const config = { ...testConfig(), dataFolder: folder.path }
      await expect(startEmbedded(folder.path, log)).rejects.toThrow(/run ".*upgrade-database"/)
      await expect(upgradeDatabase(config, { programs: '/nowhere' })).rejects.toThrow(
        `The database was created by PostgreSQL ${olderPostgres}, whose programs are needed once`,
      )
      const result = await upgradeDatabase(config, {})
      expect(result).toMatchObject({ from: olderPostgres, to: '18' })
      expect(await readFile(join(result!.kept, 'PG_VERSION'), 'utf8')).toBe(`${olderPostgres}\n`)
      expect(await upgradeDatabase(config, {})).toBeNull()
      const embedded = await startEmbedded(folder.path, log, ['fsync=off'])
      closing.push(() => embedded.stop())
      const app = await openUpgraded(embedded.settings, folder.path)
      closing.push(() => app.close())
      await expectAnswers(app, await readRecorded(version))
    },
  )

  it.skipIf(!olderPostgres)('continues an upgrade that was interrupted', { timeout }, async () => {
    const folder = await openVersionFolder(version)
    closing.push(() => folder.remove())
    await createOlderDatabase(folder.path, olderPostgres!, (settings) =>
      fillVersionDatabase(version, settings),
    )
    const config = { ...testConfig(), dataFolder: folder.path }
    await upgradeDatabase(config, {})
    const postgres = join(folder.path, 'postgres')
    // As after a crash between both renames.
    await mkdir(join(postgres, 'next'))
    await rename(join(postgres, 'cluster'), join(postgres, 'next', 'cluster'))
    await writeFile(join(postgres, 'next', 'complete'), olderPostgres!)
    await expect(startEmbedded(folder.path, log)).rejects.toThrow('was interrupted: run ')
    expect(await upgradeDatabase(config, {})).toBeNull()
    const embedded = await startEmbedded(folder.path, log, ['fsync=off'])
    await embedded.stop()
    expect(await readdir(postgres)).not.toContain('next')
  })
})
