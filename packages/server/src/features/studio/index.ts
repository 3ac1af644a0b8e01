import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { removeOldRevisions } from './drafts.ts'

export const studio = {
  name: 'studio',
  handlers,
  tasks: ({ db }) => [{ everyMs: 600_000, run: () => removeOldRevisions(db) }],
} satisfies Feature
export { openDraft } from './saving.ts'
export { tables } from './table-rules.ts'
export { listTrials } from './trials.ts'
