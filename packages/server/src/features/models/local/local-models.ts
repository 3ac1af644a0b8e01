// The operator's local models as a provider of the gateway.
import type { EmbeddingModelV3, RerankingModelV3 } from '@ai-sdk/provider'
import { isClone, StartError } from '@botstead/lib'
import {
  type Catalog,
  type Model,
  type ProviderSettings,
  toModel,
} from '../providers/catalog.ts'
import { type FailureKind, ModelFailure } from '../providers/failures.ts'
import { findModulesFolders, ProcessFailure } from './model-child-process.ts'
import { type LocalModel, readLocalModels } from './model-folder.ts'
import { ModelProcess, type ModelProcessOptions } from './model-process.ts'

export interface LocalModels {
  models: Model[]
  close(): Promise<void>
}

interface Options extends Pick<ModelProcessOptions, 'memoryMb' | 'timeoutMs' | 'log'> {
  folder: string
}

export const packages = ['onnxruntime-node@1.30.0', '@huggingface/tokenizers@0.2.0']

const providerName = 'local'
/** The process computes one batch at a time; more calls that take turns keep questions quick. */
const concurrency = 4
const textsPerCall = 16
const niceness = 10

/** Starts the process and loads all models. Throws StartError. */
export async function openLocalModels(options: Options): Promise<LocalModels> {
  const found = await readLocalModels(options.folder)
  const folders = [...findLibraries(), options.folder]
  const process = new ModelProcess({
    ...options,
    program: 'model-child.js',
    folders,
    niceness,
    models: found,
    idleMs: null,
  })
  await process.open().catch(toStartError)
  const provider: ProviderSettings = {
    name: providerName,
    type: 'local',
    url: null,
    key: null,
    workspaceId: null,
    concurrency,
    timeoutMs: options.timeoutMs * 2,
    local: {
      embedding: (name) => embeddingModel(process, name),
      reranking: (name) => rerankingModel(process, name),
    },
  }
  return {
    models: found.map((model) => toCatalogModel(provider, model)),
    close: () => process.close(),
  }
}

/** Throws StartError if the packages are not installed. */
function findLibraries(): string[] {
  const folders = findModulesFolders(
    packages.map((one) => one.slice(0, one.lastIndexOf('@'))),
  )
  if (folders) return folders
  const remedy = isClone
    ? 'run "node scripts/tools.js models"'
    : `run "npm install --no-save --ignore-scripts ${packages.join(' ')}"`
  throw new StartError(`BOTSTEAD_LOCAL_MODELS needs two more packages: ${remedy}`)
}

function toStartError(error: unknown): never {
  if (!(error instanceof ProcessFailure)) throw error
  const step = error.kind === 'broken' ? '' : 'cannot load the models: '
  throw new StartError(`BOTSTEAD_LOCAL_MODELS: ${step}${error.message}`)
}

const toCatalogModel = (
  provider: ProviderSettings,
  { name, kind, maxTokens }: LocalModel,
) =>
  toModel(`${providerName}:${name}`, provider, {
    kind,
    inputTokens: maxTokens,
    outputTokens: 0,
  })

/** Models of the file have precedence. */
export const withLocalModels = (catalog: Catalog, { models }: LocalModels): Catalog => ({
  ...catalog,
  models: new Map([
    ...catalog.models,
    ...models.flatMap((model) =>
      catalog.models.has(model.id) ? [] : [[model.id, model] as const],
    ),
  ]),
})

const embeddingModel = (process: ModelProcess, name: string): EmbeddingModelV3 => ({
  specificationVersion: 'v3',
  provider: providerName,
  modelId: name,
  maxEmbeddingsPerCall: textsPerCall,
  supportsParallelCalls: false,
  async doEmbed({ values, abortSignal: signal, providerOptions }) {
    const isBackground = providerOptions?.local?.isBackground === true
    const computing = process.embed(name, values, { signal, isBackground })
    const { vectors, tokens } = await computing.catch(toModelFailure(name))
    return {
      embeddings: vectors.map((vector) => [...vector]),
      usage: { tokens },
      warnings: [],
    }
  },
})

const rerankingModel = (process: ModelProcess, name: string): RerankingModelV3 => ({
  specificationVersion: 'v3',
  provider: providerName,
  modelId: name,
  async doRerank({ query: question, documents: { values }, abortSignal }) {
    const texts = values.map((one) =>
      typeof one === 'string' ? one : JSON.stringify(one),
    )
    const computing = process.rank(
      { model: name, question, texts },
      { signal: abortSignal },
    )
    const scores = await computing.catch(toModelFailure(name))
    const ranking = scores.map((relevanceScore, index) => ({ index, relevanceScore }))
    return { ranking: ranking.sort((a, b) => b.relevanceScore - a.relevanceScore) }
  },
})

const failureKinds: Record<ProcessFailure['kind'], FailureKind> = {
  memory: 'rejected',
  time: 'timeout',
  text: 'unavailable',
  broken: 'unavailable',
  other: 'unavailable',
}

const toModelFailure = (name: string) => (error: unknown) => {
  if (!(error instanceof ProcessFailure)) throw error
  const model = `${providerName}:${name}`
  const message = `The model "${model}" failed: ${error.message}`
  throw new ModelFailure({ kind: failureKinds[error.kind], model }, message)
}
