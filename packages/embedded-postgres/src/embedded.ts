// The embedded database: a real PostgreSQL in <data folder>/postgres that starts and stops with the
// server. After a kill of the server it keeps running, and the next server takes it over. When
// PostgreSQL itself ends, the server restarts it. The caller must hold a lock of the data folder, so
// no other process starts, takes over or creates anything here.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { findAddress } from './embedded-address.ts'
import { findBinaries } from './embedded-binaries.ts'
import { type ClusterSetup, openFolder, prepareCluster } from './embedded-cluster.ts'
import { limitLogSize, startPostmaster, stopPostmaster } from './embedded-postmaster.ts'
import { isRunning, type Postmaster } from './embedded-process.ts'
import { findDatabaseUser } from './embedded-user.ts'

export interface Embedded {
  settings: pg.ClientConfig
  stop(): Promise<void>
}

export const databaseName = 'botstead'

interface EmbeddedOptions {
  /**
   * `name=value`: replace those of PostgreSQL and of this server, for databases that need not survive
   * a crash.
   */
  settings?: string[]
  /** Aborts the start: the database is stopped. */
  signal?: AbortSignal | undefined
}

/** Throws StartError with one sentence for the operator. */
export async function startEmbedded(
  dataFolder: string,
  log: Logger,
  { settings = [], signal }: EmbeddedOptions = {},
): Promise<Embedded> {
  const folder = join(dataFolder, 'postgres')
  const user = await findDatabaseUser(folder)
  await openFolder(folder, user)
  const binaries = await findBinaries(folder, user, log)
  const installation = {
    folder,
    cluster: join(folder, 'cluster'),
    log: join(dataFolder, 'postgres.log'),
    user,
    binaries,
    address: await findAddress(folder, user),
    settings,
  }
  await prepareCluster(installation, log)
  const postmaster = await startPostmaster(installation, { log, signal })
  if (signal?.aborted) {
    await stopPostmaster(installation, postmaster)
    signal.throwIfAborted()
  }
  const keeper = keepRunning(installation, postmaster, log)
  const connection = { ...installation.address.settings, database: databaseName }
  try {
    await createDatabase(connection)
  } catch (error) {
    await keeper.stop()
    throw error
  }
  return { settings: connection, stop: keeper.stop }
}

/** Returns the connection settings for the database of a running server. */
export async function findRunning(dataFolder: string): Promise<pg.ClientConfig> {
  const folder = join(dataFolder, 'postgres')
  return {
    ...(await findAddress(folder, await findDatabaseUser(folder))).settings,
    database: databaseName,
  }
}

/**
 * Restarts PostgreSQL whenever it has ended, with growing pauses after failures and after short
 * runs.
 */
function keepRunning(installation: ClusterSetup, first: Postmaster, log: Logger) {
  let postmaster = first
  const stopping = new AbortController()
  const watching = (async () => {
    let since = Date.now()
    for (let failures = 0; ; ) {
      await untilGone(installation, postmaster, stopping.signal)
      failures = Date.now() - since > 1000 ? 0 : failures + 1
      if (failures) await rest(Math.min(50 * 2 ** failures, 2000), stopping.signal)
      if (stopping.signal.aborted) return
      log.error('the database process ended: restarting it')
      since = Date.now()
      const deps = { log, signal: stopping.signal }
      postmaster = await startPostmaster(installation, deps).catch((error) => {
        log.error({ err: error }, 'the database does not start')
        return postmaster
      })
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await watching
      await stopPostmaster(installation, postmaster)
    },
  }
}

async function untilGone(
  installation: ClusterSetup,
  postmaster: Postmaster,
  stopping: AbortSignal,
) {
  for (let looks = 1; isRunning(postmaster) && !stopping.aborted; looks++) {
    await rest(100, stopping)
    if (looks % 600 === 0) await limitLogSize(installation).catch(() => {})
  }
}

/** Ends early when the server stops; the timer keeps no process alive. */
const rest = (ms: number, stopping: AbortSignal) =>
  pause(ms, undefined, { ref: false, signal: stopping }).catch(() => {})

export async function createDatabase({ database, ...settings }: pg.ClientConfig) {
  const client = new pg.Client({ ...settings, database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query(
      'select from pg_database where datname = $1',
      [database],
    )
    if (!rowCount)
      await client.query(`create database ${pg.escapeIdentifier(database ?? '')}`)
  } finally {
    await client.end()
  }
}
