import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { refillWords } from './search/word-refill.ts'

export const knowledge = {
  name: 'knowledge',
  handlers,
  tasks: ({ db }) => [{ everyMs: 5_000, run: () => refillWords(db) }],
} satisfies Feature
export { openCuratedAnswers } from './curated/ready-answers.ts'
export { addKnowledgeHooks } from './hooks.ts'
export { createNoEmbedder, openEmbedder } from './search/embedder.ts'
export { openIndexer } from './search/indexer.ts'
export { createKnowledgeBase, findMissingNames } from './search/knowledge-bases.ts'
export { listPassages } from './search/passages.ts'
export { openReplaceableEmbedder } from './search/replaceable-embedder.ts'
export { noReranker, openReranker, type Reranker } from './search/reranker.ts'
export { searchPassages } from './search/results.ts'
export { type KnowledgeServices, knowledgeBindings } from './services.ts'
export { tables } from './table-rules.ts'
export { addMissedHooks } from './unanswered/missed-hooks.ts'
export { startSourceRunner } from './websites/source-runner.ts'
