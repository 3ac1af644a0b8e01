// Upgrades an installation: the plan of its migrations, and another major version of PostgreSQL.
// The settings name the installation.

import { openUpgrade, requireSpace, type Upgrade } from '@botstead/embedded-postgres'
import { runningCommand } from '@botstead/lib'
import { pino } from 'pino'
import type { Config } from '../../core/config/index.ts'
import {
  connections,
  DatabaseError,
  lockDataFolder,
  openDatabase,
  type PlannedMigration,
  planMigrations,
  schemaMigrations,
  statement,
} from '../../core/db/index.ts'
import { copyRows, requireInstallation } from '../archive/index.ts'

/**
 * Returns the pending migrations, and changes nothing. Servers may be running. Throws ArchiveError
 * without an installation, and the same errors as `startServer`.
 */
export async function planDatabaseMigrations(
  config: Config,
): Promise<PlannedMigration[]> {
  await requireInstallation(config)
  return connections.withDatabase(config, async (database) => {
    const client = await database.connect()
    return planMigrations(client).finally(() => client.end())
  })
}

interface UpgradeResult {
  from: string
  to: string
  /** The folder of the old cluster. */
  kept: string
  tables: number
  rows: number
}

/**
 * Copies the embedded database into a cluster of the PostgreSQL that comes with this version. The
 * server must not run. `programs` is the folder of the old PostgreSQL. Returns null if there is
 * nothing to do. Throws the same errors as `startServer`.
 */
export async function upgradeDatabase(
  config: Config,
  {
    programs = null,
    onProgress = () => {},
  }: { programs?: string | null; onProgress?: (table: string, bytes: number) => void },
): Promise<UpgradeResult | null> {
  if (config.databaseUrl)
    throw new DatabaseError(
      'DATABASE_URL names a database that Botstead does not manage: upgrade it with the tools of PostgreSQL',
    )
  const log = pino({ level: 'silent' })
  const lock = await lockDataFolder(config.dataFolder, { command: runningCommand() })
  try {
    const upgrade = await openUpgrade(config.dataFolder, log, programs)
    if (!upgrade) return null
    try {
      const copied = await copyDatabase(config, upgrade, onProgress)
      return {
        from: upgrade.from,
        to: upgrade.to,
        kept: await upgrade.finish(),
        ...copied,
      }
    } finally {
      await upgrade.abandon()
    }
  } finally {
    await lock.release()
  }
}

const sizeOfDatabaseStatement = statement(
  'size-of-database',
  'select pg_database_size(current_database()) as bytes',
)

/** Copies into the schema of the same version: the next start applies newer migrations. */
async function copyDatabase(
  { dataFolder }: Config,
  { old, next }: Upgrade,
  onProgress: (table: string, bytes: number) => void,
) {
  const log = pino({ level: 'silent' })
  const [from, to] = [openDatabase(old, { log }), openDatabase(next, { log })]
  try {
    const [size] = await from.run<{ bytes: string }>(...sizeOfDatabaseStatement({}))
    await requireSpace(dataFolder, Number(size!.bytes))
    const client = await from.connect()
    await schemaMigrations.findPending(client)
    const { rows } = await client.query('select max(number) as newest from migration')
    await client.end()
    await schemaMigrations.apply(next, log, { upTo: rows[0].newest })
    return await copyRows(from, to, onProgress)
  } finally {
    await Promise.all([from.close(), to.close()])
  }
}
