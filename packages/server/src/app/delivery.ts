// Opens the parts that deliver: caches, hosted code, the queue and the listeners of conversations.
// The bus listens last, because it receives notes at once; by then every listener of an event is
// registered.

import type { LookUp } from '@botstead/lib'
import type { Channel, SandboxOptions } from '@botstead/sandbox'
import type { Logger } from 'pino'
import type { Invalidation } from '../core/accounts/index.ts'
import { openIssues, openRedeliveredIssues, type RedeliveredIssues } from '../core/bots/index.ts'
import { createCallerCache } from '../core/catalog/index.ts'
import type { Config } from '../core/config/index.ts'
import {
  createAttemptReporter,
  createChatEmitter,
  deliver,
  deliverTraced,
  openTargets,
  recordOutcomes,
  type Targets,
  withDates,
} from '../core/delivery/index.ts'
import type { Events } from '../core/installation/index.ts'
import type { GetRedactors } from '../core/lib/index.ts'
import { readSignals } from '../core/messaging/index.ts'
import {
  Backlog,
  countWaiting,
  createLaneStore,
  type Enqueued,
  Queue,
} from '../core/queue/index.ts'
import { type LimitedCalls, openLimitedCalls, type RatesNote } from '../core/rates/index.ts'
import { ChangeFeed, type FeedNote, isFeedNote, Signals, Stops } from '../core/realtime/index.ts'
import type { Metrics } from '../core/telemetry/index.ts'
import { openUsageCounter } from '../core/usage/index.ts'
import { insights } from '../features/insights/index.ts'
import { mcp } from '../features/mcp/index.ts'
import { privacy } from '../features/privacy/index.ts'
import { sharedAddresses } from '../features/shared-addresses/index.ts'
import { webhookDiary } from '../features/webhook-diary/index.ts'
import { createHooks, type Hooks } from './hooks.ts'
import { type Hosting, openHosting } from './hosting.ts'
import { invalidate } from './invalidation.ts'
import { modules } from './modules.ts'
import type { OwnApi } from './own-api.ts'
import { notingEntries, notingStore } from './queue-changes.ts'
import { SecondLook } from './second-look.ts'
import type { Opened, Storage } from './storage.ts'

export interface DeliveryOptions {
  config: Config
  log: Logger
  /**
   * Finds the launcher of hosted code; by default the strongest isolation tier that this machine
   * supports.
   */
  findLauncher?: SandboxOptions['find']
  /** To the process whose sandbox runs hosted code (`npm run dev`). Default: this process does. */
  sandboxChannel?: Channel | undefined
  /**
   * Resolves host names in URLs of workspaces; by default with the hosts file, the DNS and the
   * system.
   */
  lookUp?: LookUp
}

interface Deps extends Storage {
  events: Events
  metrics: Metrics
  ownApi: OwnApi
}

export type Delivery = Awaited<ReturnType<typeof openDelivery>>

