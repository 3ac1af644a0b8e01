// The features of the server, and where they take part in what the core does.

import type { BotServices } from '../core/bots/index.ts'
import type { Targets } from '../core/delivery/index.ts'
import type { Feature } from '../core/feature.ts'
import { archive } from '../features/archive/index.ts'
import { authoring } from '../features/authoring/index.ts'
import { addOptOutHooks, addReportHooks, broadcasts } from '../features/broadcasts/index.ts'
import { channels } from '../features/channels/index.ts'
import { conversationSearch } from '../features/conversation-search/index.ts'
import { copilot } from '../features/copilot/index.ts'
import { addHandoffHooks, handoffs } from '../features/handoffs/index.ts'
import { addInsightHooks, type InsightServices, insights } from '../features/insights/index.ts'
import { addKnowledgeHooks, addMissedHooks, knowledge } from '../features/knowledge/index.ts'
import { type McpServices, mcp } from '../features/mcp/index.ts'
import { models } from '../features/models/index.ts'
import { moves, openRelocator } from '../features/moves/index.ts'
import { operator } from '../features/operator/index.ts'
import { addPersonHooks, persons } from '../features/persons/index.ts'
import { privacy } from '../features/privacy/index.ts'
import { serverSettings } from '../features/server-settings/index.ts'
import { checkScripts, sharedAddresses } from '../features/shared-addresses/index.ts'
import { signIn } from '../features/sign-in/index.ts'
import { listTrials, studio } from '../features/studio/index.ts'
import { tunnels } from '../features/tunnels/index.ts'
import { keepDeployed, versions } from '../features/versions/index.ts'
import { webhookDiary } from '../features/webhook-diary/index.ts'
import type { AllServices } from './all-services.ts'
import type { Hooks } from './hooks.ts'

/** A feature compiles only if the services exist that its handlers and routes name. */
export const features: Feature<AllServices>[] = [
  archive,
  authoring,
  broadcasts,
  channels,
  conversationSearch,
  copilot,
  handoffs,
  insights,
  knowledge,
  mcp,
  models,
  moves,
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

interface DeliveryDeps
  extends McpServices,
    Pick<InsightServices, 'actionRuns' | 'eventTraces'>,
    Pick<BotServices, 'getRedactors'> {
  targets: Targets
}

/** Adds the hooks of deliveries, which begin before the server accepts requests. */
export function addDeliveryHooks(hooks: Hooks, deps: DeliveryDeps): void {
  const { getRedactors, targets } = deps
  const findRules = async (botId: string) => (await targets.bot(botId))?.handoffRules ?? null
  addHandoffHooks(hooks, { findRules, getRedactors })
  addMissedHooks(hooks, getRedactors)
  addReportHooks(hooks)
  addInsightHooks(hooks, deps)
  hooks.findRemoteAction.push((...names) => deps.remoteTools.find(...names))
}

/** Adds the hooks of requests. */
export function addRequestHooks(hooks: Hooks, services: AllServices): void {
  const { secrets, vrl, webhookRequests } = services
  addOptOutHooks(hooks, services)
  addKnowledgeHooks(hooks, services)
  addPersonHooks(hooks, services)
  hooks.relocator = openRelocator(services)
  hooks.checkScripts.push((...what) => checkScripts(vrl, ...what))
  hooks.botDeployed.push((trx, ...what) => keepDeployed(trx, secrets, ...what))
  hooks.findTrials.push(listTrials)
  hooks.webhookForwarded.push((forwarded) => webhookRequests.record(forwarded))
}
