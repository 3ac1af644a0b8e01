// The composition root: builds every service once, in order, with plain calls. Tests pass in what they
// replace.
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { codeTrials } from '../api/admin/code-trials.ts'
import { registerDoors } from '../api/doors.ts'
import { handlers } from '../api/handlers.ts'
import { nameConnection } from '../http/connections.ts'
import { reportHealth } from '../http/health.ts'
import { serveMetrics } from '../http/metrics-door.ts'
import { mountFamilies } from '../http/mount.ts'
import type { Patience } from '../http/patience.ts'
import { makeServer } from '../http/server.ts'
import type { Forgotten, Services } from '../http/services.ts'
import { openBlobs } from '../infra/blobs/open.ts'
import type { Config } from '../infra/config/config.ts'
import type { Limits } from '../infra/config/limits.ts'
import { type ConnectionSettings, openDatabase } from '../infra/db/open.ts'
import { openCache } from '../infra/lib/cache.ts'
import { FairTurns } from '../infra/lib/fair-turns.ts'
import type { LookUp } from '../infra/lib/names.ts'
import { pageTokens } from '../infra/lib/page-tokens.ts'
import { openCompletions } from '../infra/models/completions.ts'
import { openEmbeddings } from '../infra/models/embeddings.ts'
import { Backlog } from '../infra/queue/backlog.ts'
import { depthReader } from '../infra/queue/depth.ts'
import { Queue } from '../infra/queue/queue.ts'
import { countWaiting, laneStore } from '../infra/queue/store.ts'
import { startWorker } from '../infra/queue/workers.ts'
import { openLimitedCalls } from '../infra/rates/limited-calls.ts'
import { openRates, type RateSettings, type RatesNote } from '../infra/rates/rates.ts'
import { openBus } from '../infra/realtime/bus.ts'
import { type SignalNote, Signals } from '../infra/realtime/signals.ts'
import type { SandboxOptions } from '../infra/sandbox/pool.ts'
import { openMetrics } from '../infra/telemetry/metrics.ts'
import { followContexts } from '../infra/telemetry/tracing.ts'
import { openVrl } from '../infra/vrl/vrl.ts'
import { openLogins } from '../modules/accounts/audit/logins.ts'
import { recordDeed } from '../modules/accounts/audit/trail.ts'
import { verifyChain } from '../modules/accounts/audit/verification.ts'
import { rememberCallers } from '../modules/catalog/integrations/callers.ts'
import { userKeys } from '../modules/catalog/integrations/user-keys.ts'
import { createActionCache } from '../modules/delivery/action-cache.ts'
import { chatEmitter } from '../modules/delivery/chat-emitter.ts'
import { deliver } from '../modules/delivery/deliver.ts'
import { performFenced } from '../modules/delivery/idempotency/fenced.ts'
import { keyedAnswers } from '../modules/delivery/idempotency/keyed-answers.ts'
import { outside } from '../modules/delivery/idempotency/outside.ts'
import { asOneUnit } from '../modules/delivery/idempotency/unit.ts'
import { attemptTeller, deliverTraced } from '../modules/delivery/observe.ts'
import { recordOutcomes } from '../modules/delivery/outcomes.ts'
import { openTargets } from '../modules/delivery/targets.ts'
import { startTasks } from '../modules/delivery/tasks.ts'
import { noEmbedder, openEmbedder } from '../modules/files/knowledge/embedder.ts'
import { openIndexer } from '../modules/files/knowledge/indexer.ts'
import { findKeyUser, lookUpParticipation } from '../modules/messaging/chat-lookups.ts'
import { readSignals } from '../modules/messaging/message-signals.ts'
import { messageWriter } from '../modules/messaging/message-writer.ts'
import { openActionRuns } from '../modules/reports/insights/action-runs.ts'
import { openAnalytics } from '../modules/reports/insights/analytics.ts'
import { openIssues } from '../modules/reports/insights/issues.ts'
import { openUsageCounter } from '../modules/reports/usage/counter.ts'
import { startComputing } from '../modules/tables/computing.ts'
import { startTableJobs } from '../modules/tables/job-runner.ts'
import { openGauges } from './gauges.ts'
import { openHealth } from './health.ts'
import { openHosting } from './hosting.ts'
import { openKeysOf } from './keys.ts'

