import type { Feature } from '../../core/feature.ts'
import type { Services } from '../../core/http/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { startCopilot } from './copilot/runner.ts'
import { removeOldRuns } from './copilot/runs.ts'
import { tables } from './table-rules.ts'

export const authoring = {
  name: 'authoring',
  tables,
  handlers,
  start: startCopilot,
  tasks: ({ db }: Services) => [{ everyMs: 3_600_000, run: () => removeOldRuns(db) }],
} satisfies Feature
