import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const privacy = { name: 'privacy', handlers } satisfies Feature
export { runErasures } from './erasures.ts'
export { openRedactions, type Redactions } from './redaction-rules.ts'
export { toRetentionLimits } from './retention.ts'
export { removeOldRecordings } from './retention-recordings.ts'
export { addSweeps, runSweeps } from './retention-sweeps.ts'
export { slowRuleIssue } from './slow-rules.ts'
export { tables } from './table-rules.ts'
