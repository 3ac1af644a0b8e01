// Owns the tables audit_record and audit_chain: who changed what. Records are written within the transaction of what they tell of, last, since
// whoever writes one holds the end of its chain until the commit; nothing else waits for that. No request's content is in them.
import type { AuditAction } from '@botstead/contract'
import { sql } from 'kysely'
import type { Database, Db } from '../db/open.ts'
import { beginning, linkOf, type Unlinked } from './chain.ts'

export interface Deed {
  accountId: string | null
  tokenId: string | null
  ip: string
  /** `family.name` */
  operation: string
  action: AuditAction
  targetId: string | null
  targetName: string | null
  result: 'done' | 'refused' | 'failed'
}

/** Writes the deed into each of the chains, in one transaction: the caller's, when there is one. */
export async function recordDeed(
  database: Database,
  key: Buffer,
  chains: string[],
  deed: Deed,
): Promise<void> {
  await database.inOneTransaction(async ({ db }) => {
    // Always in the same order: two who write into the same two chains do not wait for each other.
    for (const chain of [...new Set(chains)].sort()) await append(db, key, chain, deed)
  })
}

async function append(db: Db, key: Buffer, chain: string, deed: Deed): Promise<void> {
  const { rows } = await sql<{ number: string; before: Buffer; at: Date }>`
    insert into audit_chain as chain (chain, number, hash) values (${chain}, 1, ${beginning})
    on conflict (chain) do update set number = chain.number + 1
    returning number, hash as before, date_trunc('milliseconds', clock_timestamp()) as at`.execute(db)
  const { number, before, at } = rows[0]!
  const row: Unlinked = {
    ...{ chain, number, at, account_id: deed.accountId, token_id: deed.tokenId, ip: deed.ip },
    ...{
      operation: deed.operation,
      action: deed.action,
      target_id: deed.targetId,
      target_name: deed.targetName,
      result: deed.result,
    },
  }
  const hash = linkOf(key, before, row)
  await db
    .insertInto('audit_record')
    .values({ ...row, hash })
    .execute()
  await db.updateTable('audit_chain').set({ hash }).where('chain', '=', chain).execute()
}

/** Within a transaction. A workspace's records go when it does: they name what was in it, and nobody is left who may read them. */
export async function eraseChain(db: Db, chain: string): Promise<void> {
  await sql`select set_config('botstead.erased_chain', ${chain}, true)`.execute(db)
  await db.deleteFrom('audit_record').where('chain', '=', chain).execute()
  await db.deleteFrom('audit_chain').where('chain', '=', chain).execute()
}
