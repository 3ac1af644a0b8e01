// Commands that read and write archives and backups as files. The settings name the installation; its
// server may be running.

import { open, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder, syncFolder } from '@botstead/lib'
import { pino } from 'pino'
import { workspaceStore } from '../../core/accounts/index.ts'
import { botSecrets } from '../../core/bots/index.ts'
import { hub } from '../../core/catalog/index.ts'
import type { Config } from '../../core/config/index.ts'
import {
  type ConnectionSettings,
  connections,
  schemaMigrations,
} from '../../core/db/index.ts'
import { openBlobs } from '../../core/files/index.ts'
import { installationKeys, version } from '../../core/installation/index.ts'
import { hubIntegrations } from '../channels/index.ts'
import { readScriptWarnings } from '../shared-addresses/index.ts'
import { writeAtomically } from './archive-file.ts'
import { type BackupOptions, type BackupResult, backUp } from './backups/backup.ts'
import { type RestoreOptions, type RestoreResult, restore } from './backups/restore.ts'
import { type ExportOptions, type ExportResult, exportWorkspace } from './export.ts'
import { ArchiveError } from './format/archive-error.ts'
import { type ImportOptions, type ImportResult, importWorkspace } from './import.ts'
import { requireInstallation } from './required-installation.ts'
import type { WithInstallation } from './with-installation.ts'

/**
 * Exports a workspace. Throws ArchiveError, ConfigError, DatabaseError or StartError with one
 * sentence for the operator.
 */
export async function exportToFile(
  withInstallation: WithInstallation,
  config: Config,
  workspaceId: string,
  file: string,
  options: ExportOptions,
): Promise<ExportResult> {
  await requireInstallation(config)
  return withInstallation(config, (installation) =>
    writeAtomically(file, (out) =>
      exportWorkspace({ ...installation, version }, workspaceId, out, options),
    ),
  )
}

/**
 * Imports a workspace; prepares a new installation first. `warnings` are those of the scripts of its
 * integrations. Throws the same errors as `exportToFile`.
 */
export async function importFromFile(
  withInstallation: WithInstallation,
  config: Config,
  file: string,
  options: Omit<ImportOptions, 'maxBytes'> & { maxMb?: number },
): Promise<ImportResult & { warnings: string[] }> {
  const maxBytes = options.maxMb ? options.maxMb * 2 ** 20 : await defaultMaxBytes(file)
  const upToDate = (settings: ConnectionSettings) =>
    schemaMigrations.apply(settings, pino({ level: 'silent' }))
  return withInstallation(
    config,
    async (installation) => {
      await hub.seed(installation.database.db, hubIntegrations)
      const result = await importWorkspace(installation, file, { ...options, maxBytes })
      const { id } = result.heading.workspace
      return {
        ...result,
        warnings: await readScriptWarnings(installation.database.db, id),
      }
    },
    upToDate,
  )
}

type BackupSummary = BackupResult & { withKey: boolean }

/** Writes a backup. Throws the same errors as `exportToFile`. */
export async function backUpToFile(
  withInstallation: WithInstallation,
  config: Config,
  file: string,
  { withKey, onProgress }: { withKey: boolean } & Pick<BackupOptions, 'onProgress'>,
): Promise<BackupSummary> {
  await requireInstallation(config)
  const options = {
    files: withKey ? await keysIn(config) : {},
    ...(onProgress && { onProgress }),
  }
  return withInstallation(config, async (installation) => ({
    withKey,
    ...(await writeAtomically(file, (out) =>
      backUp({ ...installation, version }, out, options),
    )),
  }))
}

/** Returns the keys, from files or environment, and the credentials file with the first token. */
async function keysIn(config: Config): Promise<Record<string, Buffer>> {
  const { master, chat } = await installationKeys.open(config)
  const credentials = await readFile(join(config.dataFolder, 'credentials.json')).catch(
    () => null,
  )
  return {
    'keys/master.key': Buffer.from(`${master.toString('hex')}\n`),
    'keys/chat.key': Buffer.from(`${chat}\n`),
    ...(credentials && { 'credentials.json': credentials }),
  }
}

/**
 * Restores a backup into an empty database and a data folder that no server uses. Returns also the
 * e-mail address of an owner, and whether there is a chat key. Throws the same errors as `exportToFile`.
 */
export async function restoreFromFile(
  withInstallation: WithInstallation,
  config: Config,
  file: string,
  { maxMb, onProgress }: { maxMb?: number } & Pick<RestoreOptions, 'onProgress'>,
): Promise<RestoreResult & { owner: string | null; hasChatKey: boolean }> {
  const maxBytes = maxMb ? maxMb * 2 ** 20 : await defaultMaxBytes(file)
  const masterKey = await installationKeys.findMaster(config)
  const keepFile = (name: string, content: Buffer) =>
    putFile(join(config.dataFolder, name), content)
  const restored = await connections.withDatabase(config, async (database, settings) => {
    const options = { masterKey, keepFile, maxBytes, ...(onProgress && { onProgress }) }
    return restore({ database, settings, blobs: await openBlobs(config) }, file, options)
  })
  // Before the keys are opened, which creates a missing one.
  const hasChatKey = await installationKeys.hasChatKey(config)
  // Verifies that the key that the next start will use decrypts the secrets.
  return withInstallation(config, async ({ database, secrets }) => {
    if (!(await botSecrets.canBeOpened(database.db, secrets.open)))
      throw new ArchiveError(
        'The backup is restored, but this master key does not decrypt its secrets: ' +
          'provide the master key of that installation',
      )
    return {
      ...restored,
      owner: await workspaceStore.findOwnerEmail(database.db),
      hasChatKey,
    }
  })
}

/** Writes a file unless it exists. */
async function putFile(path: string, content: Buffer) {
  await makeFolder(dirname(path))
  const handle = await open(path, 'wx', 0o600).catch((error) =>
    error.code === 'EEXIST' ? null : Promise.reject(error),
  )
  await handle?.writeFile(content)
  await handle?.sync()
  await handle?.close()
  await syncFolder(dirname(path))
}

/**
 * Returns the default limit of the unpacked size: 100 times the file size, at least 1 GiB. Text
 * compresses to about a tenth, so a much higher ratio is an attempt to fill the disk.
 */
async function defaultMaxBytes(file: string): Promise<number> {
  const { size } = await stat(file).catch((error) => {
    throw new ArchiveError(`Cannot read ${file} (${error.code})`)
  })
  return Math.max(2 ** 30, size * 100)
}
