import type { BotHooks } from '../../core/bots/index.ts'
import type { Feature } from '../../core/feature.ts'
import type { Services } from '../../core/http/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { removeOldRevisions } from './drafts.ts'
import { tables } from './table-rules.ts'
import { findTried, listTrials } from './trials.ts'

export const studio = {
  name: 'studio',
  tables,
  handlers,
  hooks(hooks: BotHooks) {
    hooks.findTrials.push(listTrials)
    hooks.findTried.push(findTried)
  },
  tasks: ({ db }: Services) => [{ everyMs: 600_000, run: () => removeOldRevisions(db) }],
} satisfies Feature
export { openDraft } from './saving.ts'
export { listTrials } from './trials.ts'
