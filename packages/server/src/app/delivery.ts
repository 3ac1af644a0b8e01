// Opens the parts that deliver: caches, hosted code, the queue and the listeners of conversations.
// The bus listens last, because it receives notes at once; by then every listener of an event is
// registered.

import type { LookUp } from '@botstead/lib'
import type { Channel, SandboxOptions } from '@botstead/sandbox'
import type { Logger } from 'pino'
import { botsModule } from '../core/bots/index.ts'
import { catalogModule } from '../core/catalog/index.ts'
import type { GetRedactors } from '../core/compute/index.ts'
import type { Config } from '../core/config/index.ts'
import { openDeliveries, openHosting, openTargets } from '../core/delivery/index.ts'
import type { Invalidation, OwnApi } from '../core/http/index.ts'
import type { Events } from '../core/installation/index.ts'
import { readSignals } from '../core/messaging/index.ts'
import type { Queue } from '../core/queue/index.ts'
import { ChangeFeed, Signals, Stops } from '../core/realtime/index.ts'
import type { Metrics } from '../core/telemetry/index.ts'
import { usageModule } from '../core/usage/index.ts'
import { insights } from '../features/insights/index.ts'
import { mcp } from '../features/mcp/index.ts'
import { privacy } from '../features/privacy/index.ts'
import { sharedAddresses } from '../features/shared-addresses/index.ts'
import { webhookDiary } from '../features/webhook-diary/index.ts'
import { createHooks, type Hooks } from './hooks.ts'
import { invalidate } from './invalidation.ts'
import { modules } from './modules.ts'
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
  /** To the process with the sandbox that runs hosted code (`npm run dev`). Default: this process does. */
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
  const { events, db, secrets, bus, metrics } = deps
  const { config, log } = options
  const catalog = catalogModule.open({ db, secrets })
  const { callers } = catalog.services
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
  const code = { ...records, targets, getRedactors, changeFeed, hooks }
  const hosting = await openCode(deps, options, code)
  opened.push(() => Promise.all([hosting.sandbox.close(0), hosting.close()]))
  const remote = mcp.open({ ...hosting, db, secrets, limits: config.limits })
  const services = { ...catalog.services, ...records.services, ...remote.services }
  const early = { ...services, getRedactors, targets }
  for (const module of modules) module.deliveryHooks?.(hooks, early)
  const { queue, backlog, receive, emitter } = openDeliveries({
    ...deps,
    ...hosting,
    limitedCalls: deps.http.limitedCalls,
    ...records,
    ...feeds,
    metrics: metrics.deliveries,
    hooks,
    config,
    log,
    targets,
    getRedactors,
  })
  const caches = { callers, targets, hosting, emitter, changeFeed, redactions }
  events.on('onInvalidate', (what) => invalidate(caches, what))
  const secondLook = followLease(deps, { ...feeds, config, queue })
  await listen(deps, { ...feeds, queue, receive })
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
    backlog,
    queue,
    secondLook,
  }
}

interface CodeDeps
  extends Pick<
    Parameters<typeof openHosting>[0],
    'issues' | 'usage' | 'targets' | 'getRedactors'
  > {
  changeFeed: ChangeFeed
  hooks: Hooks
}

/** Opens what runs the code of bots and integrations. */
const openCode = (
  { db, secrets, metrics, ownApi }: Deps,
  options: DeliveryOptions,
  { changeFeed, hooks, ...deps }: CodeDeps,
) =>
  openHosting({
    ...options,
    ...deps,
    db,
    secrets,
    metrics: metrics.invocations,
    logged: (botId) => changeFeed.publish({ topic: 'logs', botId }),
    api: () => ownApi.api,
    serve: (socket, processName) => ownApi.serve(socket, processName),
    find: options.findLauncher,
    findOwnCode: (url) => hooks.ownCode.get(url) ?? null,
  })

type Callers = ReturnType<typeof catalogModule.open>['services']['callers']

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
  const diary = webhookDiary.open({
    ...deps,
    db,
    secrets,
    workspaceOf: callers.workspace,
  })
  const scripts = sharedAddresses.open()
  const bots = botsModule.open({
    database,
    log,
    getRedactors,
    changed: (botId) => changeFeed.publish({ topic: 'issues', botId }),
  })
  return {
    ...bots.services,
    ...usageModule.open({ database, log }).services,
    services: { ...insight.services, ...diary.services, ...scripts.services },
    /** Must be called after all code has stopped. */
    closeRecords: () =>
      Promise.all([insight, diary, scripts, bots].map((record) => record.close())),
  }
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

type Deliveries = ReturnType<typeof openDeliveries>

type Note =
  | ({ kind: 'forget' } & Invalidation)
  | Parameters<Deliveries['receive']>[0]
  | { kind: 'moves' }
  | Parameters<Storage['http']['rates']['receive']>[0]
  | Parameters<Stops['receive']>[0]
  | Parameters<ChangeFeed['receive']>[0]
  | Parameters<Signals['receive']>[0]

async function listen(
  { events, worker, bus, http: { rates } }: Deps,
  {
    stops,
    receive,
    ...parts
  }: CatchingUp & { stops: Stops } & Pick<Deliveries, 'receive'>,
): Promise<void> {
  const { signals, changeFeed } = parts
  await bus.listen({
    onNote(text) {
      const note = JSON.parse(text) as Note
      if (note.kind === 'forget') events.emit('onInvalidate', note)
      else if (note.kind === 'delivery') receive(note)
      else if (note.kind === 'moves') events.emit('onMoves')
      else if (note.kind === 'rates') rates.receive(note)
      else if (note.kind === 'stop') stops.receive(note)
      else if (ChangeFeed.isNote(note)) changeFeed.receive(note)
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
