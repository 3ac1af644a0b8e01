// Owns the table account: the people who run bots.
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

function noAccount(id: string): never {
  throw new ApiError('ResourceNotFound', `No account "${id}"`)
}
