import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const models = { name: 'models', handlers } satisfies Feature
export { toModelCall } from './api/platform/models.ts'
export {
  type ChosenModel,
  type FixedModels,
  findFixedModels,
  probeModel,
} from './chosen-models.ts'
export { gatewayCompletions, measuredCompletions } from './columns.ts'
export { gatewayEmbeddings, gatewayRerank, measuredEmbeddings } from './embeddings.ts'
export { listCalls } from './gateway/ledger.ts'
export type { Recordings } from './gateway/recordings.ts'
export {
  includedModel,
  includedPackages,
  openIncludedEmbeddings,
} from './local/included-embeddings.ts'
export { checkModelSettings, type Models, openModels, readModelSources } from './models.ts'
export { type Catalog, resolveModels } from './providers/catalog.ts'
export { openCompletions } from './providers/completions.ts'
export { embedWithSplitting } from './providers/embed-with-splitting.ts'
export {
  type Embeddings,
  type EmbedOptions,
  openEmbeddings,
  type Rerank,
} from './providers/embeddings.ts'
export type { ServerCalls } from './server-calls.ts'
export { type ModelServices, modelBindings } from './services.ts'
export { tables } from './table-rules.ts'
export { openTranscriber } from './transcription.ts'
