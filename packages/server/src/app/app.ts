// The composition root: builds every service once, in order, with plain calls. Tests pass in what
// they replace.
import { setTimeout as pause } from 'node:timers/promises'
import { FairTurns } from '@botstead/lib'
import type { FastifyInstance } from 'fastify'
import { deliveryModule } from '../core/delivery/index.ts'
import { OwnApi, openServer, type Timeouts } from '../core/http/index.ts'
import { Events, version } from '../core/installation/index.ts'
import { messagingModule } from '../core/messaging/index.ts'
import { openMetrics, tracing } from '../core/telemetry/index.ts'
import { authoring } from '../features/authoring/index.ts'
import { channels } from '../features/channels/index.ts'
import { models, readModelSources } from '../features/models/index.ts'
import { serverSettings } from '../features/server-settings/index.ts'
import type { AllServices } from './all-services.ts'
import { type Background, openBackground } from './background.ts'
import { closeApp } from './close.ts'
import { type Delivery, type DeliveryOptions, openDelivery } from './delivery.ts'
import { type Gauges, openGauges } from './gauges.ts'
import { openHealth } from './health.ts'
import { modules } from './modules.ts'
import { registerRoutes } from './routes.ts'
import { createServices, toChannelDeps } from './services.ts'
import { type Opened, openStorage, type Storage, type StorageOptions } from './storage.ts'

export interface AppOptions extends StorageOptions, DeliveryOptions {
  timeouts?: Timeouts
  /** Returns the chat of the first bot. Default: none. */
  firstChat?: () => { path: string; botName: string } | null
  /** Returns whether the first start is complete; until then the server is not ready. Default: yes. */
  isPrepared?: () => boolean
  /** For processing requests. */
  requestTurns?: FairTurns
}

export interface App {
  services: AllServices
  server: FastifyInstance
  /** The URL at which hosted code reaches the API; final once the server listens. */
  address: { api: string }
  /**
   * Reports that the server is not ready, and serves requests for the drain time, in which proxies
   * notice that. Call it before `close`.
   */
  drain(): Promise<void>
  /**
   * Stops accepting requests and claiming deliveries, waits for invocations up to a deadline,
   * releases leases and closes the database.
   */
  close(): Promise<void>
}

/**
 * Requests that are processed at a time. More do not enlarge the shared statements much, but delay
 * the next caller. While several bots call, half per bot keeps one with many calls from taking most
 * of the server.
 */
const fairShare = {
  capacity: 64,
  maxPerKey: 32,
  admitsFirst: true,
  aloneMs: 250,
  /** A request that takes longer is waiting for something other than this server. */
  maxMs: 250,
}

/**
 * Throws StartError if this server cannot decrypt the database's secrets. Closes everything it
 * opened if it fails.
 */
export async function openApp(options: AppOptions): Promise<App> {
  const opened: Opened = []
  return buildApp(options, opened).catch(async (error) => {
    for (const close of opened.reverse()) await close().catch(() => {})
    throw error
  })
}

async function buildApp(given: AppOptions, opened: Opened): Promise<App> {
  // Of this app: some settings change while it runs.
  const config = { ...given.config }
  const options = { ...given, config }
  const { log, chatKey, timeouts, requestTurns = new FairTurns(fairShare) } = options
  const basis = await openBasis(options, opened)
  const { sources, ownApi, publicUrl, metrics, events, storage, liveSettings } = basis
  const delivery = await openDelivery(
    { ...storage, events, metrics, ownApi },
    options,
    opened,
  )
  const lifecycle = { isStopping: false }
  const health = openAppHealth(options, { storage, delivery, lifecycle })
  const own = { config, log, events, metrics, sources, chosen: liveSettings }
  const openedModels = await openModels(own, { storage, delivery })
  opened.push(() => openedModels.close())
  const background = await openBackground(
    {
      ...storage,
      events,
      delivery,
      models: openedModels,
      liveSettings,
      chatKey,
      publicUrl,
    },
    options,
    opened,
  )
  const services = createServices({
    config,
    log,
    events,
    metrics,
    storage,
    delivery,
    background,
    health,
    requestTurns,
    publicUrl,
    inject: ownApi.inject,
    models: openedModels,
    liveSettings,
    dueIn: (ms) => work.tasks.dueIn(ms),
    firstChat: options.firstChat ?? (() => null),
  })
  for (const module of modules) module.hooks?.(delivery.hooks, services)
  const deps = { storage, delivery, background, timeouts }
  const { server, gauges } = openRoutes(services, deps)
  ownApi.attach(server)
  const work = startWork(services, { storage, delivery, models: openedModels })
  opened.push(() => work.stop())
  const parts = {
    storage,
    delivery,
    background,
    work,
    models: openedModels,
    server,
    gauges,
  }
  const address = ownApi
  return { services, server, address, ...toEnd({ config, log, lifecycle, parts }) }
}

