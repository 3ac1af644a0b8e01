// The installation that settings name, for commands.

import type { Config } from '../../core/config/index.ts'
import {
  type ConnectionSettings,
  connections,
  type Database,
} from '../../core/db/index.ts'
import { type Blobs, openBlobs } from '../../core/files/index.ts'
import { installationKeys } from '../../core/installation/index.ts'
import type { Keyring } from '../../core/sealing/index.ts'
import type { Tables } from '../../core/table-rules/index.ts'

export interface Installation extends Keyring {
  database: Database
  settings: ConnectionSettings
  blobs: Blobs
  tableRules: Tables
}

/**
 * Connects to the installation and runs work. `prepare` runs before the keys are read from the
 * database.
 */
export type WithInstallation = <T>(
  config: Config,
  work: (installation: Installation) => Promise<T>,
  prepare?: (settings: ConnectionSettings) => Promise<void>,
) => Promise<T>

export const createWithInstallation =
  (tableRules: Tables): WithInstallation =>
  async (config, work, prepare) => {
    const { master } = await installationKeys.open(config)
    return connections.withDatabase(config, async (database, settings) => {
      await prepare?.(settings)
      return work({
        database,
        settings,
        blobs: await openBlobs(config),
        tableRules,
        ...(await installationKeys.openDatabaseKeys(database, master)),
      })
    })
  }
