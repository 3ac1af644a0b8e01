// Starts a whole server: folder, keys, database, app, first bot, and the door. Ends in the opposite order, whatever part failed.
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Health } from '@botstead/contract'
import { type Logger, pino } from 'pino'
import { openApp } from './app.ts'
import type { Config } from './config.ts'
import { mayPass } from './db/away.ts'
import { findRunning, startEmbedded } from './db/embedded.ts'
import { FolderInUse, lockDataFolder } from './db/lock.ts'
import { migrate } from './db/migrate.ts'
import { type ConnectionSettings, type Database, openDatabase } from './db/open.ts'
import { othersRefused } from './delivery/hosting-trust.ts'
import { type Credentials, makeFirstToken, prepareFirstStart } from './first-start.ts'
import { servePage } from './http/static.ts'
import { seedHub } from './integrations/hub.ts'
import { openKeys } from './keys.ts'
import { checkProcessLimits } from './lib/process-limits.ts'
import { StartAborted, StartError } from './lib/start-error.ts'
import { logOptions } from './telemetry/log.ts'

export interface StartOptions {
  /** Told what takes a while. */
  onProgress?: (text: string) => void
  log?: Logger
  /** File with the bundle of the bot that the first start deploys; without it there is none. */
  firstBot?: { name: string; file: URL }
  /** Ends a start that has not finished, which then throws `StartAborted`. */
  signal?: AbortSignal
}

type Undo = (() => Promise<void>)[]

export interface RunningServer {
  url: string
  credentials: Credentials
  firstStart: boolean
  /** What holds around hosted code here, in a few words for the operator. */
  hostedCode: string
  close(): Promise<void>
}

/** Lines go out together: one line each would be a system call each. What is left goes out at the end of the process. */
const openLog = ({ logLevel }: Pick<Config, 'logLevel'>) =>
  pino(
    { ...logOptions, level: logLevel },
    pino.destination({ fd: 2, sync: false, minLength: 4_096, periodicFlush: 250 }),
  )

/**
 * Starts a server; while the database cannot be reached, it retries. Throws ConfigError, DatabaseError or StartError with one sentence for the operator
 * where retrying cannot help.
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
    const lock = await lockDataFolder(config.dataFolder)
    undo.push(() => lock.release())
    const keys = await openKeys(config)
    const graceMs = config.databaseUrl ? 0 : embeddedGraceMs
    const connection = await retrying((undo) => connect(config, log, { onProgress, undo }), graceMs)
    let page: { chatPath: string; botName: string } | null = null
    const app = await retrying(async (undo) => {
      onProgress('Bringing the database up to date')
      await migrate(connection, log)
      const app = await openApp({ config, log, connection, masterKey: keys.master, chatKey: keys.chat })
      undo.push(() => app.close())
      await seedHub(app.services.db)
      servePage(app.server, { chatPath: () => page?.chatPath ?? null, botName: () => page?.botName ?? null })
      app.address.api = await listen(app.server, config)
      return app
    })
    await lock.announce(config.publicUrl ?? app.address.api)

    onProgress('Making the bot ready')
    const bundle = await bundleOf(firstBot, log)
    const token = makeFirstToken()
    const { credentials, isFirst } = await retrying(() =>
      prepareFirstStart(app.services, { chatKey: keys.chat, token, bot: bundle }),
    )
    if (credentials.webhookId)
      page = { chatPath: `/chat/${credentials.webhookId}`, botName: firstBot?.name ?? 'Bot' }
    const { sandbox } = await app.services.health.read()
    signal?.throwIfAborted()
    return { url: credentials.url, credentials, firstStart: isFirst, hostedCode: hostedCode(sandbox), close }
  } catch (error) {
    await close()
    throw signal?.aborted ? new StartAborted() : error
  }
}

/** In the opposite order. What fails is logged and keeps nothing else from ending. */
async function undoAll(undo: Undo, log: Logger) {
  for (const step of undo.splice(0).reverse())
    await step().catch((error) => log.error({ err: error }, 'a part of the server could not be stopped'))
}

const firstRetryMs = 200
const maxRetryMs = 3_000
/** A start that is ended leaves no database running, if that can be stopped within this time. */
const embeddedGraceMs = 5_000

/** Runs a step of the start again, with growing pauses, while it fails because the database cannot be reached. */
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
      if (signal?.aborted || !mayPass(error)) throw error
      log.warn({ reason: (error as Error).message, retryMs }, 'the start needs its database: retrying')
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
    const giveUp = () => reject(new StartAborted())
    abort = () => void Promise.race([work, pause(graceMs)]).then(giveUp, giveUp)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
  })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort))
}

/** Brings the database up to date and ends: for who wants that to happen apart from the start. Throws what `startServer` throws. */
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

/** Works with the database, whether servers run on it or not. Throws what `startServer` throws. */
export async function withDatabase<T>(
  config: Config,
  work: (database: Database, settings: ConnectionSettings) => Promise<T>,
): Promise<T> {
  const log = openLog({ logLevel: 'silent' })
  const undo: (() => Promise<void>)[] = []
  try {
    const settings = await reach(config, log, undo)
    const database = openDatabase(settings, { log })
    undo.push(() => database.close())
    return await work(database, settings)
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

/** The embedded database is started unless a server has done that. */
async function reach(
  config: Config,
  log: Logger,
  undo: (() => Promise<void>)[],
): Promise<ConnectionSettings> {
  if (config.databaseUrl) return { connectionString: config.databaseUrl }
  const lock = await lockDataFolder(config.dataFolder).catch((error) =>
    error instanceof FolderInUse ? null : Promise.reject(error),
  )
  if (!lock) return findRunning(config.dataFolder)
  undo.push(() => lock.release())
  return connect(config, log, { onProgress: () => {}, undo })
}

function hostedCode({ tier, refusal, missing, protections }: Health['sandbox']): string {
  if (tier === 2) return 'tier 2: in namespaces of its own'
  const besides = protections.includes(othersRefused) ? `; ${othersRefused}` : ''
  return tier === 1
    ? `tier 1: only what you wrote or reviewed (${missing[0] ?? 'there is nothing better here'})${besides}`
    : refusal!
}

async function connect(
  config: Config,
  log: Logger,
  { onProgress, undo }: { onProgress: (text: string) => void; undo: (() => Promise<void>)[] },
): Promise<ConnectionSettings> {
  if (config.databaseUrl) return { connectionString: config.databaseUrl, application_name: 'botstead' }
  checkProcessLimits()
  onProgress('Starting the embedded database')
  const embedded = await startEmbedded(config.dataFolder, log)
  undo.push(() => embedded.stop())
  return embedded.settings
}

/** The address for those on this machine. */
async function listen(server: import('fastify').FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    throw new StartError(whyNotListening(error as NodeJS.ErrnoException, host, port))
  }
  const { port: actual } = server.server.address() as AddressInfo
  const reachable =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return `http://${reachable}:${actual}`
}

function whyNotListening({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: stop what uses it, or set BOTSTEAD_PORT to another one`
  if (code === 'EACCES')
    return `Port ${port} may not be used by this user: set BOTSTEAD_PORT to one above 1023`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${host}: set BOTSTEAD_HOST to one that it has`
  return `The server cannot listen on ${host}:${port}: ${message}`
}

async function bundleOf(bot: StartOptions['firstBot'], log: Logger) {
  if (!bot) return null
  try {
    return { name: bot.name, code: await readFile(bot.file, 'utf8') }
  } catch {
    log.warn({ file: bot.file.pathname }, 'the bundle of the first bot is missing: starting without it')
    return null
  }
}
