// Owns the table sign_in_link: links with which an account signs in once. The server stores the
// SHA-256 of a link's code. A link proves access to the machine or its terminal, so it needs no
// further factor, and no lock-out applies.
import { randomBytes } from 'node:crypto'
import { sha256 } from '@botstead/lib'
import { sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'

/** Returns a link of the server, once. The code is in the fragment: no log and no proxy gets it. */
export const createSignInUrl = async (
  db: Db,
  accountId: string,
  { server, minutes }: { server: string; minutes: number },
): Promise<string> => toSignInUrl(server, await createSignInLink(db, accountId, minutes))

/** Returns the code, which is not stored. */
export async function createSignInLink(
  db: Db,
  accountId: string,
  minutes: number,
): Promise<string> {
  const code = randomBytes(32).toString('base64url')
  await db.deleteFrom('sign_in_link').where('expires_at', '<', sql<Date>`now()`).execute()
  await db
    .insertInto('sign_in_link')
    .values({
      hash: sha256(code),
      account_id: accountId,
      expires_at: sql<Date>`now() + ${minutes} * interval '1 minute'`,
    })
    .execute()
  return code
}

/**
 * Returns the link's account, once; null for an unknown, used or expired link. Call it within the
 * transaction that signs in.
 */
export async function takeSignInLink(db: Db, code: string): Promise<string | null> {
  const row = await db
    .deleteFrom('sign_in_link')
    .where('hash', '=', sha256(code))
    .returning(['account_id', sql<boolean>`expires_at > now()`.as('isValid')])
    .executeTakeFirst()
  return row?.isValid ? row.account_id : null
}

/** Browsers do not send the fragment. */
export const toSignInUrl = (url: string, code: string) => `${url}/sign-in#link=${code}`
