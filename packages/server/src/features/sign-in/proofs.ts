// Owns account.email_verified_at. An address is claimed until a provider
// or the operator of the installation proves it. Anybody may have claimed it: a workspace may invite
// any address and use the link itself. So a proof ends all credentials of the claim, and roles that
// other workspaces gave to the address count only after it.
import { sql } from 'kysely'
import { acceptPending } from '../../core/accounts/pending-members.ts'
import { isOperator } from '../../core/accounts/workspaces.ts'
import type { Db } from '../../core/db/database.ts'

/**
 * Proves the address of an account, once. Call it within the transaction that signs in or creates a
 * credential, before that, and invalidate the account. Returns false for an address that is proved.
 */
export async function proveAddress(db: Db, accountId: string): Promise<boolean> {
  // Creation of a credential locks the row, too: it finishes before this, or finds its own credential ended.
  const account = await db
    .selectFrom('account')
    .select('email_verified_at')
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  if (!account || account.email_verified_at) return false
  await endCredentials(db, accountId)
  if (!(await isOperator(db, accountId))) await distrustGrants(db, accountId)
  await db
    .updateTable('account')
    .set({ email_verified_at: sql<Date>`now()`, invited_by: null, updated_at: sql<Date>`now()` })
    .where('id', '=', accountId)
    .execute()
  await acceptPending(db, accountId, accountId)
  return true
}

async function endCredentials(db: Db, accountId: string): Promise<void> {
  for (const table of [
    'session',
    'token',
    'sign_in_link',
    'account_password',
    'account_totp',
  ] as const)
    await db.deleteFrom(table).where('account_id', '=', accountId).execute()
  await db.deleteFrom('invitation').where('invited_by', '=', accountId).execute()
}

/** The giver of roles that do not count as given by an operator (`isOwnedWithFirst`). */
const unprovedGranter = 'unproved'

/**
 * The account may become an operator. Workspaces that it created or gave roles in before do not become
 * workspaces of the operator by that.
 */
const distrustGrants = (db: Db, accountId: string) =>
  db
    .updateTable('workspace_member')
    .set({ granted_by: unprovedGranter })
    .where((is) =>
      is.or([
        is('granted_by', '=', accountId),
        is.and([is('account_id', '=', accountId), is('granted_by', 'is', null)]),
      ]),
    )
    .execute()

/**
 * Changes the address of an account to another one that the provider has verified. Takes it from an
 * account that merely claims it, with the pending roles. Keeps the former address if the new one is
 * proved for another account.
 */
export async function moveAddress(db: Db, accountId: string, email: string): Promise<void> {
  const holder = await db
    .selectFrom('account')
    .select(['id', 'email_verified_at'])
    .where((is) => is(is.fn<string>('lower', ['email']), '=', email))
    .forUpdate()
    .executeTakeFirst()
  if (holder?.email_verified_at) return
  if (holder) {
    await releaseAddress(db, holder.id)
    await acceptPending(db, holder.id, accountId)
  }
  const change = { email, updated_at: sql<Date>`now()` }
  await db.updateTable('account').set(change).where('id', '=', accountId).execute()
}

/** The account keeps its credentials, and gets an address of no other account. */
const releaseAddress = (db: Db, accountId: string) =>
  db
    .updateTable('account')
    .set({
      email: sql<string>`regexp_replace(email, '(@[^@]*)$', '+' || gen_random_uuid() || '\\1')`,
      invited_by: null,
    })
    .where('id', '=', accountId)
    .execute()