export interface AppOptions {
  config: Config
  log: Logger
  connection: ConnectionSettings
  masterKey: Buffer
  chatKey: string
  patience?: Patience
  /** Clock for rate limits, in milliseconds. */
  clock?: () => number
  /**
   * Finds the launcher of hosted code; by default the strongest isolation tier that this machine supports.
   */
  findLauncher?: SandboxOptions['find']
  /** Resolves host names in URLs of workspaces; by default with the hosts file, the DNS and the system. */
  lookUp?: LookUp
  /** For processing requests. */
  requestTurns?: FairTurns
}

export interface App {
  services: Services
  server: FastifyInstance
  /** The URL at which hosted code reaches the API; final once the server listens. */
  address: { api: string }
  /**
   * Stops accepting requests and claiming deliveries, waits for invocations up to a deadline, releases leases
   * and closes the database.
   */
  close(): Promise<void>
}

/** Concurrent credential look-ups for principals with too many invalid credentials. */
const maxLookUps = 4
/**
 * Requests that are processed at a time. More do not enlarge the shared statements much, but delay the next
 * caller. While several bots call, half per bot keeps one with many calls from taking most of the server.
 */
const fairShare = {
  capacity: 64,
  maxPerKey: 32,
  admitsFirst: true,
  aloneMs: 250,
  /** A request that takes longer is waiting for something other than this server. */
  maxMs: 250,
}

const ratesOf = (limits: Limits): RateSettings => ({
  requests: limits.requestsPerSecond,
  webhooks: limits.webhooksPerSecond,
  messages: limits.messagesPerMinute,
  userMessages: limits.userMessagesPerMinute,
  failures: limits.failuresPerMinute,
})

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/**
 * Throws StartError if this server cannot decrypt the database's secrets. Closes everything it opened if it
 * fails.
 */
export async function openApp(options: AppOptions): Promise<App> {
  const opened: (() => Promise<unknown>)[] = []
  return buildApp(options, opened).catch(async (error) => {
    for (const close of opened.reverse()) await close().catch(() => {})
    throw error
  })
}

