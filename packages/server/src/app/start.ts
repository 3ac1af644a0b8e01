// Starts a server: data folder, keys, database, app with its HTTP listener, first bot. Stops the
// parts in reverse order, also after a failed start.
import type { Health } from '@botstead/contract'
import { checkProcessLimits, runningCommand, StartAborted } from '@botstead/lib'
import { type Logger, pino } from 'pino'
import { workspaceStore } from '../core/accounts/index.ts'
import { hub } from '../core/catalog/index.ts'
import type { Config } from '../core/config/index.ts'
import {
  connections,
  lockDataFolder,
  outages,
  schemaMigrations,
  Undo,
} from '../core/db/index.ts'
import { otherWorkspacesRejected } from '../core/delivery/index.ts'
import {
  compileLargeSchemas,
  type PageOptions,
  servePages,
  surviveExceptions,
} from '../core/http/index.ts'
import { type Credentials, installationKeys } from '../core/installation/index.ts'
import { logOptions } from '../core/telemetry/index.ts'
import { hubIntegrations } from '../features/channels/index.ts'
import { checkModelSettings } from '../features/models/index.ts'
import { createOwnerLink } from '../features/operator/index.ts'
import { findExample } from '../features/versions/index.ts'
import type { AllServices } from './all-services.ts'
import { type App, type AppOptions, openApp } from './app.ts'
import { prepareFirstStart } from './first-start.ts'
import { checkPort, listen } from './listen.ts'

export interface StartOptions {
  /** Called at the beginning of each slow step. */
  onProgress?: (text: string) => void
  log?: Logger
  /** The bot that the first start deploys, from the bundle of an example. Without it, none. */
  firstBot?: { name: string; example: string }
  /** Aborts an unfinished start, which then throws `StartAborted`. */
  signal?: AbortSignal
  /** Pages that are built while the server runs. Default: all are built. */
  pages?: PageOptions
  sandboxChannel?: AppOptions['sandboxChannel']
}

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
   * account, or the database is not available now.
   */
  createSignInLink(): Promise<string | null>
  close(): Promise<void>
}

/** In milliseconds. */
const embeddedGraceMs = 8_000

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
  {
    onProgress = () => {},
    log = openLog(config),
    firstBot,
    signal,
    pages = {},
    ...replaced
  }: StartOptions = {},
): Promise<RunningServer> {
  const undo = new Undo(log)
  const close = () => undo.run()
  const retrying = <T>(step: (undo: Undo) => Promise<T>, graceMs = 0) =>
    undo.untilReachable(step, { signal, graceMs })
  try {
    checkProcessLimits()
    await checkPort(config)
    await checkModelSettings(config)
    const lock = await lockDataFolder(config.dataFolder)
    undo.push(() => lock.release())
    const keys = await installationKeys.open(config)
    // An aborted start stops the database that it is starting.
    const graceMs = config.databaseUrl ? 0 : embeddedGraceMs
    const connection = await retrying(
      (undo) => connections.open(config, log, { onProgress, undo, signal }),
      graceMs,
    )
    let chat: ReturnType<AllServices['firstChat']> = null
    let isPrepared = false
    const app = await retrying(async (undo) => {
      onProgress('Migrating the database')
      await schemaMigrations.apply(connection, log)
      onProgress('Opening the services')
      const [masterKey, chatKey] = [keys.master, keys.chat]
      const first = { firstChat: () => chat, isPrepared: () => isPrepared }
      const options = {
        config,
        log,
        connection,
        masterKey,
        chatKey,
        ...first,
        ...replaced,
      }
      return serveApp(options, pages, undo)
    })
    await lock.announce(app.services.publicUrl())

    onProgress('Preparing the first bot')
    const bundle = await readBundle(firstBot, log)
    const { credentials, isFirst } = await retrying(() =>
      prepareFirstStart(app.services, { chatKey: keys.chat, bot: bundle, signal }),
    )
    if (credentials.webhookId)
      chat = { path: `/talk/${credentials.webhookId}`, botName: firstBot?.name ?? 'Bot' }
    const { db, health } = app.services
    const ownerEmail = await retrying(() => workspaceStore.findOwnerEmail(db))
    const { sandbox } = await health.read()
    signal?.throwIfAborted()
    isPrepared = true
    void compileLargeSchemas()
    return {
      url: credentials.url,
      credentials,
      firstStart: isFirst,
      ownerEmail,
      hostedCode: hostedCode(sandbox),
      createSignInLink: () => createOwnerLink(db, credentials.url).catch(unlessAvailable),
      close: () => app.drain().finally(close),
    }
  } catch (error) {
    await close()
    throw signal?.aborted ? new StartAborted() : error
  }
}

function unlessAvailable(error: unknown): null {
  if (outages.isUnavailable(error)) return null
  throw error
}

/** Opens the app with its pages, and listens. */
async function serveApp(
  options: AppOptions,
  pages: PageOptions,
  undo: Undo,
): Promise<App> {
  const app = await openApp(options)
  const endSurvival = surviveExceptions(app.services)
  undo.push(async () => endSurvival())
  undo.push(() => app.close())
  await hub.seed(app.services.db, hubIntegrations)
  servePages(app.server, pages, {
    async allowedOrigins(id) {
      const { callers } = app.services
      const chatId = await callers.chatId(id)
      return (chatId && (await callers.chat(chatId))?.allowedOrigins) || []
    },
  })
  app.address.api = await listen(app.server, options.config)
  return app
}

/** Migrates the database without starting a server. Throws the same errors as `startServer`. */
export async function migrateDatabase(
  config: Config,
  { onProgress = () => {}, log = openLog(config) }: StartOptions = {},
): Promise<void> {
  const undo = new Undo(log)
  try {
    const lock = await lockDataFolder(config.dataFolder, { command: runningCommand() })
    undo.push(() => lock.release())
    await schemaMigrations.apply(
      await connections.open(config, log, { onProgress, undo }),
      log,
    )
  } finally {
    await undo.run()
  }
}

function hostedCode({
  tier,
  refusal,
  missing,
  protections,
}: Required<Health>['sandbox']): string {
  if (tier === 2) return 'tier 2: isolated in separate namespaces'
  const restriction = protections.includes(otherWorkspacesRejected)
    ? `; ${otherWorkspacesRejected}`
    : ''
  const reason = missing[0] ?? 'no better isolation here'
  return tier === 1
    ? `tier 1: host only code that you wrote or reviewed (${reason})${restriction}`
    : refusal!
}

async function readBundle(bot: StartOptions['firstBot'], log: Logger) {
  if (!bot) return null
  try {
    const { files } = await findExample(bot.example)
    return { name: bot.name, code: files['bot.cjs']! }
  } catch (error) {
    log.warn(
      { err: error },
      'cannot read the bundle of the first bot: starting without it',
    )
    return null
  }
}
