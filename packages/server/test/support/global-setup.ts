// One database server for the whole run, embedded or from BOTSTEAD_TEST_DATABASE_URL, with a
// migrated template that tests clone. Also detects the isolation tiers of this machine once,
// because detection starts two processes.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '@botstead/embedded-postgres'
import { isAlive } from '@botstead/lib'
import pino from 'pino'
import type { TestProject } from 'vitest/node'
import { prepareTests } from '../../../../scripts/tests/prepare.js'
import { findIsolation } from '../../../sandbox/src/launch.ts'
import type { ConnectionSettings } from '../../src/core/db/database.ts'
import { migrate } from '../../src/core/db/migrating/migrate.ts'
import { administer, withDatabaseName } from './database-names.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    databaseServer: ConnectionSettings
    /**
     * Whether the database server is deleted after the run, so that tests need not drop their
     * databases. In memory they do: it is small, and a drop takes little time there.
     */
    databaseServerGoes: boolean
    databasePrefix: string
    sandbox: Awaited<ReturnType<typeof findIsolation>>
  }
}

const log = pino({ level: 'warn' })
const folderName = /^botstead-tests-(\d+)-/

export default async function setup(project: TestProject) {
  await prepareTests(await listFiles(project))
  const sandbox = findIsolation()
  const url = process.env.BOTSTEAD_TEST_DATABASE_URL
  const server = url
    ? { settings: { connectionString: url }, stop: async () => {} }
    : await startServer()
  const goes = url
    ? process.env.BOTSTEAD_TEST_DATABASE_GOES === '1'
    : !tmpdir().startsWith('/dev/shm')
  const prefix = `botstead_test_${randomBytes(4).toString('hex')}`
  const template = `${prefix}_template`
  await administer(server.settings, `create database ${template}`)
  await migrate(withDatabaseName(server.settings, template), log)
  project.provide('databaseServer', server.settings)
  project.provide('databaseServerGoes', goes)
  project.provide('databasePrefix', prefix)
  project.provide('sandbox', await sandbox)
  return async () => {
    await administer(server.settings, `drop database ${template} with (force)`)
    await server.stop()
  }
}

/** Returns the test files of the run. */
async function listFiles({ vitest }: TestProject): Promise<string[]> {
  // The arguments that are not options; internal in Vitest.
  const { filenamePattern } = vitest as unknown as { filenamePattern?: string[] }
  const found = await Promise.all(
    vitest.projects.map((project) => project.globTestFiles(filenamePattern)),
  )
  return found.flatMap(({ testFiles }) => testFiles)
}

/**
 * No data survives the run, so nothing waits for the disk. Autovacuum would start a process for
 * each of the hundreds of databases, again and again. Durability is tested with servers that have
 * their own database.
 */
const fastSettings = ['fsync=off', 'full_page_writes=off', 'autovacuum=off']

async function startServer() {
  await removeOrphans()
  const folder = await mkdtemp(join(tmpdir(), `botstead-tests-${process.pid}-`))
  const { settings, stop } = await startEmbedded(folder, log, { settings: fastSettings })
  return {
    settings,
    stop: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Stops databases of killed runs, which keep running as they do for a killed server. */
async function removeOrphans() {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(folderName.exec(name)?.[1])
    if (!pid || isAlive(pid)) continue
    const folder = join(tmpdir(), name)
    await startEmbedded(folder, log).then(
      ({ stop }) => stop(),
      () => {},
    )
    await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}
