// Builds the services that handlers receive.

import { FairTurns, openCache } from '@botstead/lib'
import type { Logger } from 'pino'
import {
  type AuditServices,
  appendAuditRecord,
  openLogins,
  verifyChain,
} from '../core/audit/index.ts'
import { createUserKeys } from '../core/catalog/index.ts'
import type { Config } from '../core/config/index.ts'
import { createActionCache, createThroughIntegration } from '../core/delivery/index.ts'
import { type HttpServices, ListenerLimits } from '../core/http/index.ts'
import { openTransactions } from '../core/idempotency/index.ts'
import type { Events } from '../core/installation/index.ts'
import { createPageTokens } from '../core/lib/index.ts'
import {
  findKeyUser,
  lookUpParticipation,
  type MessageWriter,
  type MessagingServices,
} from '../core/messaging/index.ts'
import { createDepthReader } from '../core/queue/index.ts'
import type { Metrics } from '../core/telemetry/index.ts'
import { openOptOutWords } from '../features/broadcasts/index.ts'
import { openTools } from '../features/channels/index.ts'
import { openAnalytics } from '../features/insights/index.ts'
import { openCuratedAnswers } from '../features/knowledge/index.ts'
import type { Models } from '../features/models/index.ts'
import type { Moves } from '../features/moves/index.ts'
import { openInstallation } from '../features/operator/index.ts'
import type { LiveSettings } from '../features/server-settings/index.ts'
import { openOpenId, type SignInServices } from '../features/sign-in/index.ts'
import { type AllServices, bindings } from './all-services.ts'
import type { Background } from './background.ts'
import type { Delivery } from './delivery.ts'
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
  serverSettings: LiveSettings
  messages: MessageWriter
  moves: Pick<Moves, 'relocations'>
  health: HttpServices['health']
  requestTurns: FairTurns
  chatKey: string
  publicUrl: () => string
  inject: HttpServices['inject']
  firstChat: SignInServices['firstChat']
}

/** Concurrent credential look-ups for principals with too many invalid credentials. */
const maxLookUps = 4

export function createServices(deps: Deps): AllServices {
  const { config, log, events, metrics, storage, delivery, background } = deps
  const { database, db, secrets, rates, worker, bus } = storage
  const audit = openAudit(storage)
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
    participations: openParticipations(storage),
    messages: deps.messages,
    dueIn: background.tasks.dueIn,
    queueDepth: createDepthReader(database),
    actionCache: createActionCache(),
    analytics: openAnalytics(database),
    blobs: background.blobs,
    archives: background.archives,
    ...toRemembered(deps),
    indexer: background.indexer,
    websites: background.websites,
    embedder: background.embedder,
    reranker: background.reranker,
    ...background.tables,
    models: deps.models.gateway,
    health: deps.health,
    hooks: delivery.hooks,
    ...toInstallationServices(deps, () => services),
    ...toOwnApi(deps),
    ...toSignInServices(deps),
    audit,
    logins: openLogins(database, audit.record),
    ...openTransactions<AllServices>({
      services: () => services,
      bindings,
      workerId: () => worker.id,
    }),
    async invalidate(what) {
      events.emit('onInvalidate', what)
      bus.publish(() => JSON.stringify({ kind: 'forget', ...what }), { isVital: true })
    },
  }
  return services
}

const toOwnApi = ({ publicUrl, inject }: Deps) => ({ publicUrl, inject })

const toThroughIntegration =
  ({ invoker }: Delivery['hosting']): MessagingServices['createThroughIntegration'] =>
  (...what) =>
    createThroughIntegration(invoker, ...what)

const toDeliveryServices = (delivery: Deps['delivery']) => ({
  createThroughIntegration: toThroughIntegration(delivery.hosting),
  limitedCalls: delivery.limitedCalls,
  callers: delivery.callers,
  signals: delivery.signals,
  changeFeed: delivery.changeFeed,
  stops: delivery.stops,
  getRedactors: delivery.getRedactors,
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

const toRemembered = ({ storage: { db }, events }: Deps) => ({
  curatedAnswers: follow(events, openCuratedAnswers(db)),
  optOutWords: follow(events, openOptOutWords(db)),
})

/** Invalidates the remembered values of a bot that has changed. */
function follow<Remembered extends { invalidate(botId: string | null): void }>(
  events: Events,
  remembered: Remembered,
): Remembered {
  events.on('onInvalidate', (what) => {
    if (what === 'all') remembered.invalidate(null)
    else if ('botId' in what) remembered.invalidate(what.botId)
  })
  return remembered
}

/** What channels need beside the services of handlers. */
export const toChannelDeps = ({ storage, delivery }: Pick<Deps, 'storage' | 'delivery'>) => ({
  targets: delivery.targets,
  outgoing: delivery.hosting.outgoing,
  issues: delivery.issues,
  workerId: () => storage.worker.id,
})

const toShares = ({ config, requestTurns }: Deps) => ({
  lookUpTurns: new FairTurns({ capacity: maxLookUps }),
  requestTurns,
  listenerLimits: new ListenerLimits(config),
})

const toInstallationServices = (deps: Deps, services: () => AllServices) => ({
  channelTools: openTools(() => ({ ...services(), ...toChannelDeps(deps) })),
  ...toOperatorServices(deps),
})

const toOperatorServices = (deps: Deps) => ({
  serverSettings: deps.serverSettings,
  connections: deps.delivery.hosting.outgoing,
  ...toInstallation(deps),
})

const toInstallation = ({ config, storage: { db }, background }: Deps) => ({
  installation: openInstallation({ db, config, readBackups: background.backups.read }),
  isDiskFull: background.disk.isFull,
})

const toSignInServices = ({ config, firstChat, storage: { secrets } }: Deps) => ({
  firstChat,
  openId: config.openId && openOpenId(config.openId),
  openIdKey: secrets.derive('started sign-ins'),
  sessionKey: secrets.derive('sessions'),
})

const openAudit = ({ db, auditKey }: Storage): AuditServices['audit'] => ({
  record: (database, chains, entry) => appendAuditRecord(database, auditKey, chains, entry),
  verify: (chain, noted) => verifyChain(db, auditKey, chain, noted),
})

const openParticipations = ({ database }: Storage): MessagingServices['participations'] =>
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
