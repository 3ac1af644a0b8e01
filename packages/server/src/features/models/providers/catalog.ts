// The models that the operator configures (BOTSTEAD_MODELS): providers, models, prices, aliases and
// fallbacks. Invariant: a catalog holds keys, so it is never logged or sent.
import { readFile } from 'node:fs/promises'
import type {
  EmbeddingModelV3,
  LanguageModelV3,
  RerankingModelV3,
} from '@ai-sdk/provider'
import { apiKeyForm, isApiKey } from '@botstead/lib'
import { findMismatchHere, type JsonSchema } from '../../../core/compute/index.ts'
import type { ModelSettings } from '../../../core/config/index.ts'
import { readYaml } from './read-yaml.ts'

const providerTypes = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'openai-compatible',
] as const
export type ProviderType = (typeof providerTypes)[number]

const modelKinds = ['text', 'embedding', 'speech', 'transcription', 'image'] as const
/** Only local models rerank. */
export type ModelKind = (typeof modelKinds)[number] | 'rerank'

export interface ProviderSettings {
  name: string
  type: ProviderType | 'integration' | 'local'
  /** Base URL; null for the provider's own. */
  url: string | null
  key: string | null
  /** Calls at a time, of all bots in this process. */
  concurrency: number
  /** Of one attempt; of a stream until its first token. */
  timeoutMs: number
  /** The workspace that added the provider by API; null for the operator's. */
  workspaceId: string | null
  /** Of the type `integration`: its bot, and the function that makes its models. */
  integration?: { botId: string; text: (name: string) => LanguageModelV3 }
  /** Of the type `local`: the functions that make its models. */
  local?: {
    embedding: (name: string) => EmbeddingModelV3
    reranking: (name: string) => RerankingModelV3
  }
}

/** In US dollars. */
interface Price {
  /** Per million tokens. */
  input: number
  output: number
  cachedInput?: number
  /** Per minute of audio. */
  minute?: number
  /** Per million characters of speech. */
  characters?: number
  image?: number
}

export interface Model {
  /** `provider:model`. */
  id: string
  provider: ProviderSettings
  /** The provider's name of the model. */
  name: string
  kind: ModelKind
  title: string
  description: string
  tags: string[]
  lifecycle: 'production' | 'preview' | 'deprecated' | 'discontinued'
  inputTokens: number
  outputTokens: number
  price: Price
  capabilities: Record<string, boolean>
  /** Voices of a speech model. */
  voices: string[]
  /** Ids of the models to try when this one is unavailable. */
  fallbacks: string[]
}

export interface Catalog {
  models: ReadonlyMap<string, Model>
  aliases: ReadonlyMap<string, string[]>
  /** Identical requests within this time get the same response; 0 disables the cache. */
  cacheSeconds: number
  cacheEntries: number
  /** Whether the log contains prompts and responses. */
  logContents: boolean
}

/** The operator must correct the configuration. */
export class CatalogError extends Error {}

export const emptyCatalog: Catalog = {
  models: new Map(),
  aliases: new Map(),
  cacheSeconds: 0,
  cacheEntries: 0,
  logContents: false,
}

export const defaultConcurrency = 256
export const defaultTimeoutSeconds = 120

/** Reads the file, which is JSON or YAML. Throws CatalogError. */
export async function readCatalog(
  path: string,
  env: NodeJS.ProcessEnv,
): Promise<Catalog> {
  const text = await readFile(path, 'utf8').catch((error) => {
    throw new CatalogError(
      `BOTSTEAD_MODELS: cannot read "${path}": ${(error as Error).message}`,
    )
  })
  try {
    return toCatalog(await parsed(path, text), env)
  } catch (error) {
    if (error instanceof CatalogError)
      throw new CatalogError(`BOTSTEAD_MODELS, "${path}": ${error.message}`)
    throw error
  }
}

async function parsed(path: string, text: string): Promise<unknown> {
  try {
    if (path.endsWith('.json')) return JSON.parse(text)
    return await readYaml(text)
  } catch (error) {
    throw new CatalogError(`the file is not valid: ${(error as Error).message}`)
  }
}

