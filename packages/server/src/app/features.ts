// The features of the server, and where they take part in what the core does.
import type { Targets } from '../core/delivery/calls/targets.ts'
import type { Feature } from '../core/feature.ts'
import { createHooks, type Hooks } from '../core/http/hooks.ts'
import type { Services } from '../core/http/services.ts'
import { archive } from '../features/archive/index.ts'
import type { ArchiveServices } from '../features/archive/services.ts'
import { conversationSearch } from '../features/conversation-search/index.ts'
import { addHandoffHooks } from '../features/handoffs/handoff-hooks.ts'
import { handoffs } from '../features/handoffs/index.ts'
import { addInsightHooks } from '../features/insights/hooks.ts'
import { insights } from '../features/insights/index.ts'
import type { InsightServices } from '../features/insights/services.ts'
import { addKnowledgeHooks } from '../features/knowledge/hooks.ts'
import { knowledge } from '../features/knowledge/index.ts'
import type { KnowledgeServices } from '../features/knowledge/services.ts'
import { mcp } from '../features/mcp/index.ts'
import type { McpServices } from '../features/mcp/services.ts'
import { models } from '../features/models/index.ts'
import type { ModelServices } from '../features/models/services.ts'
import { moves } from '../features/moves/index.ts'
import { openRelocator } from '../features/moves/relocation.ts'
import type { MoveServices } from '../features/moves/services.ts'
import { operator } from '../features/operator/index.ts'
import type { OperatorServices } from '../features/operator/services.ts'
import { privacy } from '../features/privacy/index.ts'
import { sharedAddresses } from '../features/shared-addresses/index.ts'
import { checkScripts } from '../features/shared-addresses/script-rules.ts'
import type { ScriptServices } from '../features/shared-addresses/services.ts'
import { signIn } from '../features/sign-in/index.ts'
import type { SignInServices } from '../features/sign-in/services.ts'
import { tableTools } from '../features/table-tools/index.ts'
import type { TableToolServices } from '../features/table-tools/services.ts'
import { tunnels } from '../features/tunnels/index.ts'
import { keepDeployed } from '../features/versions/deployed-versions.ts'
import { versions } from '../features/versions/index.ts'
import { webhookDiary } from '../features/webhook-diary/index.ts'
import type { WebhookDiaryServices } from '../features/webhook-diary/services.ts'

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
