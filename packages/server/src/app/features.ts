// The features of the server, and where they take part in what the core does.
import type { Targets } from '../core/delivery/index.ts'
import type { Feature } from '../core/feature.ts'
import { createHooks, type Hooks, type Services } from '../core/http/index.ts'
import { type ArchiveServices, archive } from '../features/archive/index.ts'
import { conversationSearch } from '../features/conversation-search/index.ts'
import { addHandoffHooks, handoffs } from '../features/handoffs/index.ts'
import { addInsightHooks, type InsightServices, insights } from '../features/insights/index.ts'
import {
  addKnowledgeHooks,
  type KnowledgeServices,
  knowledge,
} from '../features/knowledge/index.ts'
import { type McpServices, mcp } from '../features/mcp/index.ts'
import { type ModelServices, models } from '../features/models/index.ts'
import { type MoveServices, moves, openRelocator } from '../features/moves/index.ts'
import { type OperatorServices, operator } from '../features/operator/index.ts'
import { privacy } from '../features/privacy/index.ts'
import {
  checkScripts,
  type ScriptServices,
  sharedAddresses,
} from '../features/shared-addresses/index.ts'
import { type SignInServices, signIn } from '../features/sign-in/index.ts'
import { type TableToolServices, tableTools } from '../features/table-tools/index.ts'
import { tunnels } from '../features/tunnels/index.ts'
import { keepDeployed, versions } from '../features/versions/index.ts'
import { type WebhookDiaryServices, webhookDiary } from '../features/webhook-diary/index.ts'

export const features: Feature[] = [
  archive,
  conversationSearch,
  handoffs,
  insights,
  knowledge,
  mcp,
  models,
  moves,
  operator,
  privacy,
  sharedAddresses,
  signIn,
  tableTools,
  tunnels,
  versions,
  webhookDiary,
]

/** The services of the core and of all features. */
export type AllServices = Services &
  ArchiveServices &
  InsightServices &
  KnowledgeServices &
  McpServices &
  ModelServices &
  MoveServices &
  OperatorServices &
  ScriptServices &
  SignInServices &
  TableToolServices &
  WebhookDiaryServices

interface DeliveryDeps
  extends McpServices,
    Pick<InsightServices, 'actionRuns' | 'eventTraces'>,
    Pick<Services, 'redactorsOf'> {
  targets: Targets
}

/** Opens the hooks of deliveries, which begin before the server accepts requests. */
export function openHooks(deps: DeliveryDeps): Hooks {
  const hooks = createHooks()
  const { redactorsOf, targets } = deps
  const findRules = async (botId: string) => (await targets.bot(botId))?.handoffRules ?? null
  addHandoffHooks(hooks, { findRules, redactorsOf })
  addInsightHooks(hooks, deps)
  hooks.findRemoteAction.push((...names) => deps.remoteTools.find(...names))
  return hooks
}

/** Adds the hooks of requests. */
export function addRequestHooks(hooks: Hooks, services: AllServices): void {
  const { secrets, vrl, webhookRequests } = services
  addKnowledgeHooks(hooks, services)
  hooks.relocator = openRelocator(services)
  hooks.checkScripts.push((...what) => checkScripts(vrl, ...what))
  hooks.botDeployed.push((trx, ...what) => keepDeployed(trx, secrets, ...what))
  hooks.webhookForwarded.push((forwarded) => webhookRequests.record(forwarded))
}
