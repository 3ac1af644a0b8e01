// Addresses of accounts and their proof: account.email_verified_at. features/sign-in decides when an
// address is proved.
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

/** Notes that the holder of the account owns its address. */
export const markProved = (db: Db, accountId: string) =>
  db
    .updateTable('account')
    .set({
      email_verified_at: sql<Date>`now()`,
      invited_by: null,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', accountId)
    .execute()

export async function changeAddress(
  db: Db,
  accountId: string,
  email: string,
): Promise<void> {
  const change = { email, updated_at: sql<Date>`now()` }
  await db.updateTable('account').set(change).where('id', '=', accountId).execute()
}

/** The account keeps its credentials, and gets an address of no other account. */
export const releaseAddress = (db: Db, accountId: string) =>
  db
    .updateTable('account')
    .set({
      email: sql<string>`regexp_replace(email, '(@[^@]*)$', '+' || gen_random_uuid() || '\\1')`,
      invited_by: null,
    })
    .where('id', '=', accountId)
    .execute()

/** Ends the sessions and the tokens of the account. */
export async function deleteSessionsAndTokens(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('session').where('account_id', '=', accountId).execute()
  await db.deleteFrom('token').where('account_id', '=', accountId).execute()
}
