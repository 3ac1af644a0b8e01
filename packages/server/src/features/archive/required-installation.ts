import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseSection, StorageSection } from '../../core/config/index.ts'
import { ArchiveError } from './format/archive-error.ts'

/** Returns whether there is an installation with these settings. */
const isInstalled = async ({ databaseUrl, dataFolder }: DatabaseSection & StorageSection) =>
  databaseUrl !== null ||
  (await stat(join(dataFolder, 'postgres', 'cluster')).then(
    () => true,
    () => false,
  ))

/** Throws ArchiveError. */
export async function requireInstallation(config: DatabaseSection & StorageSection) {
  if (!(await isInstalled(config))) throw notInstalled(config)
}

const notInstalled = ({ dataFolder }: DatabaseSection & StorageSection) =>
  new ArchiveError(
    `No installation found in ${dataFolder}: ` +
      'set BOTSTEAD_DATA to the data folder, or DATABASE_URL to the database',
  )
