// Connects to the database of an installation: for its server, which starts the embedded one, and for
// commands, whether a server runs or not.
import { type Logger, pino } from 'pino'
import type { Config } from '../infra/config/config.ts'
import { findRunning, startEmbedded } from '../infra/db/embedded.ts'
import { FolderInUse, lockDataFolder } from '../infra/db/lock.ts'
import { type ConnectionSettings, type Database, openDatabase } from '../infra/db/open.ts'
import { checkProcessLimits } from '../infra/lib/process-limits.ts'
import { type Undo, undoAll } from './start-steps.ts'

/**
 * Connects to the database and runs work, whether servers run or not. Throws the same errors as
 * `startServer`.
 */
export async function withDatabase<T>(
  config: Config,
  work: (database: Database, settings: ConnectionSettings) => Promise<T>,
): Promise<T> {
  const log = pino({ level: 'silent' })
  const undo: Undo = []
  try {
    const settings = await findConnection(config, log, undo)
    const database = openDatabase(settings, { log })
    undo.push(() => database.close())
    return await work(database, settings)
  } finally {
    await undoAll(undo, log)
  }
}

/** Returns the connection. Starts the embedded database unless a running server has started it. */
async function findConnection(
  config: Config,
  log: Logger,
  undo: Undo,
): Promise<ConnectionSettings> {
  const url = directUrl(config)
  if (url) return { connectionString: url }
  const lock = await lockDataFolder(config.dataFolder).catch((error) =>
    error instanceof FolderInUse ? null : Promise.reject(error),
  )
  if (!lock) return findRunning(config.dataFolder)
  undo.push(() => lock.release())
  return connect(config, log, { onProgress: () => {}, undo })
}

interface ConnectOptions {
  onProgress: (text: string) => void
  undo: Undo
  signal?: AbortSignal | undefined
}

export async function connect(
  config: Config,
  log: Logger,
  { onProgress, undo, signal }: ConnectOptions,
): Promise<ConnectionSettings> {
  const url = directUrl(config)
  if (url) return { connectionString: url, application_name: 'botstead' }
  checkProcessLimits()
  onProgress('Starting the embedded database')
  const embedded = await startEmbedded(config.dataFolder, log, { signal })
  undo.push(() => embedded.stop())
  return embedded.settings
}

const directUrl = ({ databaseUrl, databaseDirectUrl }: Config) => databaseDirectUrl ?? databaseUrl
