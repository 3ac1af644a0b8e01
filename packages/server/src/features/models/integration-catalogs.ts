// The models of a bot's integrations that implement the interface `llm`, as `alias:model`. An
// integration lists them with its action `listLanguageModels`.

import { openCache } from '@botstead/lib'
import type { Logger } from 'pino'
import { type CallIntegration, toIntegrationModel } from './integration-model.ts'
import {
  type Catalog,
  defaultConcurrency,
  defaultTimeoutSeconds,
  type Model,
  type ProviderSettings,
  toModel,
} from './providers/catalog.ts'

interface Deps {
  /** Returns the aliases of the bot's enabled integrations that implement `llm`. */
  listIntegrations(botId: string): Promise<string[]>
  /** Calls `alias:action`. Throws ApiError. */
  call(
    botId: string,
    type: string,
    input: Record<string, unknown>,
  ): ReturnType<CallIntegration>
  log: Logger
}

interface IntegrationCatalogs {
  /** Returns the catalog with the models of the bot's integrations. Its own take precedence. */
  extend(catalog: Catalog, bot: BotOfWorkspace): Promise<Catalog>
  /** Of all bots without `botId`. */
  invalidate(botId: string | null): void
}

interface BotOfWorkspace {
  botId: string
  workspaceId: string
}

/** New models and repaired integrations are seen after this time. */
const knownMs = 60_000
const maxModels = 1_000

export function openIntegrationCatalogs(deps: Deps): IntegrationCatalogs {
  const load = async (key: string) => {
    const [botId, workspaceId] = key.split(' ') as [string, string]
    const aliases = await deps.listIntegrations(botId)
    const bot = { botId, workspaceId }
    return (
      await Promise.all(aliases.map((alias) => findModels(deps, bot, alias)))
    ).flat()
  }
  const known = openCache(load, { size: 10_000, ttlMs: knownMs })
  return {
    async extend(catalog, { botId, workspaceId }) {
      const key = `${botId} ${workspaceId}`
      const models = known.peek(key) ?? (await known.get(key))
      if (models.length === 0) return catalog
      const own = models.map((model) => [model.id, model] as const)
      return {
        ...catalog,
        models: new Map([...catalog.models, ...without(catalog, own)]),
      }
    },
    invalidate(botId) {
      if (botId === null) known.clear()
      else known.invalidate((key) => key.startsWith(`${botId} `))
    },
  }
}

const without = ({ models }: Catalog, own: (readonly [string, Model])[]) =>
  own.filter(([id]) => !models.has(id))

interface ListedModel {
  id: string
  name?: string
  description?: string
  tags?: string[]
  input?: { maxTokens?: number; costPer1MTokens?: number }
  output?: { maxTokens?: number; costPer1MTokens?: number }
}

/** Returns no models if the integration fails. */
async function findModels(
  deps: Deps,
  { botId, workspaceId }: BotOfWorkspace,
  alias: string,
): Promise<Model[]> {
  const call: CallIntegration = (action, input) =>
    deps.call(botId, `${alias}:${action}`, input)
  const text = (model: string) =>
    toIntegrationModel({ id: `${alias}:${model}`, alias, model }, call)
  const provider: ProviderSettings = {
    name: alias,
    type: 'integration',
    url: null,
    key: null,
    workspaceId,
    concurrency: defaultConcurrency,
    timeoutMs: defaultTimeoutSeconds * 1_000,
    integration: { botId, text },
  }
  try {
    const { models } = (await call('listLanguageModels', {})) as { models: ListedModel[] }
    return models.slice(0, maxModels).map((listed) => toOwnModel(provider, listed))
  } catch (error) {
    deps.log.warn(
      { err: error, botId, alias },
      'cannot list the models of an integration',
    )
    return []
  }
}

function toOwnModel(provider: ProviderSettings, listed: ListedModel): Model {
  const { id, name, description, tags, input = {}, output = {} } = listed
  return toModel(`${provider.name}:${id}`, provider, {
    name,
    description,
    tags,
    inputTokens: input.maxTokens,
    outputTokens: output.maxTokens,
    price: { input: input.costPer1MTokens ?? 0, output: output.costPer1MTokens ?? 0 },
  })
}
