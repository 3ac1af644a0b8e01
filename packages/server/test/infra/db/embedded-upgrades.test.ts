// Upgrades embedded databases of every released version from an older PostgreSQL, with Debian's programs.
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { upgradeDatabase } from '../../../src/app/upgrades.ts'
import { startEmbedded } from '../../../src/infra/db/embedded.ts'
import { createOlderDatabase, olderPostgres } from '../../support/older-postgres.ts'
import { testConfig } from '../../support/scene.ts'
import { expectAnswers, openUpgraded } from '../../support/upgraded-app.ts'
import {
  fillVersionDatabase,
  listVersions,
  openVersionFolder,
  readRecorded,
} from '../../support/versions.ts'

/** Each test creates two clusters. */
const timeout = 60_000
const log = pino({ level: 'silent' })

describe.skipIf(!olderPostgres).each(await listVersions())('from %s', (version) => {
  const closing: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    for (const close of closing.reverse()) await close()
  })

  it('upgrades an embedded database of an older PostgreSQL', { timeout }, async () => {
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
  })

  it('continues an upgrade that was interrupted', { timeout }, async () => {
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
