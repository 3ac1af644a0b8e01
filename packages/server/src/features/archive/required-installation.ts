import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Section } from '../../core/config/index.ts'
import { ArchiveError } from './format/archive-error.ts'

/** Returns whether there is an installation with these settings. */
const isInstalled = async ({
  databaseUrl,
  dataFolder,
}: Section<'database'> & Section<'storage'>) =>
  databaseUrl !== null ||
  (await stat(join(dataFolder, 'postgres', 'cluster')).then(
    () => true,
    () => false,
  ))

/** Throws ArchiveError. */
export async function requireInstallation(
  config: Section<'database'> & Section<'storage'>,
) {
  if (!(await isInstalled(config))) throw notInstalled(config)
}

const notInstalled = ({ dataFolder }: Section<'database'> & Section<'storage'>) =>
  new ArchiveError(
    `No installation found in ${dataFolder}: ` +
      'set BOTSTEAD_DATA to the data folder, or DATABASE_URL to the database',
  )
