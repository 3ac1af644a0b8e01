// Proofs of addresses. An address is claimed until a provider or the operator of the installation
// proves it. Anybody may have claimed it: a workspace may invite
// any address and use the link itself. So a proof ends all credentials of the claim, and roles that
// other workspaces gave to the address count only after it.
import type { Db } from '../db/index.ts'
import {
  changeAddress,
  deleteSessionsAndTokens,
  markProved,
  releaseAddress,
} from './addresses.ts'
import { distrustGrants } from './members.ts'
import { acceptPending } from './pending-members.ts'
import { isOperator } from './workspaces.ts'

/**
 * Proves the address of an account, once. Call it within the transaction that signs in or creates a
 * credential, before that, and invalidate the account. `endCredentials` ends those of other modules, and
 * invitations by the account. Returns false for an address that is proved.
 */
async function proveAddress(
  db: Db,
  accountId: string,
  endCredentials: () => Promise<void>,
): Promise<boolean> {
  // Creation of a credential locks the row, too: it finishes before this, or finds its own credential ended.
  const account = await db
    .selectFrom('account')
    .select('email_verified_at')
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  if (!account || account.email_verified_at) return false
  await deleteSessionsAndTokens(db, accountId)
  await endCredentials()
  if (!(await isOperator(db, accountId))) await distrustGrants(db, accountId)
  await markProved(db, accountId)
  await acceptPending(db, accountId, accountId)
  return true
}

/**
 * Changes the address of an account to another one that the provider has verified. Takes it from an
 * account that merely claims it, with the pending roles. Keeps the former address if the new one is
 * proved for another account.
 */
async function moveAddress(db: Db, accountId: string, email: string): Promise<void> {
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

/** Proofs that an account owns an address. */
export const addressProofs = {
  move: moveAddress,
  prove: proveAddress,
}
