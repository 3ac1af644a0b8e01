// A data folder with an embedded database of an older major version of PostgreSQL. Debian's
// programs stand in for those of an older Botstead.
import { readdirSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { createDatabase, databaseName } from '../../../embedded-postgres/src/embedded.ts'
import { findAddress } from '../../../embedded-postgres/src/embedded-address.ts'
import { findPrograms } from '../../../embedded-postgres/src/embedded-binaries.ts'
import {
  openFolder,
  prepareCluster,
} from '../../../embedded-postgres/src/embedded-cluster.ts'
import {
  startPostmaster,
  stopPostmaster,
} from '../../../embedded-postgres/src/embedded-postmaster.ts'
import { findDatabaseUser } from '../../../embedded-postgres/src/embedded-user.ts'
import type { ConnectionSettings } from '../../src/core/db/database.ts'

const log = pino({ level: 'silent' })
const debian = '/usr/lib/postgresql'

/** The oldest one; null without any that is older than the embedded one. */
export const olderPostgres = findOlder()

function findOlder(): string | null {
  try {
    return (
      readdirSync(debian)
        .filter((name) => Number(name) < 18)
        .sort()[0] ?? null
    )
  } catch {
    return null
  }
}

/** Creates the database in a data folder with programs of Debian, and lets `fill` write to it. */
export async function createOlderDatabase(
  dataFolder: string,
  major: string,
  fill: (settings: ConnectionSettings) => Promise<void>,
  programs = join(debian, major),
) {
  const folder = join(dataFolder, 'postgres')
  await mkdir(folder, { recursive: true })
  // As root: programs before version 16 return to their folder by its absolute path.
  await chmod(dataFolder, 0o711)
  const user = await findDatabaseUser(folder)
  await openFolder(folder, user)
  const binaries = await findPrograms(programs, user)
  if (typeof binaries === 'string') throw new Error(binaries)
  const setup = {
    folder,
    user,
    binaries,
    settings: ['fsync=off'],
    cluster: join(folder, 'cluster'),
    log: join(dataFolder, 'postgres.log'),
    address: await findAddress(folder, user),
  }
  await prepareCluster(setup, log)
  const postmaster = await startPostmaster(setup, { log })
  try {
    const settings = { ...setup.address.settings, database: databaseName }
    await createDatabase(settings)
    await fill(settings)
  } finally {
    await stopPostmaster(setup, postmaster)
  }
}
