// Archives and backups as files, of an installation that is named by its settings, whether its server runs or not. What is in them: archive/.
import { readFileSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { pino } from 'pino'
import { openBlobs, openKeysOf } from './app.ts'
import { ArchiveError } from './archive/archive-error.ts'
import { type Exported, type ExportOptions, exportWorkspace } from './archive/export.ts'
import { type Imported, type ImportOptions, importWorkspace } from './archive/import.ts'
import type { Blobs } from './blobs/blobs.ts'
import type { Config } from './config.ts'
import { migrate } from './db/migrate.ts'
import type { ConnectionSettings, Database } from './db/open.ts'
import { seedHub } from './integrations/hub.ts'
import { openKeys } from './keys.ts'
import type { Keyring } from './sealing/keyring.ts'
import { withDatabase } from './start.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** Throws ArchiveError, ConfigError, DatabaseError or StartError with one sentence for the operator. */
export async function exportToFile(config: Config, workspaceId: string, file: string, options: ExportOptions): Promise<Exported> {
  if (!(await isInstalled(config))) throw notInstalled(config)
  return withInstallation(config, (place) => writeWhole(file, (out) => exportWorkspace({ ...place, version }, workspaceId, out, options)))
}

/** A place where no server has been started yet is made ready first. Throws as `exportToFile`. */
export async function importFromFile(config: Config, file: string, options: Omit<ImportOptions, 'mostBytes'> & { mostMb?: number }): Promise<Imported> {
  const mostBytes = options.mostMb ? options.mostMb * 2 ** 20 : await likelySize(file)
  const upToDate = (settings: ConnectionSettings) => migrate(settings, pino({ level: 'silent' }))
  return withInstallation(
    config,
    async (place) => {
      await seedHub(place.database.db)
      return importWorkspace(place, file, { ...options, mostBytes })
    },
    upToDate,
  )
}

/** Whether anybody has started a server with these settings before. */
const isInstalled = async ({ databaseUrl, dataFolder }: Config) =>
  databaseUrl !== null ||
  (await stat(join(dataFolder, 'postgres', 'cluster')).then(
    () => true,
    () => false,
  ))

const notInstalled = ({ dataFolder }: Config) =>
  new ArchiveError(`There is no installation in ${dataFolder}: set BOTSTEAD_DATA to its data folder, or DATABASE_URL to its database`)

interface Place extends Keyring {
  database: Database
  settings: ConnectionSettings
  blobs: Blobs
}

/** `prepare` is done before its keys are looked at. */
async function withInstallation<T>(config: Config, work: (place: Place) => Promise<T>, prepare = async (_: ConnectionSettings) => {}): Promise<T> {
  const { master } = await openKeys(config)
  return withDatabase(config, async (database, settings) => {
    await prepare(settings)
    return work({ database, settings, blobs: await openBlobs(config), ...(await openKeysOf(database, master)) })
  })
}

/** Text becomes a tenth or so; what is much smaller than that was made to fill a disk. */
async function likelySize(file: string): Promise<number> {
  const { size } = await stat(file).catch((error) => {
    throw new ArchiveError(`${file} cannot be read (${error.code})`)
  })
  return Math.max(2 ** 30, size * 100)
}

/** The file has its name when it is whole and on the disk; it is readable by its owner alone. */
async function writeWhole<Result>(file: string, write: (out: Writable) => Promise<Result>): Promise<Result> {
  if (await stat(file).catch(() => null)) throw new ArchiveError(`${file} exists already: choose another name, or remove it`)
  const aside = `${file}.part`
  const handle = await open(aside, 'w', 0o600).catch((error) => {
    throw new ArchiveError(`${aside} cannot be written (${error.code})`)
  })
  try {
    const result = await write(handle.createWriteStream({ autoClose: false }))
    await handle.sync()
    await handle.close()
    await rename(aside, file)
    return result
  } catch (error) {
    await handle.close().catch(() => {}) // closed above, when the new name was what failed
    await rm(aside, { force: true })
    throw error
  }
}
