import type { Feature } from '../../core/feature.ts'
import type { Services } from '../../core/http/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { addKnowledgeHooks } from './hooks.ts'
import { openKnowledge } from './open.ts'
import { refillWords } from './search/word-refill.ts'
import { bindings } from './services.ts'
import { tables } from './table-rules.ts'
import { addMissedHooks } from './unanswered/missed-hooks.ts'

export const knowledge = {
  name: 'knowledge',
  tables,
  bindings,
  handlers,
  open: openKnowledge,
  deliveryHooks: addMissedHooks,
  hooks: addKnowledgeHooks,
  tasks: ({ db }: Services) => [{ everyMs: 5_000, run: () => refillWords(db) }],
} satisfies Feature
export { createKnowledgeBase, findMissingNames } from './search/knowledge-bases.ts'
export { listPassages } from './search/passages.ts'
export { searchPassages } from './search/results.ts'
export type { KnowledgeServices } from './services.ts'
