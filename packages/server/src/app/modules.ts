// The modules of the core and the features, as their doors describe them.
import { accountsModule } from '../core/accounts/index.ts'
import { apiModule } from '../core/api/index.ts'
import { auditModule } from '../core/audit/index.ts'
import { type BotServices, botsModule } from '../core/bots/index.ts'
import { catalogModule } from '../core/catalog/index.ts'
import { deliveryModule, type Targets } from '../core/delivery/index.ts'
import type { Feature } from '../core/feature.ts'
import { filesModule } from '../core/files/index.ts'
import { httpModule } from '../core/http/index.ts'
import { idempotencyModule } from '../core/idempotency/index.ts'
import { messagingModule } from '../core/messaging/index.ts'
import { outgoingModule } from '../core/outgoing/index.ts'
import { queueModule } from '../core/queue/index.ts'
import { realtimeModule } from '../core/realtime/index.ts'
import { tablesModule } from '../core/tables/index.ts'
import { usageModule } from '../core/usage/index.ts'
import { workflowsModule } from '../core/workflows/index.ts'
import { archive } from '../features/archive/index.ts'
import { authoring } from '../features/authoring/index.ts'
import { broadcasts } from '../features/broadcasts/index.ts'
import { channels } from '../features/channels/index.ts'
import { handoffs } from '../features/handoffs/index.ts'
import { insights } from '../features/insights/index.ts'
import { knowledge } from '../features/knowledge/index.ts'
import { mcp } from '../features/mcp/index.ts'
import { models } from '../features/models/index.ts'
import { operator } from '../features/operator/index.ts'
import { persons } from '../features/persons/index.ts'
import { privacy } from '../features/privacy/index.ts'
import { serverSettings } from '../features/server-settings/index.ts'
import { sharedAddresses } from '../features/shared-addresses/index.ts'
import { signIn } from '../features/sign-in/index.ts'
import { studio } from '../features/studio/index.ts'
import { tunnels } from '../features/tunnels/index.ts'
import { versions } from '../features/versions/index.ts'
import { webhookDiary } from '../features/webhook-diary/index.ts'
import type { AllServices } from './all-services.ts'
import type { Hooks } from './hooks.ts'

/** What exists before deliveries begin. */
interface EarlyDeps
  extends Pick<AllServices, 'remoteTools' | 'actionRuns' | 'eventTraces'>,
    Pick<BotServices, 'getRedactors'> {
  targets: Targets
}

type Module = Feature<AllServices, Hooks, EarlyDeps>

const core: Module[] = [
  accountsModule,
  apiModule,
  auditModule,
  botsModule,
  catalogModule,
  deliveryModule,
  filesModule,
  httpModule,
  idempotencyModule,
  messagingModule,
  outgoingModule,
  queueModule,
  realtimeModule,
  tablesModule,
  usageModule,
  workflowsModule,
]

const features: Module[] = [
  archive,
  authoring,
  broadcasts,
  channels,
  handoffs,
  insights,
  knowledge,
  mcp,
  models,
  operator,
  persons,
  privacy,
  serverSettings,
  sharedAddresses,
  signIn,
  studio,
  tunnels,
  versions,
  webhookDiary,
]

/** A module compiles only if the services exist that its handlers, routes and tasks name. */
export const modules = [...features, ...core]
