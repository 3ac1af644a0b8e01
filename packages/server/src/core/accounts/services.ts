// The services of this module, and how they behave inside of a transaction.
import type { Bindings, Db } from '../db/index.ts'
import type { AccountHooks } from './hooks.ts'

export interface AccountServices {
  hooks: AccountHooks
  /** Deletes a workspace with its bots (core/api). Not inside of a transaction. */
  removeWorkspace: (workspaceId: string) => Promise<void>
  /**
   * Checks the quota for one more member (core/usage). Call it within the transaction that adds one. Throws
   * QuotaExceeded.
   */
  checkMemberQuota: (db: Db, workspaceId: string) => Promise<void>
}

export const bindings = {
  hooks: 'unchanged',
  removeWorkspace: 'immediate',
  // It only throws.
  checkMemberQuota: 'immediate',
} satisfies Bindings<AccountServices>