export async function openDelivery(deps: Deps, options: DeliveryOptions, opened: Opened) {
  const { events, database, db, secrets, bus, metrics, ownApi } = deps
  const { config, log } = options
  const callers = createCallerCache(db, secrets)
  const targets = openTargets(db, secrets)
  const { changeFeed, signals } = openFeeds(deps, callers, log)
  const stops = new Stops(bus.publish)
  const feeds = { signals, stops, changeFeed }
  const redactions = privacy.open({
    db,
    config,
    report: (botId, issue) => records.issues.report(botId, issue),
  })
  const getRedactors = redactions.of
  const records = openRecords(deps, { log, changeFeed, getRedactors, callers })
  const hooks = createHooks()
  const hosting = await openHosting({
    ...options,
    ...records,
    db,
    secrets,
    targets,
    metrics: metrics.invocations,
    getRedactors,
    logged: (botId) => changeFeed.publish({ topic: 'logs', botId }),
    api: () => ownApi.api,
    serve: (socket, processName) => ownApi.serve(socket, processName),
    find: options.findLauncher,
    findOwnCode: (url) => hooks.ownCode.get(url) ?? null,
  })
  opened.push(() => Promise.all([hosting.sandbox.close(0), hosting.close()]))
  const remote = mcp.open({ ...hosting, db, secrets, limits: config.limits })
  const services = { ...records.services, ...remote.services }
  const early = { ...services, getRedactors, targets }
  for (const module of modules) module.deliveryHooks?.(hooks, early)
  const emitter = createChatEmitter({ ...hosting, db, targets }, signals)
  const waiting = { backlog: openBacklog(database, options), limitedCalls: openLimitedCalls() }
  const queueDeps = { ...records, ...waiting, ...feeds, hooks, config, log, targets, hosting }
  const queue = createQueue(deps, { ...queueDeps, getRedactors })
  const caches = { callers, targets, hosting, emitter, changeFeed, redactions }
  events.on('onInvalidate', (what) => invalidate(caches, what))
  const secondLook = followLease(deps, { ...feeds, config, queue })
  await listen(deps, { ...feeds, queue })
  changeFeed.join()
  opened.push(() => bus.close())
  secondLook.schedule()
  return {
    hooks,
    ...records,
    ...feeds,
    services,
    callers,
    targets,
    hosting,
    getRedactors,
    emitter,
    ...waiting,
    queue,
    secondLook,
  }
}

const openBacklog = (database: Deps['database'], { config, log }: DeliveryOptions) =>
  new Backlog({
    read: (...what) => countWaiting(database, ...what),
    enough: config.limits.queuedPerBot,
    log,
  })

type Callers = ReturnType<typeof createCallerCache>

function openFeeds({ db, bus }: Deps, { workspace }: Callers, log: Logger) {
  const changeFeed = new ChangeFeed({ workspaceOf: workspace, notify: bus.publish, log })
  const signals = new Signals({
    read: (...what) => readSignals(db, ...what),
    notify: bus.publish,
    log,
    changed: (botId, conversationId) =>
      changeFeed.publish({ topic: 'messages', botId, conversationId }),
  })
  return { changeFeed, signals }
}

interface RecordDeps {
  getRedactors: GetRedactors
  log: Logger
  changeFeed: ChangeFeed
  callers: Callers
}

/** Opens the records about bots that are written in the background. */
function openRecords({ database, db, secrets }: Deps, deps: RecordDeps) {
  const { log, callers, changeFeed, getRedactors } = deps
  const insight = insights.open({ ...deps, database })
  const diary = webhookDiary.open({ ...deps, db, secrets, workspaceOf: callers.workspace })
  const scripts = sharedAddresses.open()
  const issues = openIssues(database, log, {
    getRedactors,
    changed: (botId) => changeFeed.publish({ topic: 'issues', botId }),
  })
  const redeliveredIssues = openRedeliveredIssues(database, log, (botId) =>
    changeFeed.publish({ topic: 'issues', botId }),
  )
  return {
    issues,
    redeliveredIssues,
    usage: openUsageCounter(database, log),
    services: { ...insight.services, ...diary.services, ...scripts.services },
    /** Must be called after all code has stopped. */
    closeRecords: () =>
      Promise.all(
        [insight, diary, scripts, issues, redeliveredIssues].map((record) => record.close()),
      ),
  }
}

interface QueueDeps {
  hooks: Hooks
  config: Config
  getRedactors: GetRedactors
  log: Logger
  targets: Targets
  hosting: Pick<Hosting, 'invoker'>
  backlog: Backlog
  limitedCalls: LimitedCalls
  stops: Stops
  signals: Signals
  changeFeed: ChangeFeed
  redeliveredIssues: RedeliveredIssues
}