const text = { type: 'string', minLength: 1, maxLength: 1_000 }
const amount = { type: 'number', minimum: 0 }
const names = { type: 'array', items: text, maxItems: 50 }
const seconds = { type: 'number', exclusiveMinimum: 0, maximum: 3_600 }
const only = (
  properties: Record<string, unknown>,
  required: string[] = [],
): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const toMapSchema = (schema: unknown) => ({
  type: 'object',
  additionalProperties: schema,
})

const price = only({
  input: amount,
  output: amount,
  cachedInput: amount,
  minute: amount,
  characters: amount,
  image: amount,
})
const modelSchema = only({
  kind: { enum: [...modelKinds] },
  name: text,
  description: { type: 'string', maxLength: 2_000 },
  tags: names,
  lifecycle: { enum: ['production', 'preview', 'deprecated', 'discontinued'] },
  inputTokens: amount,
  outputTokens: amount,
  price,
  capabilities: toMapSchema({ type: 'boolean' }),
  voices: names,
  fallbacks: names,
})
const providerSchema = only(
  {
    type: { enum: [...providerTypes] },
    url: text,
    key: text,
    concurrency: { type: 'integer', minimum: 1, maximum: 100_000 },
    timeoutSeconds: seconds,
  },
  ['type'],
)
const fileSchema = only(
  {
    providers: toMapSchema(providerSchema),
    models: toMapSchema(modelSchema),
    aliases: toMapSchema({ anyOf: [text, { ...names, minItems: 1 }] }),
    cache: only({
      seconds: { type: 'number', minimum: 0 },
      entries: { type: 'integer', minimum: 1 },
    }),
    logContents: { type: 'boolean' },
  },
  ['providers', 'models'],
)

interface ProviderEntry {
  type: ProviderType
  url?: string
  key?: string
  concurrency?: number
  timeoutSeconds?: number
}
export interface ModelEntry {
  kind?: ModelKind
  name?: string | undefined
  description?: string | undefined
  tags?: string[] | undefined
  lifecycle?: Model['lifecycle']
  inputTokens?: number | undefined
  outputTokens?: number | undefined
  price?: Partial<Price>
  capabilities?: Record<string, boolean>
  voices?: string[]
  fallbacks?: string[]
}
interface CatalogFile {
  providers: Record<string, ProviderEntry>
  models: Record<string, ModelEntry>
  aliases?: Record<string, string | string[]>
  cache?: { seconds?: number; entries?: number }
  logContents?: boolean
}

/** Throws CatalogError. `env` has the keys by the names in the file. */
function toCatalog(content: unknown, env: NodeJS.ProcessEnv): Catalog {
  const mismatch = findMismatchHere(fileSchema, content)
  if (mismatch) throw new CatalogError(mismatch)
  const file = content as CatalogFile
  const providers = new Map(
    Object.entries(file.providers).map(([name, entry]) => [
      name,
      toProvider(name, entry, env),
    ]),
  )
  const models = new Map(
    Object.entries(file.models).map(([id, entry]) => {
      const provider = providers.get(toProviderName(id))
      if (!provider)
        throw new CatalogError(`the model "${id}" must begin with a provider and a colon`)
      return [id, toModel(id, provider, entry)]
    }),
  )
  const aliases = new Map(
    Object.entries(file.aliases ?? {}).map(([name, to]) => [name, [to].flat()]),
  )
  checkNames(models, aliases)
  const { seconds: cacheSeconds = 0, entries: cacheEntries = 1_000 } = file.cache ?? {}
  return {
    models,
    aliases,
    cacheSeconds,
    cacheEntries,
    logContents: file.logContents ?? false,
  }
}

const providerName = /^[a-z0-9][a-z0-9-]{0,63}$/

