import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { removeOldRuns } from './runs.ts'

export const copilot = {
  name: 'copilot',
  handlers,
  tasks: ({ db }) => [{ everyMs: 3_600_000, run: () => removeOldRuns(db) }],
} satisfies Feature
export { type CopilotRunner, startCopilot } from './runner.ts'
export { tables } from './table-rules.ts'
