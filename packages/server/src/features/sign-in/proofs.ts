// The credentials of this feature end when the address of their account is proved.
import { proveAddress as prove } from '../../core/accounts/index.ts'
import type { Db } from '../../core/db/index.ts'

/** See core/accounts/proofs.ts. */
export const proveAddress = (db: Db, accountId: string): Promise<boolean> =>
  prove(db, accountId, async () => {
    for (const table of ['sign_in_link', 'account_password', 'account_totp'] as const)
      await db.deleteFrom(table).where('account_id', '=', accountId).execute()
  })
