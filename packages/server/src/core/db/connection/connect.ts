// Connects to the database of an installation: for its server, which starts the embedded one, and for
// commands, whether a server runs or not.
import { setTimeout as pause } from 'node:timers/promises'
import { findRunning, startEmbedded } from '@botstead/embedded-postgres'
import { checkProcessLimits, runningCommand } from '@botstead/lib'
import { type Logger, pino } from 'pino'
import type { ConnectionSettings, Database } from '../database.ts'
import { openDatabase } from '../open.ts'
import { DatabaseClient } from './client.ts'
import { DatabaseError, explainConnectionError } from './database-error.ts'
import { parseHosts } from './hosts.ts'
import { FolderInUse, isServed, lockDataFolder } from './lock.ts'
import { Undo } from './start-steps.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

/** Where the database of an installation is: at a URL, or embedded in the data folder. */
interface DatabaseLocation {
  databaseUrl: string | null
  databaseDirectUrl: string | null
  dataFolder: string
}

/**
 * Connects to the database and runs work, whether servers run or not. Throws the same errors as
 * `startServer`; FolderInUse while another command works without a server.
 */
async function withDatabase<T>(
  config: DatabaseLocation,
  work: (database: Database, settings: ConnectionSettings) => Promise<T>,
): Promise<T> {
  const log = pino({ level: 'silent' })
  const undo = new Undo(log)
  try {
    const settings = await findConnection(config, log, undo)
    const database = openDatabase(settings, { log })
    undo.push(() => database.close())
    return await work(database, settings)
  } catch (error) {
    throw config.databaseUrl === null && isDatabaseUnavailable(error)
      ? stopped(error)
      : error
  } finally {
    await undo.run()
  }
}

const stopped = (cause: unknown) =>
  new DatabaseError('The database was stopped while this command used it: run it again', {
    cause,
  })

/** How long a command waits for the database of a server that starts or stops, in milliseconds. */
const waitMs = 20_000

/** Returns the connection. Starts the embedded database unless a running server has started it. */
async function findConnection(
  config: DatabaseLocation,
  log: Logger,
  undo: Undo,
): Promise<ConnectionSettings> {
  const url = directUrl(config)
  if (url) return toSettings(url)
  for (const deadline = performance.now() + waitMs; ; await pause(200)) {
    const lock = await lockForCommand(config)
    if (lock) {
      undo.push(() => lock.release())
      return connect(config, log, { onProgress: () => {}, undo })
    }
    const settings = await findRunning(config.dataFolder)
    const failure = await toFailure(settings)
    if (!failure) return settings
    if (performance.now() > deadline || !isDatabaseUnavailable(failure))
      throw explainConnectionError(failure, settings)
  }
}

/** Returns null while a server holds the folder. */
const lockForCommand = ({ dataFolder }: DatabaseLocation) =>
  lockDataFolder(dataFolder, { command: runningCommand() }).catch((error) =>
    error instanceof FolderInUse && error.isServer ? null : Promise.reject(error),
  )

async function toFailure(settings: ConnectionSettings): Promise<unknown> {
  const client = new DatabaseClient(settings)
  client.on('error', () => {})
  return client
    .connect()
    .then(
      () => null,
      (error) => error,
    )
    .finally(() => client.end().catch(() => {}))
}

/** Returns the connection to the database of a running server, without a lock; null without a server. */
async function findServed(config: DatabaseLocation): Promise<ConnectionSettings | null> {
  const url = directUrl(config)
  if (url) return toSettings(url)
  return (await isServed(config.dataFolder)) ? findRunning(config.dataFolder) : null
}

interface ConnectOptions {
  onProgress: (text: string) => void
  undo: Undo
  signal?: AbortSignal | undefined
}

async function connect(
  config: DatabaseLocation,
  log: Logger,
  { onProgress, undo, signal }: ConnectOptions,
): Promise<ConnectionSettings> {
  const url = directUrl(config)
  if (url) return toSettings(url)
  checkProcessLimits()
  onProgress('Starting the embedded database')
  const embedded = await startEmbedded(config.dataFolder, log, { signal })
  undo.push(() => embedded.stop())
  return embedded.settings
}

/** Reads a URL, which may name several hosts. */
export function toSettings(url: string): ConnectionSettings {
  const several = parseHosts(url)
  const { url: connectionString = url, ...hosts } = several ?? {}
  return { connectionString, ...hosts, application_name: 'botstead' }
}

const directUrl = ({ databaseUrl, databaseDirectUrl }: DatabaseLocation) =>
  databaseDirectUrl ?? databaseUrl

/** Connections to the database of an installation. */
export const connections = {
  open: connect,
  findServed,
  toSettings,
  withDatabase,
}
