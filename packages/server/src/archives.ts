// Archives and backups as files, of an installation that is named by its settings, whether its server runs or not. What is in them: archive/.
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { pino } from 'pino'
import { findOwnerEmail } from './accounts/workspaces.ts'
import { ArchiveError } from './archive/archive-error.ts'
import { type BackedUp, type BackupOptions, backUp } from './archive/backup.ts'
import { type Exported, type ExportOptions, exportWorkspace } from './archive/export.ts'
import { type Imported, type ImportOptions, importWorkspace } from './archive/import.ts'
import { type Restored, type RestoreOptions, restore } from './archive/restore.ts'
import type { Blobs } from './blobs/blobs.ts'
import { openBlobs } from './blobs/open.ts'
import { opens } from './bots/bot-secrets.ts'
import type { Config } from './config.ts'
import { migrate } from './db/migrate.ts'
import type { ConnectionSettings, Database } from './db/open.ts'
import { seedHub } from './integrations/hub.ts'
import { findMasterKey, openKeys, openKeysOf } from './keys.ts'
import type { Keyring } from './sealing/keyring.ts'
import { withDatabase } from './start.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Throws ArchiveError, ConfigError, DatabaseError or StartError with one sentence for the operator. */
export async function exportToFile(
  config: Config,
  workspaceId: string,
  file: string,
  options: ExportOptions,
): Promise<Exported> {
  if (!(await isInstalled(config))) throw notInstalled(config)
  return withInstallation(config, (place) =>
    writeWhole(file, (out) => exportWorkspace({ ...place, version }, workspaceId, out, options)),
  )
}

/** A place where no server has been started yet is made ready first. Throws as `exportToFile`. */
export async function importFromFile(
  config: Config,
  file: string,
  options: Omit<ImportOptions, 'mostBytes'> & { mostMb?: number },
): Promise<Imported> {
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

export type BackupSummary = BackedUp & { withKey: boolean }

/** Throws as `exportToFile`. */
export async function backUpToFile(
  config: Config,
  file: string,
  { withKey, onProgress }: { withKey: boolean } & Pick<BackupOptions, 'onProgress'>,
): Promise<BackupSummary> {
  if (!(await isInstalled(config))) throw notInstalled(config)
  const options = { files: withKey ? await keysIn(config) : {}, ...(onProgress && { onProgress }) }
  return withInstallation(config, async (place) => ({
    withKey,
    ...(await writeWhole(file, (out) => backUp({ ...place, version }, out, options))),
  }))
}

/** The keys, wherever they come from, and the first token. */
async function keysIn(config: Config): Promise<Record<string, Buffer>> {
  const { master, chat } = await openKeys(config)
  const credentials = await readFile(join(config.dataFolder, 'credentials.json')).catch(() => null)
  return {
    ...{
      'keys/master.key': Buffer.from(`${master.toString('hex')}\n`),
      'keys/chat.key': Buffer.from(`${chat}\n`),
    },
    ...(credentials && { 'credentials.json': credentials }),
  }
}

/** Into an empty database and a data folder that no server uses. Returns an owner's e-mail address as well. Throws as `exportToFile`. */
export async function restoreFromFile(
  config: Config,
  file: string,
  { mostMb, onProgress }: { mostMb?: number } & Pick<RestoreOptions, 'onProgress'>,
): Promise<Restored & { owner: string | null }> {
  const mostBytes = mostMb ? mostMb * 2 ** 20 : await likelySize(file)
  const masterKey = await findMasterKey(config)
  const keepFile = (name: string, content: Buffer) => putFile(join(config.dataFolder, name), content)
  const restored = await withDatabase(config, async (database, settings) => {
    const options = { masterKey, keepFile, mostBytes, ...(onProgress && { onProgress }) }
    return restore({ database, settings, blobs: await openBlobs(config) }, file, options)
  })
  // What was said of the key is now tried: with the one that the next start will find.
  return withInstallation(config, async ({ database, secrets }) => {
    if (!(await opens(database.db, secrets.open)))
      throw new ArchiveError('The backup is restored, and its secrets do not open with this key')
    return { ...restored, owner: await findOwnerEmail(database.db) }
  })
}

/** What is there already stays. */
async function putFile(path: string, content: Buffer) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const handle = await open(path, 'wx', 0o600).catch((error) =>
    error.code === 'EEXIST' ? null : Promise.reject(error),
  )
  await handle?.writeFile(content)
  await handle?.sync()
  await handle?.close()
}

const notInstalled = ({ dataFolder }: Config) =>
  new ArchiveError(
    `There is no installation in ${dataFolder}: set BOTSTEAD_DATA to its data folder, or DATABASE_URL to its database`,
  )

interface Place extends Keyring {
  database: Database
  settings: ConnectionSettings
  blobs: Blobs
}

/** `prepare` is done before its keys are looked at. */
async function withInstallation<T>(
  config: Config,
  work: (place: Place) => Promise<T>,
  prepare = async (_: ConnectionSettings) => {},
): Promise<T> {
  const { master } = await openKeys(config)
  return withDatabase(config, async (database, settings) => {
    await prepare(settings)
    return work({
      database,
      settings,
      blobs: await openBlobs(config),
      ...(await openKeysOf(database, master)),
    })
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
  if (await stat(file).catch(() => null))
    throw new ArchiveError(`${file} exists already: choose another name, or remove it`)
  const aside = `${file}.part`
  await rm(aside, { force: true })
  const out = createWriteStream(aside, { flags: 'wx', mode: 0o600, flush: true })
  await once(out, 'open').catch((error) => {
    throw new ArchiveError(`${aside} cannot be written (${error.code})`)
  })
  try {
    const result = await write(out)
    await rename(aside, file)
    return result
  } catch (error) {
    out.destroy()
    await rm(aside, { force: true })
    throw error
  }
}
