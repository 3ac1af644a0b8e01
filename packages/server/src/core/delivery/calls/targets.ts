// Targets of deliveries: the data needed to call a bot or an installed integration, with a cache.
import type { BurstRules, HandoffRules } from '@botstead/contract'
import { type Cache, openCache } from '@botstead/lib'
import { type Bot, botCode, botSecrets, botStore } from '../../bots/index.ts'
import { findIntegrationTarget, type IntegrationTarget } from '../../catalog/index.ts'
import type { Db } from '../../db/index.ts'
import type { Secrets } from '../../sealing/index.ts'
import type { BotAddressee } from './request.ts'

export interface BotTarget {
  id: string
  workspaceId: string
  addressee: BotAddressee
  url: string | null
  /** Version of the code hosted here; null if there is none. */
  version: string | null
  blocked: boolean
  timeoutMs: number
  /** Event types that the bot subscribes to; null for all. */
  subscriptions: ReadonlySet<string> | null
  /** Returns those that are valid now. */
  signingSecrets: () => string[]
  secrets: Record<string, string>
  handoffRules: HandoffRules | null
  burstRules: BurstRules | null
}

export interface Targets {
  /** Returns null for a deleted bot. */
  bot(botId: string): Promise<BotTarget | null>
  /** Returns null if the integration is not installed. */
  integration(botId: string, alias: string): Promise<IntegrationTarget | null>
  invalidate(botId: string): void
  invalidateIntegration(integrationId: string): void
  clear(): void
}

export function openTargets(db: Db, secrets: Secrets): Targets {
  const settings = { size: 2_000, ttlMs: 60_000 }
  const bots: Cache<BotTarget | null> = openCache(
    (botId) => findBotTarget(db, secrets, botId),
    settings,
  )
  const integrations: Cache<IntegrationTarget | null> = openCache((key) => {
    const [botId, alias] = JSON.parse(key) as [string, string]
    return findIntegrationTarget(db, secrets, { botId, alias })
  }, settings)
  return {
    bot: (botId) => bots.get(botId),
    integration: (botId, alias) => integrations.get(JSON.stringify([botId, alias])),
    invalidateIntegration: (integrationId) =>
      integrations.invalidate((_, target) => target?.integrationId === integrationId),
    invalidate(botId) {
      bots.invalidate((key) => key === botId)
      integrations.invalidate((key) => key.startsWith(`["${botId}",`))
    },
    clear() {
      bots.clear()
      integrations.clear()
    },
  }
}

async function findBotTarget(
  db: Db,
  secrets: Secrets,
  botId: string,
): Promise<BotTarget | null> {
  const [bot, version] = await Promise.all([
    botStore.findById(db, botId),
    botCode.findVersion(db, botId),
  ])
  if (!bot) return null
  const wanted = bot.definition.subscriptions.events
  return {
    id: bot.id,
    workspaceId: bot.workspace_id,
    addressee: toAddressee(bot),
    url: bot.url,
    version,
    blocked: bot.blocked,
    timeoutMs: bot.max_execution_seconds * 1000,
    subscriptions: wanted && new Set(Object.keys(wanted)),
    signingSecrets: await botSecrets.openSigning(secrets, bot),
    secrets: await botSecrets.open(secrets, bot),
    handoffRules: bot.handoff_rules,
    burstRules: bot.burst_rules,
  }
}

/** The bot's own user has the id of the bot. */
const toAddressee = ({
  id,
  created_at,
  updated_at,
  definition,
  tags,
}: Bot): BotAddressee => ({
  botId: id,
  botUserId: id,
  configuration: {
    id,
    createdAt: created_at.toISOString(),
    updatedAt: updated_at.toISOString(),
    data: definition.configuration.data as Record<string, unknown>,
  },
  tags,
})
