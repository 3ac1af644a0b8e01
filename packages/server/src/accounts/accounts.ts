// Owns the tables account and account_preference: the people who run bots, and what their tools remember for them.
import { ApiError } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

export type Account = Selectable<Schema['account']>

export async function findAccount(db: Db, accountId: string): Promise<Account> {
  const found = await db.selectFrom('account').selectAll().where('id', '=', accountId).executeTakeFirst()
  return found ?? noAccount(accountId)
}

/** What is absent stays as it is. */
export async function updateAccount(db: Db, accountId: string, change: { name?: string; pictureUrl?: string }): Promise<Account> {
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

/** Undefined where nothing was ever set. */
export async function findPreference(db: Db, accountId: string, key: string): Promise<unknown> {
  const row = await db.selectFrom('account_preference').select('value').where('account_id', '=', accountId).where('key', '=', key).executeTakeFirst()
  return row?.value
}

/** Setting undefined forgets. */
export async function setPreference(db: Db, accountId: string, key: string, value: unknown): Promise<void> {
  if (value === undefined) {
    await db.deleteFrom('account_preference').where('account_id', '=', accountId).where('key', '=', key).execute()
    return
  }
  await sql`
    insert into account_preference (account_id, key, value) values (${accountId}, ${key}, ${JSON.stringify(value)}::jsonb)
    on conflict (account_id, key) do update set value = excluded.value
  `.execute(db)
}

function noAccount(id: string): never {
  throw new ApiError('ResourceNotFound', `No account "${id}"`)
}
