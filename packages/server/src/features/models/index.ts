import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { openModels } from './models.ts'
import { bindings } from './services.ts'
import { tables } from './table-rules.ts'

export const models = {
  name: 'models',
  tables,
  bindings,
  handlers,
  open: openModels,
} satisfies Feature
export { listEventCalls } from './api/platform/models.ts'
export { type ChosenModel, type FixedModels, probeModel } from './chosen-models.ts'
export type { Recordings } from './gateway/recordings.ts'
export { includedModel } from './local/included-embeddings.ts'
export { checkModelSettings, readModelSources } from './models.ts'
export type { Embeddings, Rerank } from './providers/embeddings.ts'
export type { ModelServices } from './services.ts'
