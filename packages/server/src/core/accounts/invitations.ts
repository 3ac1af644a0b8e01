// Accounts of invited and added people. No e-mail goes to added ones: the workspace that first
// adds an address creates the account, and its administrators may create its first token, once, to
// pass it on. After that, only the holder can create tokens.
import { randomUUID } from 'node:crypto'
import { ApiError, type ApiKey } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'
import { createAccountIfNew } from './accounts.ts'
import { createToken } from './tokens.ts'

interface Addressed {
  id: string
  /**
   * Whether a role may count at once: the address is proved, or the account's credentials are from this
   * workspace or this giver.
   */
  isKnown: boolean
}

/**
 * Returns the account of an address, and creates one for a new address. Ignores the case of addresses.
 * Call it within a transaction: until its end, no other one proves the address.
 */
export async function accountByEmail(
  db: Db,
  { workspaceId, accountId: giver }: { workspaceId: string; accountId: string },
  given: string,
): Promise<Addressed> {
  const email = given.toLowerCase()
  for (;;) {
    const found = await db
      .selectFrom('account')
      .select(['id', isKnownTo(workspaceId, giver).as('isKnown')])
      .where((is) => is(is.fn<string>('lower', ['email']), '=', email))
      .forKeyShare()
      .executeTakeFirst()
    if (found) return found
    const made = await db
      .insertInto('account')
      .values({
        id: randomUUID(),
        email,
        name: null,
        picture_url: null,
        invited_by: workspaceId,
      })
      .onConflict((on) => on.column('email').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (made) return { id: made.id, isKnown: true }
  }
}

const isKnownTo = (workspaceId: string, giver: string) =>
  sql<boolean>`(email_verified_at is not null or coalesce(invited_by = ${workspaceId}, false)
    or exists (select from workspace_member given where given.account_id = account.id
      and given.granted_by = ${giver}))`

/** Whether the account is a member of no other workspace. */
const isInNoOther = (workspaceId: string) =>
  sql<boolean>`not exists (select from workspace_member where account_id = account.id
    and workspace_id <> ${workspaceId})`

/**
 * Gives the account of an address to its invited holder: a new one, or an unused one that the workspace
 * created. Call it within the transaction that adds the member. Returns null for an account in use.
 */
export async function claimAccount(
  db: Db,
  { workspaceId, email }: { workspaceId: string; email: string },
  name: string,
): Promise<string | null> {
  const made = await createAccountIfNew(db, email, name)
  if (made) return made
  const taken = await db
    .updateTable('account')
    .set({ name, invited_by: null })
    .where((is) => is(is.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .where('invited_by', '=', workspaceId)
    .where(isInNoOther(workspaceId))
    .where(sql<boolean>`not exists (select from token where account_id = account.id)`)
    .returning('id')
    .executeTakeFirst()
  return taken?.id ?? null
}

/**
 * Creates the first token of an invited account. Call it within a transaction. Throws
 * RelationConflict if the account had a token, was not created by this workspace, or has since
 * joined another workspace, which the token would also open.
 */
export async function handOverAccount(
  db: Db,
  workspaceId: string,
  accountId: string,
): Promise<ApiKey & { value: string }> {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ invited_by: null })
    .where('id', '=', accountId)
    .where('invited_by', '=', workspaceId)
    .where(isInNoOther(workspaceId))
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
