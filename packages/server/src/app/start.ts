// Starts a server: data folder, keys, database, app with its HTTP listener, first bot. Stops the
// parts in reverse order, also after a failed start.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Health } from '@botstead/contract'
import { type Logger, pino } from 'pino'
import { serveDashboard } from '../http/dashboard.ts'
import { serveDocumentation } from '../http/documentation.ts'
import type { Services } from '../http/services.ts'
import { servePage } from '../http/static.ts'
import type { Config } from '../infra/config/config.ts'
import { findRunning, startEmbedded } from '../infra/db/embedded.ts'
import { FolderInUse, lockDataFolder } from '../infra/db/lock.ts'
import { migrate } from '../infra/db/migrate.ts'
import { type ConnectionSettings, type Database, openDatabase } from '../infra/db/open.ts'
import { isTransient } from '../infra/db/unavailable.ts'
import { checkProcessLimits } from '../infra/lib/process-limits.ts'
import { StartAborted, StartError } from '../infra/lib/start-error.ts'
import { logOptions } from '../infra/telemetry/log.ts'
import { findOwnerEmail } from '../modules/accounts/workspaces.ts'
import { seedHub } from '../modules/catalog/integrations/hub.ts'
import { otherWorkspacesRejected } from '../modules/delivery/hosting-trust.ts'
import { openApp } from './app.ts'
import { type Credentials, prepareFirstStart } from './first-start.ts'
import { openKeys } from './keys.ts'
import { checkModelSettings } from './models.ts'
import { createOwnerLink } from './owner-link.ts'

export interface StartOptions {
  /** Called at the beginning of each slow step. */
  onProgress?: (text: string) => void
  log?: Logger
  /**
   * File with the bundle of the bot that the first start deploys. Without it, the first start
   * deploys none.
   */
  firstBot?: { name: string; file: URL }
  /** Aborts an unfinished start, which then throws `StartAborted`. */
  signal?: AbortSignal
}

type Undo = (() => Promise<void>)[]

export interface RunningServer {
  url: string
  credentials: Credentials
  firstStart: boolean
  /** E-mail address of the owner of the installation; null without one. */
  ownerEmail: string | null
  /** Isolation of hosted code on this machine, in a few words for the operator. */
  hostedCode: string
  /**
   * Creates a link with which the owner of the installation signs in once; null if there is no such
   * account.
   */
  createSignInLink(): Promise<string | null>
  close(): Promise<void>
}

/** Buffers log lines to save system calls; pino writes the rest at the end of the process. */
const openLog = ({ logLevel }: Pick<Config, 'logLevel'>) =>
  pino(
    { ...logOptions, level: logLevel },
    pino.destination({ fd: 2, sync: false, minLength: 4_096, periodicFlush: 250 }),
  )

/**
 * Starts a server. Retries while the database cannot be reached. Throws ConfigError, DatabaseError
 * or StartError, with one sentence for the operator, where retrying cannot help.
 */
export async function startServer(
  config: Config,
  { onProgress = () => {}, log = openLog(config), firstBot, signal }: StartOptions = {},
): Promise<RunningServer> {
  const undo: Undo = []
  const close = () => undoAll(undo, log)
  const retrying = <T>(step: (undo: Undo) => Promise<T>, graceMs = 0) =>
    untilReachable(step, { undo, log, signal, graceMs })
  try {
    checkProcessLimits()
    await checkPort(config)
    await checkModelSettings(config)
    const lock = await lockDataFolder(config.dataFolder)
    undo.push(() => lock.release())
    const keys = await openKeys(config)
    const graceMs = config.databaseUrl ? 0 : embeddedGraceMs
    const connection = await retrying((undo) => connect(config, log, { onProgress, undo }), graceMs)
    let chat: ReturnType<Services['firstChat']> = null
    let isPrepared = false
    const app = await retrying(async (undo) => {
      onProgress('Migrating the database')
      await migrate(connection, log)
      const app = await openApp({
        config,
        log,
        connection,
        masterKey: keys.master,
        chatKey: keys.chat,
        firstChat: () => chat,
        isPrepared: () => isPrepared,
      })
      undo.push(() => app.close())
      await seedHub(app.services.db)
      serveDashboard(app.server)
      serveDocumentation(app.server)
      servePage(app.server, {
        async allowedOrigins(id) {
          const { callers } = app.services
          const chatId = await callers.chatId(id)
          return (chatId && (await callers.chat(chatId))?.allowedOrigins) || []
        },
      })
      app.address.api = await listen(app.server, config)
      return app
    })
    await lock.announce(config.publicUrl ?? app.address.api)

    onProgress('Preparing the first bot')
    const bundle = await bundleOf(firstBot, log)
    const { credentials, isFirst } = await retrying(() =>
      prepareFirstStart(app.services, { chatKey: keys.chat, bot: bundle, signal }),
    )
    if (credentials.webhookId)
      chat = { path: `/talk/${credentials.webhookId}`, botName: firstBot?.name ?? 'Bot' }
    const ownerEmail = await retrying(() => findOwnerEmail(app.services.db))
    const { sandbox } = await app.services.health.read()
    signal?.throwIfAborted()
    isPrepared = true
    return {
      url: credentials.url,
      credentials,
      firstStart: isFirst,
      ownerEmail,
      hostedCode: hostedCode(sandbox),
      createSignInLink: () => createOwnerLink(app.services.db, credentials.url),
      close: () => app.drain().finally(close),
    }
  } catch (error) {
    await close()
    throw signal?.aborted ? new StartAborted() : error
  }
}

