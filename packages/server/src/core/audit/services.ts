// The services of this module, and how they behave inside of a transaction.
import type { Bindings } from '../db/index.ts'
import type { HttpServices } from '../http/index.ts'
import type { Anchor, Verification } from './verification.ts'

export interface AuditServices extends Pick<HttpServices, 'logins'> {
  /** The audit log. */
  audit: HttpServices['audit'] & {
    verify(chain: string, noted: Anchor | null): Promise<Verification>
  }
  /** The key of the audit log's chains. */
  auditKey: Buffer
}

export const bindings = {
  // It writes to the database that it receives.
  audit: { record: 'immediate' },
  auditKey: 'unchanged',
  logins: { note: 'deferred' },
} satisfies Bindings<AuditServices>
