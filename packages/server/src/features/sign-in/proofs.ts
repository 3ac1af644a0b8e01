// Proofs of addresses. An address is claimed until a provider or the operator of the installation
// proves it. Anybody may have claimed it: a workspace may invite
// any address and use the link itself. So a proof ends all credentials of the claim, and roles that
// other workspaces gave to the address count only after it.
import {
  acceptPending,
  changeAddress,
  deleteInvitationsBy,
  deleteSessionsAndTokens,
  distrustGrants,
  isOperator,
  markProved,
  releaseAddress,
} from '../../core/accounts/index.ts'
import type { Db } from '../../core/db/index.ts'

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
  await markProved(db, accountId)
  await acceptPending(db, accountId, accountId)
  return true
}

async function endCredentials(db: Db, accountId: string): Promise<void> {
  await deleteSessionsAndTokens(db, accountId)
  for (const table of ['sign_in_link', 'account_password', 'account_totp'] as const)
    await db.deleteFrom(table).where('account_id', '=', accountId).execute()
  await deleteInvitationsBy(db, accountId)
}

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
  await changeAddress(db, accountId, email)
}
