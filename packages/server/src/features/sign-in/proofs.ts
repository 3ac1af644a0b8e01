// The credentials of this feature end when the address of their account is proved.
import type { FastifyRequest } from 'fastify'
import { addressProofs } from '../../core/accounts/index.ts'
import { recordAccountEvent } from '../../core/audit/index.ts'
import type { Db } from '../../core/db/index.ts'
import { getAddress, type HttpServices } from '../../core/http/index.ts'

/** See core/accounts/proofs.ts. Also deletes the invitations that the account has given. */
export const proveAddress = (db: Db, accountId: string): Promise<boolean> =>
  addressProofs.prove(db, accountId, async () => {
    for (const table of ['sign_in_link', 'account_password', 'account_totp'] as const)
      await db.deleteFrom(table).where('account_id', '=', accountId).execute()
    await db.deleteFrom('invitation').where('invited_by', '=', accountId).execute()
  })

/** Records that an address was proved, which ended the credentials of the account. */
export async function announceProof(
  inside: HttpServices,
  request: FastifyRequest,
  accountId: string,
): Promise<void> {
  await inside.invalidate({ accountId })
  await recordAccountEvent(inside, inside.database, accountId, {
    operation: 'account.addressProved',
    targetId: accountId,
    result: 'done',
    ip: getAddress(inside, request),
  })
}
