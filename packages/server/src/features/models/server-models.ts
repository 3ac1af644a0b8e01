// The models of the server itself: for computed columns, files and questions. The settings of an endpoint win
// over the models of the gateway.
import type { Logger } from 'pino'
import type { Section } from '../../core/config/index.ts'
import type { ColumnModel } from '../../core/tables/index.ts'
import { gatewayCompletions, measuredCompletions } from './columns.ts'
import { gatewayEmbeddings, gatewayRerank, measuredEmbeddings } from './embeddings.ts'
import { includedPackages, openIncludedEmbeddings } from './local/included-embeddings.ts'
import { type Catalog, type Model, resolveModels } from './providers/catalog.ts'
import { openCompletions } from './providers/completions.ts'
import { withSplitting } from './providers/embed-with-splitting.ts'
import { type Embeddings, openEmbeddings, type Rerank } from './providers/embeddings.ts'
import type { ServerCalls } from './server-calls.ts'

export interface ServerModels {
  /** Returns null while no model is configured. */
  getColumnModel(): ColumnModel | null
  /** Opens the embeddings that are configured now. The caller closes them. */
  openEmbeddings(): Embeddings | 'disabled' | 'notInstalled'
  /** Null without a reranking model. */
  findRerank(): Rerank | null
}

interface Options {
  config: Section<'models'>
  log: Logger
  /** Returns the operator's models. */
  getCatalog: () => Catalog
}

export function openServerModels(calls: ServerCalls, options: Options): ServerModels {
  const { config, log, getCatalog } = options
  const { model } = config
  const fixed =
    model && measuredCompletions(calls, openCompletions(model, log), model.model)
  const chosen = gatewayCompletions(calls)
  const hasText = () => resolveModels(getCatalog(), 'auto', 'text').length > 0
  return {
    getColumnModel: () => fixed ?? (hasText() ? chosen : null),
    openEmbeddings: () => {
      const opened = openConfigured(calls, options)
      return typeof opened === 'string' ? opened : withSplitting(opened)
    },
    findRerank: () => {
      const rerank = findFirst(getCatalog(), 'rerank')
      return rerank ? gatewayRerank(calls, rerank.id) : null
    },
  }
}

const findFirst = (catalog: Catalog, kind: Model['kind']) =>
  [...catalog.models.values()].find((model) => model.kind === kind)

/** The included model embeds files and questions if no other one is configured. */
function openConfigured(calls: ServerCalls, { config, log, getCatalog }: Options) {
  if (config.embeddings)
    return measuredEmbeddings(calls, openEmbeddings(config.embeddings))
  const model = findFirst(getCatalog(), 'embedding')
  if (model) return gatewayEmbeddings(calls, model.id)
  if (!config.includedModel) return 'disabled'
  const timeoutMs = config.localModelSeconds * 1_000
  const included = openIncludedEmbeddings({
    memoryMb: config.localModelMemoryMb,
    timeoutMs,
    log,
  })
  if (included) return included
  log.warn(`files are searched by words only: install ${includedPackages.join(' and ')}`)
  return 'notInstalled'
}
