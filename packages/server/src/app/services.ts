// Builds the services that handlers receive.

import type { FairTurns } from '@botstead/lib'
import type { Logger } from 'pino'
import { accountsModule } from '../core/accounts/index.ts'
import { apiModule } from '../core/api/index.ts'
import { auditModule } from '../core/audit/index.ts'
import type { Config } from '../core/config/index.ts'
import { createActionCache } from '../core/delivery/index.ts'
import type { HttpServices } from '../core/http/index.ts'
import { idempotencyModule } from '../core/idempotency/index.ts'
import type { Events } from '../core/installation/index.ts'
import { messagingModule } from '../core/messaging/index.ts'
import { createDepthReader } from '../core/queue/index.ts'
import type { Metrics } from '../core/telemetry/index.ts'
import { quotas } from '../core/usage/index.ts'
import { broadcasts } from '../features/broadcasts/index.ts'
import { channels } from '../features/channels/index.ts'
import type { models } from '../features/models/index.ts'
import { operator } from '../features/operator/index.ts'
import type { serverSettings } from '../features/server-settings/index.ts'
import { signIn } from '../features/sign-in/index.ts'
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
  models: Awaited<ReturnType<typeof models.open>>
  liveSettings: Awaited<ReturnType<typeof serverSettings.open>>
  health: HttpServices['health']
  requestTurns: FairTurns
  publicUrl: () => string
  inject: HttpServices['inject']
  firstChat: AllServices['firstChat']
  dueIn: AllServices['dueIn']
}

export function createServices(deps: Deps): AllServices {
  const { config, log, events, metrics, storage, delivery, background } = deps
  const { database, db, secrets, worker, bus } = storage
  const services: AllServices = {
    config,
    log,
    metrics,
    db,
    database,
    secrets,
    tableRules: storage.tableRules,
    limits: config.limits,
    ...storage.http,
    requestTurns: deps.requestTurns,
    ...toDeliveryServices(delivery),
    ...messagingModule.open({ ...delivery, database, deliveries: delivery.queue })
      .services,
    dueIn: deps.dueIn,
    queueDepth: createDepthReader(database),
    actionCache: createActionCache(),
    ...delivery.services,
    ...background.services,
    ...toFeatureServices(deps, () => services),
    ...accountsModule.open({ secrets }).services,
    ...apiModule.open(() => services).services,
    checkMemberQuota: (db, id) =>
      quotas.reject(db, services.limits, id, 'workspace_member_count'),
    health: deps.health,
    hooks: delivery.hooks,
    ...toOwnApi(deps),
    ...auditModule.open(storage).services,
    ...idempotencyModule.open<AllServices>({
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

const toDeliveryServices = (delivery: Deps['delivery']) => ({
  createThroughIntegration: delivery.hosting.createThroughIntegration,
  signals: delivery.signals,
  changeFeed: delivery.changeFeed,
  stops: delivery.stops,
  getRedactors: delivery.getRedactors,
  deliveries: delivery.queue,
  backlog: delivery.backlog,
  invoker: delivery.hosting.invoker,
  outgoing: delivery.hosting.outgoing,
  issues: delivery.issues,
  usage: delivery.usage,
})

/** What channels need beside the services of handlers. */
export const toChannelDeps = ({
  storage,
  delivery,
}: Pick<Deps, 'storage' | 'delivery'>) => ({
  targets: delivery.targets,
  outgoing: delivery.hosting.outgoing,
  issues: delivery.issues,
  workerId: () => storage.worker.id,
})

const toFeatureServices = (deps: Deps, services: () => AllServices) => ({
  ...channels.open(() => ({ ...services(), ...toChannelDeps(deps) })).services,
  ...broadcasts.open({ ...deps.storage, events: deps.events }).services,
  ...toOperatorServices(deps),
  ...signIn.open({ ...deps, secrets: deps.storage.secrets }).services,
  models: deps.models.gateway,
})

const toOperatorServices = ({ config, storage: { db }, background, ...deps }: Deps) => ({
  ...operator.open({ db, config, readBackups: background.backups.read }).services,
  serverSettings: deps.liveSettings,
  connections: deps.delivery.hosting.outgoing,
  isDiskFull: background.disk.isFull,
})