function createQueue({ database, db, worker, bus, metrics }: Deps, deps: QueueDeps): Queue {
  const { config, log, hooks, targets, backlog, limitedCalls, stops, signals, changeFeed } = deps
  const { invoker } = deps.hosting
  const retries = config.retrySeconds.length
  const lanes = createLaneStore(database)
  const release: typeof lanes.release = async (...what) => {
    await lanes.release(...what)
    await worker.announceFreed()
  }
  return new Queue({
    backlog: notingEntries(backlog, changeFeed),
    workerId: () => worker.id,
    handler: (delivery, queue) =>
      deliverTraced(
        (one) =>
          deliver(
            {
              db,
              database,
              invoker,
              targets,
              log,
              hooks,
              limitedCalls,
              retries,
              stops,
              signals,
              changeFeed,
              getRedactors: deps.getRedactors,
              deliveries: queue,
            },
            one,
          ),
        delivery,
      ),
    attempted: createAttemptReporter(log, metrics.deliveries),
    handOver: (delivery) => handOver(bus, delivery),
    retryMs: config.retrySeconds.map((seconds) => seconds * 1000),
    log,
    store: notingStore(
      { ...lanes, release, settle: (...batch) => recordOutcomes(database, ...batch) },
      changeFeed,
      deps.redeliveredIssues,
    ),
  })
}

/** Without its content if that is long; the owner then reads it. */
function handOver(bus: Deps['bus'], delivery: Enqueued): void {
  const toNote = (given: Enqueued) =>
    JSON.stringify({ kind: 'delivery', delivery: given } satisfies DeliveryNote)
  const { content: _, ...shorter } = delivery
  bus.publish(() => toNote(delivery), { shorter: () => toNote(shorter) })
}

interface CatchingUp {
  signals: Signals
  changeFeed: ChangeFeed
  queue: Queue
}

/** Catches up after notes of other processes may have been lost. */
function catchUp(events: Events, { signals, changeFeed, queue }: CatchingUp): void {
  events.emit('onInvalidate', 'all')
  signals.catchUpAll()
  changeFeed.reset()
  queue.invalidate()
}

/** Registers the listeners that keep the queue in step with the lease and with the database. */
function followLease(
  { events, worker, bus }: Deps,
  { config, ...parts }: CatchingUp & { config: Config },
): SecondLook {
  const { queue } = parts
  const secondLook = new SecondLook(config.leaseSeconds, () => {
    if (!worker.alone) catchUp(events, parts)
  })
  events.on('onLeaseReleased', () => queue.sweepSoon())
  events.on('onConnectionError', () => queue.invalidate())
  events.on('onLeaseLost', () => {
    queue.loseAll()
    catchUp(events, parts)
    bus.announce()
    secondLook.schedule()
  })
  return secondLook
}

interface DeliveryNote {
  kind: 'delivery'
  delivery: Enqueued
}

type Note =
  | ({ kind: 'forget' } & Invalidation)
  | DeliveryNote
  | { kind: 'moves' }
  | RatesNote
  | Parameters<Stops['receive']>[0]
  | FeedNote
  | Parameters<Signals['receive']>[0]

async function listen(
  { events, worker, bus, rates }: Deps,
  { stops, ...parts }: CatchingUp & { stops: Stops },
): Promise<void> {
  const { signals, changeFeed, queue } = parts
  await bus.listen({
    onNote(text) {
      const note = JSON.parse(text) as Note
      if (note.kind === 'forget') events.emit('onInvalidate', note)
      else if (note.kind === 'delivery') queue.accept(withDates(note.delivery))
      else if (note.kind === 'moves') events.emit('onMoves')
      else if (note.kind === 'rates') rates.receive(note)
      else if (note.kind === 'stop') stops.receive(note)
      else if (isFeedNote(note)) changeFeed.receive(note)
      else signals.receive(note)
    },
    onOther: () => worker.noticeOther(),
    onConnectionLost: () => events.emit('onInvalidate', 'all'),
    onMissed: () => {
      events.emit('onMoves')
      catchUp(events, parts)
    },
  })
}
