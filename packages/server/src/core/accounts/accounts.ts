// Owns the table account: the people who run bots.
import { randomUUID } from 'node:crypto'
import { ApiError } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import type { Db, Schema } from '../db/index.ts'
import { listOwnedAlone } from './workspaces.ts'

export type Account = Selectable<Schema['account']>

export async function findAccount(db: Db, accountId: string): Promise<Account> {
  const found = await db
    .selectFrom('account')
    .selectAll()
    .where('id', '=', accountId)
    .executeTakeFirst()
  return found ?? noAccount(accountId)
}

/** Ignores case. Returns null for an unknown address. */
const findAccountByEmail = async (db: Db, email: string) =>
  (await db
    .selectFrom('account')
    .select(['id', 'email', 'email_verified_at'])
    .where((is) => is(is.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()) ?? null

/** Until the transaction ends, no other one deletes the account or proves its address. */
export const lockAccount = (db: Db, accountId: string) =>
  db
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .forKeyShare()
    .execute()

/** Absent fields stay unchanged. */
export async function updateAccount(
  db: Db,
  accountId: string,
  change: { name?: string; pictureUrl?: string },
): Promise<Account> {
  const changed = await db
    .updateTable('account')
    .set({
      updated_at: sql`now()`,
      ...(change.name !== undefined && { name: change.name }),
      ...(change.pictureUrl !== undefined && { picture_url: change.pictureUrl }),
    })
    .where('id', '=', accountId)
    .returningAll()
    .executeTakeFirst()
  return changed ?? noAccount(accountId)
}

async function createAccount(
  db: Db,
  email: string,
  name: string | null,
): Promise<string> {
  const id = randomUUID()
  await db.insertInto('account').values({ id, email, name }).execute()
  return id
}

/** Returns null if the address has an account. */
export async function createAccountIfNew(
  db: Db,
  email: string,
  name: string,
): Promise<string | null> {
  const made = await db
    .insertInto('account')
    .values({ id: randomUUID(), email, name })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id ?? null
}

/**
 * Deletes an account with its tokens, preferences and memberships. Call it within a transaction.
 * Throws RelationConflict if a workspace would have no owner left: the owners' rows are locked, so
 * that two owners cannot leave at the same time.
 */
export async function deleteAccount(db: Db, accountId: string): Promise<void> {
  await sql`
    select from workspace_member owner where role = 'owner' and exists (
      select from workspace_member mine where mine.workspace_id = owner.workspace_id
        and mine.account_id = ${accountId} and mine.role = 'owner')
    order by workspace_id, account_id for update of owner`.execute(db)
  const [ownerless] = await listOwnedAlone(db, accountId)
  if (ownerless) throw onlyOwner(ownerless.name)
  await db.deleteFrom('account').where('id', '=', accountId).execute()
}

export const onlyOwner = (workspace: string) =>
  new ApiError(
    'RelationConflict',
    `The workspace "${workspace}" has no other owner: make another member an owner, or delete it first`,
  )

function noAccount(id: string): never {
  throw new ApiError('ResourceNotFound', `Account "${id}" was not found`)
}

/** Accounts of people. */
export const accountStore = {
  create: createAccount,
  find: findAccount,
  findByEmail: findAccountByEmail,
  lock: lockAccount,
}
