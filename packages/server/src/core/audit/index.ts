import { bindings } from './services.ts'
import { tables } from './table-rules.ts'

export const auditModule = { name: 'audit', tables, bindings }
export { accountChains, recordAccountEvent } from './account-events.ts'
export { appendAuditRecord, endChain, eraseChain, type NewAuditRecord } from './audit-log.ts'
export { chainStart, computeLink } from './chain.ts'
export { openLogins } from './logins.ts'
export { type ListedRecord, listRecords, searchRecords } from './records.ts'
export type { AuditServices } from './services.ts'
export { type Anchor, verifyChain } from './verification.ts'
