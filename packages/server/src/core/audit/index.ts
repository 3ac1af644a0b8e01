import type { Database } from '../db/index.ts'
import { accountChains } from './account-events.ts'
import { handlers } from './api/handlers.gen.ts'
import { appendAuditRecord } from './audit-log.ts'
import { openLogins } from './logins.ts'
import { type AuditServices, bindings } from './services.ts'
import { tables } from './table-rules.ts'
import { verifyChain } from './verification.ts'

export const auditModule = {
  name: 'audit',
  tables,
  bindings,
  handlers,
  open: ({ database, auditKey }: Deps): { services: AuditServices } => {
    const audit: AuditServices['audit'] = {
      record: (database, chains, entry) =>
        appendAuditRecord(database, auditKey, chains, entry),
      accountChains,
      verify: (chain, noted) => verifyChain(database.db, auditKey, chain, noted),
    }
    return { services: { audit, auditKey, logins: openLogins(database, audit.record) } }
  },
}

interface Deps {
  database: Database
  auditKey: Buffer
}

export { recordAccountEvent } from './account-events.ts'
export { createRelinker } from './arriving-records.ts'
export { appendAuditRecord, endChain, eraseChain } from './audit-log.ts'
export type { AuditServices } from './services.ts'
