// The services of this feature, which its handlers receive beside those of the core.
import type { Embedder } from './search/embedder.ts'
import type { Indexer } from './search/indexer.ts'
import type { Reranker } from './search/reranker.ts'
import type { SourceRunner } from './websites/source-runner.ts'

export interface KnowledgeServices {
  /** Indexes files for search, in the background. */
  indexer: Pick<Indexer, 'soon'>
  /** Reads the websites of knowledge bases, in the background. */
  websites: Pick<SourceRunner, 'soon'>
  /** Embeds search queries, if an embedding model is configured. */
  embedder: Pick<Embedder, 'embedQuery'>
  /** Reorders the results of searches, if a reranking model is configured. */
  reranker: Reranker
}