async function buildApp(
  {
    config,
    log,
    connection,
    masterKey,
    chatKey,
    patience,
    clock,
    findLauncher,
    lookUp,
    requestTurns = new FairTurns(fairShare),
  }: AppOptions,
  opened: (() => Promise<unknown>)[],
): Promise<App> {
  const address = { api: config.publicUrl ?? `http://127.0.0.1:${config.port}` }
  followContexts()
  const metrics = openMetrics()
  const database = openDatabase(connection, { log, broke: () => onConnectionError() })
  const { db } = database
  opened.push(() => database.close())
  const { secrets, auditKey } = await openKeysOf(database, masterKey)

  // Replaced below; a call before everything is built has nothing to do.
  let onLeaseLost = () => {}
  let onLeaseReleased = () => {}
  let onConnectionError = () => {}
  const worker = await startWorker(database, {
    log,
    leaseSeconds: config.leaseSeconds,
    lost: () => onLeaseLost(),
    freed: () => onLeaseReleased(),
  })
  opened.push(() => worker.stop())
  const rates = await openRates(database, ratesOf(config.limits), {
    log,
    tell: (note) => bus.tell(note),
    ...(clock && { now: clock }),
  })
  opened.push(() => rates.close())
  const callers = rememberCallers(db, secrets)
  const targets = openTargets(db, secrets)
  const forgetIntegration = (integrationId: string) => {
    callers.forgetIntegration(integrationId)
    targets.forgetIntegration(integrationId)
    void invoker.recycleIntegration(integrationId)
  }
  const invalidateHere = (what: Forgotten) => {
    if ('tokenHash' in what) return callers.forgetToken(what.tokenHash)
    if ('accountId' in what || 'workspaceId' in what) hosting.invalidateTrust()
    if ('accountId' in what) return callers.forgetAccount(what.accountId)
    if ('workspaceId' in what) return callers.forgetWorkspace(what.workspaceId)
    if ('integrationId' in what) return forgetIntegration(what.integrationId)
    callers.forgetBot(what.botId)
    targets.forget(what.botId)
    emitter.forget(what.botId)
  }
  const invalidateAll = () => {
    callers.clear()
    targets.clear()
    hosting.invalidateTrust()
  }
  const signals = new Signals({
    read: (...what) => readSignals(db, ...what),
    tell: (note) => bus.tell(note),
    log,
  })
  const actionRuns = openActionRuns(database, log)
  const issues = openIssues(database, log)
  const usage = openUsageCounter(database, log)
  const hosting = await openHosting({
    ...{ config, log, db, secrets, targets, issues, usage, metrics: metrics.invocations },
    api: () => address.api,
    serve(socket, processName) {
      nameConnection(socket, processName)
      server.server.emit('connection', socket)
    },
    find: findLauncher,
    lookUp,
  })
  const { sandbox, invoker, logs, outgoing } = hosting
  opened.push(() => Promise.all([sandbox.close(0), hosting.close()]))
  const emitter = chatEmitter({ db, targets, logs, outgoing }, signals)
  const vrl = openVrl()
  const backlog = new Backlog({
    read: (...what) => countWaiting(database, ...what),
    enough: config.limits.queuedPerBot,
    log,
  })
  const limitedCalls = openLimitedCalls()
  const retries = config.retrySeconds.length
  const lanes = laneStore(database)
  const release: typeof lanes.release = async (...what) => {
    await lanes.release(...what)
    await worker.announceFreed()
  }
  const queue: Queue = new Queue({
    backlog,
    workerId: () => worker.id,
    handler: (delivery) =>
      deliverTraced(
        (one) =>
          deliver({ db, database, invoker, targets, log, limitedCalls, deliveries: queue, retries }, one),
        delivery,
      ),
    attempted: attemptTeller(log, metrics.deliveries),
    retryMs: config.retrySeconds.map((seconds) => seconds * 1000),
    log,
    store: { ...lanes, release, settle: (...what) => recordOutcomes(database, ...what) },
  })
  const missed = () => {
    invalidateAll()
    signals.missed()
    queue.doubt()
  }
  onLeaseReleased = () => queue.sweepSoon()
  onConnectionError = () => queue.doubt()
  const receive = (note: ({ kind: 'forget' } & Forgotten) | RatesNote | SignalNote) => {
    if (note.kind === 'forget') invalidateHere(note)
    else if (note.kind === 'rates') rates.heard(note)
    else signals.heard(note)
  }
  // Opened last, because it receives notes as soon as it is open.
  const bus = await openBus(database, {
    log,
    alone: () => worker.alone,
    heard: (note) => receive(JSON.parse(note)),
    met: () => worker.noticeOther(),
    lost: invalidateAll,
    missed,
  })
  opened.push(() => bus.close())
  // By then, another process that took itself for the only one has noticed this one.
  let secondLook: NodeJS.Timeout | undefined
  const scheduleSecondLook = () => {
    clearTimeout(secondLook)
    secondLook = setTimeout(() => !worker.alone && missed(), config.leaseSeconds * 300).unref()
  }
  scheduleSecondLook()
  onLeaseLost = () => {
    queue.loseAll()
    missed()
    bus.greet()
    scheduleSecondLook()
  }
  let stopping = false
  const health = openHealth({
    db,
    config,
    version,
    sandbox: () => sandbox.stats(),
    isStopping: () => stopping,
  })
  const record: Services['audit']['record'] = (database, chains, entry) =>
    recordDeed(database, auditKey, chains, entry)
  const blobs = await openBlobs(config)
  const indexer = openIndexer({
    db,
    blobs,
    log,
    workerId: () => worker.id,
    mostBytes: config.limits.indexableBytes,
  })
  const embedder = config.embeddings
    ? openEmbedder({ db, log, embeddings: openEmbeddings(config.embeddings) })
    : noEmbedder
  const services: Services = {
    config,
    log,
    metrics,
    db,
    database,
    secrets,
    limits: config.limits,
    rates,
    lookUpTurns: new FairTurns({ capacity: maxLookUps }),
    requestTurns,
    limitedCalls,
    callers,
    userKeys: userKeys(chatKey),
    async checkChatUser({ botId, claim }) {
      await findKeyUser(db, botId, claim)
    },
    pageTokens: pageTokens(secrets.derive('page tokens')),
    participations: openCache(
      (key) => lookUpParticipation(db, ...(JSON.parse(key) as [string, string, string, string])),
      { size: 20_000, ttlMs: 60_000 },
    ),
    messages: messageWriter(database, queue, signals),
    signals,
    deliveries: queue,
    dueIn: (ms) => tasks.dueIn(ms),
    backlog,
    invoker,
    outgoing,
    actionRuns,
    actionCache: createActionCache(),
    issues,
    analytics: openAnalytics(database),
    usage,
    vrl,
    blobs,
    indexer,
    embedder,
    tableJobs: { soon: () => tableJobs.soon() },
    computing: { soon: () => computing.soon(), compute: (...what) => computing.compute(...what) },
    health,
    publicUrl: () => config.publicUrl ?? address.api,
    audit: {
      record,
      verify: (chain, noted) => verifyChain(db, auditKey, chain, noted),
    },
    logins: openLogins(database, record),
    whole: (work) => asOneUnit(services, work),
    fenced: (...what) => performFenced(services, ...what),
    reachesOutside: (operation) => Object.hasOwn(outside, operation),
    keyedAnswers: keyedAnswers({ services: () => services, workerId: () => worker.id }),
    afterCommit: (step) => step(services),
    callsCode: () => {},
    async forget(what) {
      invalidateHere(what)
      bus.tell(() => JSON.stringify({ kind: 'forget', ...what }))
    },
  }

  const server = makeServer(services, patience)
  mountFamilies(server, services, handlers, codeTrials)
  const { webSockets, tunnels } = registerDoors(server, services, patience)
  reportHealth(server, health.troubles)
  const gauges = openGauges(metrics.registry, {
    queue,
    sandbox,
    pools: () => database.pools(),
    webSockets,
    tunnels,
    depth: depthReader(database),
  })
  serveMetrics(server, config, () => gauges.text())
  const tasks = startTasks(services, queue)
  const spent = (botId: string, dollars: number) => usage.count('ai_spend', botId, dollars)
  const model = config.model && { ...openCompletions(config.model, log), spent }
  const computing = startComputing({ db, log, run: hosting.runColumnCode, model, workerId: () => worker.id })
  const tableJobs = startTableJobs({
    db,
    database,
    blobs,
    limits: config.limits,
    log,
    workerId: () => worker.id,
  })

  return {
    services,
    server,
    address,
    async close() {
      stopping = true
      gauges.close()
      clearTimeout(secondLook)
      const deadlineMs = config.shutdownSeconds * 1000
      /** Waits up to `ms`. A part that fails or takes too long must not keep the others from closing. */
      const end = async (name: string, ms: number, ended: Promise<unknown>) => {
        const tooLate = new Promise((_, reject) =>
          setTimeout(() => reject(new Error(`not within ${ms} ms`)), ms).unref(),
        )
        await Promise.race([ended, tooLate]).catch((error) =>
          log.warn({ err: error }, `${name} did not close cleanly`),
        )
      }
      // Bots that are still running need the API, so it closes after them.
      await end(
        'work',
        deadlineMs + 2_000,
        Promise.all([
          queue.stop(deadlineMs),
          tasks.stop(),
          tableJobs.stop(),
          computing.stop(),
          indexer.close(),
          embedder.close(),
        ]),
      )
      await end('the sandbox', 4_000, sandbox.close(Math.min(deadlineMs, 2_000)))
      signals.close()
      const tooLong = setTimeout(() => server.server.closeAllConnections(), 3_000)
      await end('the API', 5_000, server.close())
      clearTimeout(tooLong)
      await end(
        'calls',
        2_000,
        Promise.all([
          // Signals to webhooks use connections that hosting closes.
          emitter.close().then(() => hosting.close()),
          actionRuns.close(),
          usage.close(),
          issues.close(),
          vrl.close(),
        ]),
      )
      await end('the rates', 2_000, rates.close())
      await end('the lease', 2_000, worker.stop())
      await end(
        'the database',
        5_000,
        bus.close().then(() => database.close()),
      )
    },
  }
}
