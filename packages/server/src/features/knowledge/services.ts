// The services of this feature, which its handlers receive beside those of the core, and how they behave
// inside of a transaction.
import type { Bindings } from '../../core/db/index.ts'
import type { CuratedAnswers } from './curated/ready-answers.ts'
import type { Embedder } from './search/embedder.ts'
import type { Indexer } from './search/indexer.ts'
import type { Reranker } from './search/reranker.ts'
import type { SourceRunner } from './websites/source-runner.ts'

export interface KnowledgeServices {
  /** Indexes files for search, in the background. */
  indexer: Pick<Indexer, 'soon'>
  /** Reads the websites of knowledge bases, in the background. */
  websites: Pick<SourceRunner, 'soon'>
  /** Finds the curated answers to questions. */
  curatedAnswers: CuratedAnswers
  /** Embeds search queries, if there is an embedding model. */
  embedder: Pick<Embedder, 'embedQuery' | 'source'>
  /** Reorders the results of searches, if a reranking model is configured. */
  reranker: Reranker
}

export const bindings = {
  indexer: { soon: 'deferred' },
  websites: { soon: 'deferred' },
  curatedAnswers: { invalidate: 'deferred' },
  embedder: 'unchanged',
  reranker: 'unchanged',
} satisfies Bindings<KnowledgeServices>