/** Opens what needs none of the other parts. */
async function openBasis(options: AppOptions, opened: Opened) {
  const { config, log } = options
  // First, so that a mistake of the operator ends the start before anything runs.
  const sources = await readModelSources(config)
  const ownApi = new OwnApi(config.publicUrl ?? `http://127.0.0.1:${config.port}`)
  const publicUrl = () => config.publicUrl ?? ownApi.api
  tracing.followContexts()
  const metrics = openMetrics()
  const events = new Events()
  const storage = await openStorage(options, events, opened)
  const fixedModels = sources.fixed
  const liveSettings = await serverSettings.open({
    ...storage,
    config,
    fixedModels,
    events,
    log,
  })
  opened.push(() => liveSettings.stop())
  return { sources, ownApi, publicUrl, metrics, events, storage, liveSettings }
}

interface WorkDeps {
  storage: Storage
  delivery: Delivery
  models: Awaited<ReturnType<typeof models.open>>
}

/** Starts the work that needs all services. */
function startWork(services: AllServices, { storage, delivery, models }: WorkDeps) {
  const ownTasks = modules.flatMap((module) => module.tasks?.(services) ?? [])
  const tasks = deliveryModule.startTasks(services, delivery.queue, ownTasks)
  const connectors = channels.start({
    ...services,
    ...toChannelDeps({ storage, delivery }),
    transcriber: models.transcriber,
  })
  const runs = authoring.start(services)
  const stop = () => Promise.all([tasks.stop(), connectors.stop(), runs.stop()])
  return { tasks, stop }
}

type OwnModelDeps = Pick<
  Parameters<typeof models.open>[0],
  'config' | 'log' | 'events' | 'metrics' | 'sources' | 'chosen'
>

const openModels = (
  own: OwnModelDeps,
  { storage, delivery }: { storage: Storage; delivery: Delivery },
) =>
  models.open({
    ...delivery,
    ...own,
    database: storage.database,
    secrets: storage.secrets,
    outgoing: delivery.hosting.outgoing,
    chat: {
      signals: delivery.signals,
      stops: delivery.stops,
      deliveries: delivery.queue,
    },
    invoker: delivery.hosting.invoker,
    workspaceOf: delivery.callers.workspace,
  })

interface Lifecycle {
  isStopping: boolean
}

interface AppEnd {
  config: AppOptions['config']
  log: AppOptions['log']
  lifecycle: Lifecycle
  parts: Omit<Parameters<typeof closeApp>[0], 'log' | 'deadlineMs'>
}

/** Returns how the app ends. */
function toEnd({ config, log, lifecycle, parts }: AppEnd): Pick<App, 'drain' | 'close'> {
  return {
    async drain() {
      lifecycle.isStopping = true
      parts.server.startDraining()
      await pause(config.drainSeconds * 1000)
    },
    close() {
      lifecycle.isStopping = true
      return closeApp({ ...parts, log, deadlineMs: config.shutdownSeconds * 1000 })
    },
  }
}

interface HealthDeps {
  storage: Storage
  delivery: Delivery
  lifecycle: Lifecycle
}

const openAppHealth = (
  { config, isPrepared = () => true }: AppOptions,
  { storage, delivery, lifecycle }: HealthDeps,
) =>
  openHealth({
    db: storage.db,
    config,
    version,
    sandbox: () => delivery.hosting.sandbox.stats(),
    isPrepared,
    isStopping: () => lifecycle.isStopping,
  })

interface ServerDeps {
  storage: Storage
  delivery: Delivery
  background: Background
  timeouts: Timeouts | undefined
}

/** Creates the HTTP server with its routes, and the gauges that it shows. */
function openRoutes(
  services: AllServices,
  { storage: { database }, delivery, background, timeouts }: ServerDeps,
): { server: FastifyInstance; gauges: Gauges } {
  const server = openServer(services, {
    timeouts,
    handlers: modules.map((one) => one.handlers ?? {}),
    firstSteps: Object.assign({}, ...modules.map(({ firstSteps }) => firstSteps)),
    messageOperations: messagingModule.messageOperations,
    readMetrics: () => gauges.text(),
  })
  const upgrades = registerRoutes(server, services, timeouts)
  const countOpen = (module: string) => upgrades.get(module)?.count() ?? 0
  const gauges = openGauges(services.metrics.registry, {
    queue: delivery.queue,
    sandbox: delivery.hosting.sandbox,
    pools: () => database.pools(),
    webSockets: () => countOpen('messaging'),
    tunnels: () => countOpen('tunnels'),
    depth: services.queueDepth,
    backups: background.backups.latest,
    disk: background.disk.space,
  })
  return { server, gauges }
}