/** Runs the steps in reverse order. Logs a failing step and continues. */
async function undoAll(undo: Undo, log: Logger) {
  for (const step of undo.splice(0).reverse())
    await step().catch((error) => log.error({ err: error }, 'failed to stop a part of the server'))
}

const firstRetryMs = 200
const maxRetryMs = 3_000
/**
 * How long an aborted start waits for the embedded database to start, so that it can stop it again.
 */
const embeddedGraceMs = 5_000

/** Runs a step of the start. Retries with growing pauses while the database cannot be reached. */
async function untilReachable<T>(
  step: (undo: Undo) => Promise<T>,
  {
    undo,
    log,
    signal,
    graceMs,
  }: { undo: Undo; log: Logger; signal: AbortSignal | undefined; graceMs: number },
): Promise<T> {
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(2 * retryMs, maxRetryMs)) {
    const done: Undo = []
    try {
      const result = await unlessAborted(step(done), signal, graceMs)
      undo.push(...done)
      return result
    } catch (error) {
      await undoAll(done, log)
      if (signal?.aborted || !isTransient(error)) throw error
      log.warn(
        { reason: (error as Error).message, retryMs },
        'the database cannot be reached: retrying',
      )
      await pause(retryMs, undefined, { ...(signal && { signal }) })
    }
  }
}

async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  graceMs: number,
): Promise<T> {
  if (!signal) return work
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    const rejectAborted = () => reject(new StartAborted())
    abort = () => void Promise.race([work, pause(graceMs)]).then(rejectAborted, rejectAborted)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
  })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort))
}

/** Migrates the database without starting a server. Throws the same errors as `startServer`. */
export async function migrateDatabase(
  config: Config,
  { onProgress = () => {}, log = openLog(config) }: StartOptions = {},
): Promise<void> {
  const undo: (() => Promise<void>)[] = []
  try {
    const lock = await lockDataFolder(config.dataFolder)
    undo.push(() => lock.release())
    await migrate(await connect(config, log, { onProgress, undo }), log)
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

/**
 * Connects to the database and runs work, whether servers run or not. Throws the same errors as
 * `startServer`.
 */
export async function withDatabase<T>(
  config: Config,
  work: (database: Database, settings: ConnectionSettings) => Promise<T>,
): Promise<T> {
  const log = openLog({ logLevel: 'silent' })
  const undo: (() => Promise<void>)[] = []
  try {
    const settings = await findConnection(config, log, undo)
    const database = openDatabase(settings, { log })
    undo.push(() => database.close())
    return await work(database, settings)
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

/** Returns the connection. Starts the embedded database unless a running server has started it. */
async function findConnection(
  config: Config,
  log: Logger,
  undo: (() => Promise<void>)[],
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

function hostedCode({ tier, refusal, missing, protections }: Health['sandbox']): string {
  if (tier === 2) return 'tier 2: isolated in separate namespaces'
  const restriction = protections.includes(otherWorkspacesRejected)
    ? `; ${otherWorkspacesRejected}`
    : ''
  const reason = missing[0] ?? 'no better isolation here'
  return tier === 1
    ? `tier 1: host only code that you wrote or reviewed (${reason})${restriction}`
    : refusal!
}

async function connect(
  config: Config,
  log: Logger,
  { onProgress, undo }: { onProgress: (text: string) => void; undo: (() => Promise<void>)[] },
): Promise<ConnectionSettings> {
  const url = directUrl(config)
  if (url) return { connectionString: url, application_name: 'botstead' }
  checkProcessLimits()
  onProgress('Starting the embedded database')
  const embedded = await startEmbedded(config.dataFolder, log)
  undo.push(() => embedded.stop())
  return embedded.settings
}

const directUrl = ({ databaseUrl, databaseDirectUrl }: Config) => databaseDirectUrl ?? databaseUrl

/** Throws StartError if the port cannot be used, before the start creates keys and a database. */
async function checkPort({ host, port }: Config): Promise<void> {
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (error) {
    throw new StartError(listenErrorMessage(error as NodeJS.ErrnoException, host, port))
  }
  server.close()
  await once(server, 'close')
}

/** Listens, and returns the URL at which clients on this machine reach the server. */
async function listen(
  server: import('fastify').FastifyInstance,
  { host, port }: Config,
): Promise<string> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    throw new StartError(listenErrorMessage(error as NodeJS.ErrnoException, host, port))
  }
  const { port: actual } = server.server.address() as AddressInfo
  return `http://${reachableHost(host)}:${actual}`
}

/** Returns the host for URLs of a server that listens on `host`. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function listenErrorMessage(
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: stop the other program, or set BOTSTEAD_PORT to another port`
  if (code === 'EACCES')
    return `This user has no permission to use port ${port}: set BOTSTEAD_PORT to a port above 1023`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${host}: set BOTSTEAD_HOST to an address of this machine`
  return `The server cannot listen on ${host}:${port} (BOTSTEAD_HOST, BOTSTEAD_PORT): ${message}`
}

async function bundleOf(bot: StartOptions['firstBot'], log: Logger) {
  if (!bot) return null
  try {
    return { name: bot.name, code: await readFile(bot.file, 'utf8') }
  } catch {
    log.warn(
      { file: bot.file.pathname },
      'cannot read the bundle of the first bot: starting without it',
    )
    return null
  }
}
