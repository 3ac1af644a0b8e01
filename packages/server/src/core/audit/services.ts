// The services of this module, and how they behave inside of a transaction.
import type { Bindings, Database } from '../db/index.ts'
import type { NewAuditRecord } from './audit-log.ts'
import type { Logins } from './logins.ts'
import type { Anchor, Verification } from './verification.ts'

export interface AuditServices {
  /** The audit log. */
  audit: {
    record(database: Database, chains: string[], record: NewAuditRecord): Promise<void>
    verify(chain: string, noted: Anchor | null): Promise<Verification>
  }
  /** The key of the audit log's chains. */
  auditKey: Buffer
  /** Records the addresses from which tokens are used. */
  logins: Logins
}

export const bindings = {
  // It writes to the database that it receives.
  audit: { record: 'immediate' },
  auditKey: 'unchanged',
  logins: { note: 'deferred' },
} satisfies Bindings<AuditServices>
