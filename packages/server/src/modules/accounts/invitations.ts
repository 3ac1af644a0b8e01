// Creates accounts for added people, without an e-mail to them: the workspace that first
// adds an address creates the account, and its administrators may create its first token, once, to
// pass it on. After that, only the holder can create tokens.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../infra/db/open.ts'
import { newUuid } from '../../infra/lib/ids.ts'
import { createToken, type Token } from './tokens.ts'

/**
 * Returns the account's id and creates an account for a new address. Ignores the case of addresses.
 */
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

/** Whether the account is a member of no other workspace. */
export const isInNoOther = (workspaceId: string, accountId: string) =>
  sql<boolean>`not exists (select from workspace_member where account_id = ${accountId}
    and workspace_id <> ${workspaceId})`

/**
 * Creates the first token of an invited account. Call it within a transaction. Throws
 * RelationConflict if the account had a token, was not created by this workspace, or has since
 * joined another workspace, which the token would also open.
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
    .where(isInNoOther(workspaceId, accountId))
    .executeTakeFirst()
  if (!numUpdatedRows)
    throw new ApiError(
      'RelationConflict',
      'You cannot create a token for this account: ask its holder or the operator to create one',
    )
  return createToken(
    db,
    { kind: 'pat', accountId },
    'created by the workspace that invited the account',
  )
}
