// Builds the services that handlers receive.

import type { Logger } from 'pino'
import { appendAuditRecord, openLogins, verifyChain } from '../core/audit/index.ts'
import { createUserKeys } from '../core/catalog/index.ts'
import type { Config } from '../core/config/index.ts'
import {
  createActionCache,
  createKeyedResponses,
  outsideTransaction,
  performFenced,
  runRequestInTransaction,
} from '../core/delivery/index.ts'
import { ListenerLimits, type Services } from '../core/http/index.ts'
import type { Events } from '../core/installation/index.ts'
import { createPageTokens, FairTurns, openCache } from '../core/lib/index.ts'
import { findKeyUser, lookUpParticipation, type MessageWriter } from '../core/messaging/index.ts'
import { createDepthReader } from '../core/queue/index.ts'
import { createTableCache } from '../core/tables/index.ts'
import type { Metrics } from '../core/telemetry/index.ts'
import { openAnalytics } from '../features/insights/index.ts'
import type { Models } from '../features/models/index.ts'
import type { Moves } from '../features/moves/index.ts'
import { openInstallation } from '../features/operator/index.ts'
import { openOpenId, type SignInServices } from '../features/sign-in/index.ts'
import { createRowViews } from '../features/table-tools/index.ts'
import type { Background } from './background.ts'
import type { Delivery } from './delivery.ts'
import type { AllServices } from './features.ts'
import type { Storage } from './storage.ts'

interface Deps {
  config: Config
  log: Logger
  events: Events
  metrics: Metrics
  storage: Storage
  delivery: Delivery
  background: Background
  models: Models
  messages: MessageWriter
  moves: Pick<Moves, 'relocations'>
  health: Services['health']
  requestTurns: FairTurns
  chatKey: string
  publicUrl: () => string
  firstChat: SignInServices['firstChat']
}

/** Concurrent credential look-ups for principals with too many invalid credentials. */
const maxLookUps = 4

export function createServices(deps: Deps): AllServices {
  const { config, log, events, metrics, storage, delivery, background } = deps
  const { database, db, secrets, rates, worker, bus } = storage
  const audit = auditOf(storage)
  const services: AllServices = {
    config,
    log,
    metrics,
    db,
    database,
    secrets,
    tableRules: storage.tableRules,
    limits: config.limits,
    rates,
    ...toShares(deps),
    ...toDeliveryServices(delivery),
    relocations: deps.moves.relocations,
    auditKey: storage.auditKey,
    userKeys: createUserKeys(deps.chatKey),
    checkChatUser: async ({ botId, claim }) => void (await findKeyUser(database, botId, claim)),
    pageTokens: createPageTokens(secrets.derive('page tokens')),
    participations: participationsOf(storage),
    messages: deps.messages,
    dueIn: background.tasks.dueIn,
    queueDepth: createDepthReader(database),
    actionCache: createActionCache(),
    analytics: openAnalytics(database),
    blobs: background.blobs,
    archives: background.archives,
    indexer: background.indexer,
    websites: background.websites,
    embedder: background.embedder,
    reranker: background.reranker,
    tableCache: createTableCache(database.finds),
    rowViews: createRowViews(database),
    tableJobs: background.tableJobs,
    workbooks: background.workbooks,
    computing: background.computing,
    models: deps.models.gateway,
    health: deps.health,
    hooks: delivery.hooks,
    ...installationOf(deps),
    publicUrl: deps.publicUrl,
    ...signInOf(deps),
    audit,
    logins: openLogins(database, audit.record),
    inTransaction: (work) => runRequestInTransaction(services, work),
    fenced: (...what) => performFenced(services, ...what),
    runsOutsideTransaction: (operation) => Object.hasOwn(outsideTransaction, operation),
    keyedResponses: createKeyedResponses({ services: () => services, workerId: () => worker.id }),
    afterCommit: (step) => step(services),
    announceCodeCall: () => {},
    async invalidate(what) {
      events.emit('onInvalidate', what)
      bus.publish(() => JSON.stringify({ kind: 'forget', ...what }), { isVital: true })
    },
  }
  return services
}

const toDeliveryServices = (delivery: Deps['delivery']) => ({
  limitedCalls: delivery.limitedCalls,
  callers: delivery.callers,
  signals: delivery.signals,
  changeFeed: delivery.changeFeed,
  stops: delivery.stops,
  redactorsOf: delivery.redactorsOf,
  deliveries: delivery.queue,
  backlog: delivery.backlog,
  invoker: delivery.hosting.invoker,
  outgoing: delivery.hosting.outgoing,
  remoteTools: delivery.hosting.remoteTools,
  actionRuns: delivery.actionRuns,
  eventTraces: delivery.eventTraces,
  webhookRequests: delivery.webhookRequests,
  issues: delivery.issues,
  usage: delivery.usage,
  vrl: delivery.vrl,
})

const toShares = ({ config, requestTurns }: Deps) => ({
  lookUpTurns: new FairTurns({ capacity: maxLookUps }),
  requestTurns,
  listenerLimits: new ListenerLimits(config),
})

const installationOf = ({ config, storage: { db }, background }: Deps) => ({
  installation: openInstallation({ db, config, readBackups: background.backups.read }),
  isDiskFull: background.disk.isFull,
})

const signInOf = ({ config, firstChat, storage: { secrets } }: Deps) => ({
  firstChat,
  openId: config.openId && openOpenId(config.openId),
  openIdKey: secrets.derive('started sign-ins'),
  sessionKey: secrets.derive('sessions'),
})

const auditOf = ({ db, auditKey }: Storage): Services['audit'] => ({
  record: (database, chains, entry) => appendAuditRecord(database, auditKey, chains, entry),
  verify: (chain, noted) => verifyChain(db, auditKey, chain, noted),
})

const participationsOf = ({ database }: Storage): Services['participations'] =>
  openCache(
    (key) => {
      const [botId, integration, name, claim] = JSON.parse(key) as [string, string, string, string]
      return lookUpParticipation(database, { botId, integration, name, claim })
    },
    {
      size: 20_000,
      ttlMs: 60_000,
    },
  )