function toProvider(
  name: string,
  entry: ProviderEntry,
  env: NodeJS.ProcessEnv,
): ProviderSettings {
  if (!providerName.test(name))
    throw new CatalogError(
      `the provider "${name}" must consist of small letters, digits and hyphens`,
    )
  if (entry.type === 'openai-compatible' && !entry.url)
    throw new CatalogError(`the provider "${name}" needs a \`url\``)
  if (entry.url && !/^https?:\/\/[^\s@]+$/.test(entry.url))
    throw new CatalogError(
      `the \`url\` of the provider "${name}" must begin with http:// or https://`,
    )
  if (entry.key && !env[entry.key])
    throw new CatalogError(
      `the provider "${name}" needs the environment variable ${entry.key}, which is not set`,
    )
  if (entry.key && !isApiKey(env[entry.key]!))
    throw new CatalogError(
      `the environment variable ${entry.key} of the provider "${name}" must ${apiKeyForm}`,
    )
  return {
    name,
    type: entry.type,
    url: entry.url?.replace(/\/+$/, '') ?? null,
    key: entry.key ? env[entry.key]! : null,
    concurrency: entry.concurrency ?? defaultConcurrency,
    timeoutMs: (entry.timeoutSeconds ?? defaultTimeoutSeconds) * 1_000,
    workspaceId: null,
  }
}

const toProviderName = (id: string) => id.slice(0, Math.max(0, id.indexOf(':')))

export function toModel(
  id: string,
  provider: ProviderSettings,
  entry: ModelEntry,
): Model {
  const name = id.slice(provider.name.length + 1)
  return {
    id,
    provider,
    name,
    kind: entry.kind ?? 'text',
    title: entry.name ?? name,
    description: entry.description ?? '',
    tags: entry.tags ?? [],
    lifecycle: entry.lifecycle ?? 'production',
    inputTokens: entry.inputTokens ?? 128_000,
    outputTokens: entry.outputTokens ?? 8_192,
    price: { input: 0, output: 0, ...entry.price },
    capabilities: entry.capabilities ?? {},
    voices: entry.voices ?? [],
    fallbacks: entry.fallbacks ?? [],
  }
}

function checkNames(models: Map<string, Model>, aliases: Map<string, string[]>): void {
  const check = (from: string, to: string[]) => {
    const unknown = to.find((id) => !models.has(id))
    if (unknown)
      throw new CatalogError(
        `${from} names the model "${unknown}", which is not in \`models\``,
      )
  }
  for (const [name, to] of aliases) check(`the alias "${name}"`, to)
  for (const [id, { fallbacks }] of models) check(`the model "${id}"`, fallbacks)
}

/** Adds the model of BOTSTEAD_MODEL, or of BOTSTEAD_EMBEDDINGS_MODEL, to the catalog. */
export function withEndpoint(
  catalog: Catalog,
  name: string,
  kind: 'text' | 'embedding',
  { url, key, model }: ModelSettings,
): Catalog {
  const provider: ProviderSettings = {
    name,
    type: 'openai-compatible',
    url,
    key,
    workspaceId: null,
    concurrency: defaultConcurrency,
    timeoutMs: defaultTimeoutSeconds * 1_000,
  }
  const id = `${name}:${model}`
  if (catalog.models.has(id)) return catalog
  return {
    ...catalog,
    models: new Map([...catalog.models, [id, toModel(id, provider, { kind })]]),
  }
}

/** The names that every installation with a model of this kind has. */
const selectors = ['auto', 'best', 'fast']

/** Names other than ids by which requests can choose a model. */
export const listModelNames = ({ models, aliases }: Catalog): string[] => [
  ...new Set([...(models.size > 0 ? selectors : []), ...aliases.keys()]),
]

/** Models by which a request with this name is answered, in order; empty for an unknown name. */
export function resolveModels(catalog: Catalog, name: string, kind: ModelKind): Model[] {
  const ids = resolveIds(catalog, name, kind)
  const found = ids.flatMap((id) => {
    const model = catalog.models.get(id)
    return model?.kind === kind ? [model, ...getFallbacks(catalog, model)] : []
  })
  return [...new Set(found)]
}

function resolveIds(catalog: Catalog, name: string, kind: ModelKind): string[] {
  const alias = catalog.aliases.get(name)
  if (alias?.some((id) => catalog.models.get(id)?.kind === kind)) return alias
  if (!selectors.includes(name)) return [name]
  if (name !== 'auto') return resolveIds(catalog, 'auto', kind)
  const first = [...catalog.models.values()].find((model) => model.kind === kind)
  return first ? [first.id] : []
}

const getFallbacks = ({ models }: Catalog, { fallbacks, kind }: Model) =>
  fallbacks.flatMap((id) => models.get(id) ?? []).filter((model) => model.kind === kind)
