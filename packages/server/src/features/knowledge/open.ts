// Opens the reading of files and websites, their embeddings, and the curated answers.
import type { Logger } from 'pino'
import type { Limits } from '../../core/config/index.ts'
import type { Events } from '../../core/installation/index.ts'
import type { ChangeFeed } from '../../core/realtime/index.ts'
import type { Embeddings, Rerank } from '../models/index.ts'
import { openCuratedAnswers } from './curated/ready-answers.ts'
import { createNoEmbedder, openEmbedder } from './search/embedder.ts'
import { openIndexer } from './search/indexer.ts'
import {
  openReplaceableEmbedder,
  type ReplaceableEmbedder,
} from './search/replaceable-embedder.ts'
import { noReranker, openReranker, type Reranker } from './search/reranker.ts'
import type { KnowledgeServices } from './services.ts'
import { startSourceRunner } from './websites/source-runner.ts'

type RunnerDeps = Omit<
  Parameters<typeof startSourceRunner>[0],
  'indexer' | 'limits' | 'onChange'
>

interface Deps extends RunnerDeps {
  config: { rerankPassages: number }
  limits: Limits
  log: Logger
  events: Pick<Events, 'followBots'>
  changeFeed: Pick<ChangeFeed, 'publish'>
  models: {
    /** Opens those that are configured now. */
    openEmbeddings(): Embeddings | 'disabled' | 'notInstalled'
    /** Null without a reranking model. */
    findRerank(): Rerank | null
  }
  /** Calls the listener after models have changed. */
  onModels(listener: () => void): void
}

export function openKnowledge(deps: Deps): {
  services: KnowledgeServices
  stop(): Promise<void>
} {
  const { db, limits, changeFeed } = deps
  const onChange = (file: { botId: string; id: string }) =>
    changeFeed.publish({ topic: 'files', ...file })
  const indexer = openIndexer({ ...deps, maxBytes: limits.indexableBytes, onChange })
  const websites = startSourceRunner({ ...deps, indexer, onChange })
  const embedder = openEmbedders(deps, onChange)
  return {
    services: {
      indexer,
      websites,
      embedder,
      reranker: openOwnReranker(deps),
      curatedAnswers: deps.events.followBots(openCuratedAnswers(db)),
    },
    stop: async () =>
      void (await Promise.all([websites.stop(), indexer.close(), embedder.close()])),
  }
}

function openEmbedders(
  { db, log, models, onModels }: Deps,
  onProgress: (file: { botId: string; id: string }) => void,
): ReplaceableEmbedder {
  const embedder = openReplaceableEmbedder(() => {
    const embeddings = models.openEmbeddings()
    if (typeof embeddings === 'string') return createNoEmbedder(embeddings)
    return openEmbedder({ db, log, embeddings, onProgress })
  })
  const failed = (error: unknown) =>
    log.error({ err: error }, 'cannot replace embeddings')
  onModels(() => void embedder.replace().catch(failed))
  return embedder
}

/** Does nothing without a reranking model. */
function openOwnReranker({
  db,
  log,
  config: { rerankPassages: count },
  models,
}: Deps): Reranker {
  const rerank = models.findRerank()
  return rerank && count > 0 ? openReranker({ db, log, count, rerank }) : noReranker
}
