// How somebody comes by an account. There is no mail here and no password: the workspace that lets a new address in makes the account, and its
// administrators may make the first token of it, once, to hand it over. From then on the account is its holder's alone.
import { ApiError } from '@botstead/contract'
import type { Db } from '../db/open.ts'
import { newUuid } from '../lib/ids.ts'
import { createToken, type Token } from './tokens.ts'

/** The id; a new account's when nobody has the address. Case does not tell addresses apart. */
export async function accountByEmail(db: Db, workspaceId: string, given: string): Promise<string> {
  const email = given.toLowerCase()
  for (;;) {
    const known = await db
      .selectFrom('account')
      .select('id')
      .where((is) => is(is.fn<string>('lower', ['email']), '=', email))
      .executeTakeFirst()
    if (known) return known.id
    const made = await db
      .insertInto('account')
      .values({ id: newUuid(), email, name: null, picture_url: null, invited_by: workspaceId })
      .onConflict((on) => on.column('email').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (made) return made.id
  }
}

/**
 * Within a transaction. Throws RelationConflict where the account is not this workspace's to hand over: it has had a token, or was there before,
 * or another workspace has let it in meanwhile, whose things the token would open.
 */
export async function handOverAccount(
  db: Db,
  workspaceId: string,
  accountId: string,
): Promise<Token & { value: string }> {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ invited_by: null })
    .where('id', '=', accountId)
    .where('invited_by', '=', workspaceId)
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('workspace_member')
            .select('role')
            .where('account_id', '=', accountId)
            .where('workspace_id', '<>', workspaceId),
        ),
      ),
    )
    .executeTakeFirst()
  if (!numUpdatedRows)
    throw new ApiError(
      'RelationConflict',
      'You cannot create a token for this account: ask its holder or the operator to create one',
    )
  return createToken(db, { kind: 'pat', accountId }, 'created by the workspace that invited the account')
}
