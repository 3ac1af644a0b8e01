// Owns the table account_password.
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import { isPassword } from './password-hash.ts'

/** Returns null for an account without a password. */
export async function findPasswordHash(
  db: Db,
  accountId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('account_password')
    .select('hash')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.hash ?? null
}

/** Returns the hash of the account's password if `password` matches it; otherwise null. */
export async function findMatchingHash(
  db: Db,
  account: { id: string } | null,
  password: string,
  address: string,
): Promise<string | null> {
  const hash = account && (await findPasswordHash(db, account.id))
  return (await isPassword(password, hash, address)) ? hash : null
}

/** Null removes the password. */
export async function storePasswordHash(
  db: Db,
  accountId: string,
  hash: string | null,
): Promise<void> {
  if (hash === null) {
    await db.deleteFrom('account_password').where('account_id', '=', accountId).execute()
    return
  }
  await db
    .insertInto('account_password')
    .values({ account_id: accountId, hash })
    .onConflict((on) =>
      on.column('account_id').doUpdateSet({ hash, changed_at: sql`now()` }),
    )
    .execute()
}

/** Returns whether any account has a password. */
export const hasPasswords = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('account_password').select('account_id').limit(1).execute())
    .length > 0
