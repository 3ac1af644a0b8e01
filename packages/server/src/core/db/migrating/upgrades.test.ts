// Migrates the database of every released version, and restores its backup: this version must answer all
// that the old one answered. `embedded-upgrades.test.ts` upgrades PostgreSQL, too.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { emptyDatabase } from '../../../../test/support/database.ts'
import {
  expectAnswers,
  openUpgraded,
  request,
} from '../../../../test/support/upgraded-app.ts'
import {
  listVersions,
  openVersionDatabase,
  openVersionFolder,
  type Recorded,
  readRecorded,
  toBackupPath,
} from '../../../../test/support/versions.ts'
import type { App } from '../../../app/app.ts'
import { restore } from '../../../features/archive/backups/restore.ts'
import { openDiskBlobs } from '../../files/blobs/disk.ts'
import { openKeys } from '../../installation/keys.ts'
import { openDatabase } from '../open.ts'
import { readReleased } from './migrate.ts'

/** Migrating applies every migration since the old version. */
const timeout = 60_000
const log = pino({ level: 'silent' })

/** Sends a text in a conversation of the older version, and returns the bot's answer. */
async function continueTalk(app: App, { path, key, conversationId }: Recorded['chat']) {
  const headers = { 'x-user-key': key }
  const list = async (): Promise<{ userId: string; payload: { text: string } }[]> =>
    (await request(app, `${path}/conversations/${conversationId}/messages`, { headers }))
      .answer.messages
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
    const { master } = await openKeys({
      dataFolder: folder.path,
      masterKey: null,
      chatKey: null,
    })
    await restore(
      { settings: database.settings, database: opened, blobs },
      toBackupPath(version),
      {
        masterKey: master,
        maxBytes: 2 ** 28,
        keepFile: async () => {},
      },
    ).finally(() => opened.close())
    const app = await openUpgraded(database.settings, folder.path)
    closing.push(() => app.close())
    await expectAnswers(app, await readRecorded(version))
  })
})
