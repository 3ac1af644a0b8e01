// Builds the services that handlers receive.

import type { Logger } from 'pino'
import { ListenerLimits } from '../http/listener-limits.ts'
import type { Services } from '../http/services.ts'
import type { Config } from '../infra/config/config.ts'
import { openCache } from '../infra/lib/cache.ts'
import { FairTurns } from '../infra/lib/fair-turns.ts'
import { createPageTokens } from '../infra/lib/page-tokens.ts'
import { openOpenId } from '../infra/open-id/open-id.ts'
import { createDepthReader } from '../infra/queue/depth.ts'
import type { Metrics } from '../infra/telemetry/metrics.ts'
import { appendAuditRecord } from '../modules/accounts/audit/audit-log.ts'
import { openLogins } from '../modules/accounts/audit/logins.ts'
import { verifyChain } from '../modules/accounts/audit/verification.ts'
import { createUserKeys } from '../modules/catalog/integrations/user-keys.ts'
import { createActionCache } from '../modules/delivery/action-cache.ts'
import { performFenced } from '../modules/delivery/idempotency/fenced.ts'
import { createKeyedResponses } from '../modules/delivery/idempotency/keyed-responses.ts'
import { outsideTransaction } from '../modules/delivery/idempotency/outside-transaction.ts'
import { runRequestInTransaction } from '../modules/delivery/idempotency/request-transaction.ts'
import { findKeyUser, lookUpParticipation } from '../modules/messaging/chat-lookups.ts'
import type { MessageWriter } from '../modules/messaging/message-writer.ts'
import { openAnalytics } from '../modules/reports/insights/analytics.ts'
import { createRowViews } from '../modules/tables/row-views.ts'
import { createTableCache } from '../modules/tables/table-cache.ts'
import type { Background } from './background.ts'
import type { Delivery } from './delivery.ts'
import type { Events } from './events.ts'
import { openInstallation } from './installation.ts'
import type { Models } from './models.ts'
import type { Moves } from './moves.ts'
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
  firstChat: Services['firstChat']
}

/** Concurrent credential look-ups for principals with too many invalid credentials. */
const maxLookUps = 4

export function createServices(deps: Deps): Services {
  const { config, log, events, metrics, storage, delivery, background } = deps
  const { database, db, secrets, rates, worker, bus } = storage
  const audit = auditOf(storage)
  const services: Services = {
    config,
    log,
    metrics,
    db,
    database,
    secrets,
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
  handoffRulesOf: delivery.handoffRulesOf,
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
