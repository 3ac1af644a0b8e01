// Owns the tables audit_record and audit_chain: the audit log. A record is written at the end of
// the transaction of its change, because it locks the end of the chain until the commit; only other
// records wait for that lock. Records contain no request content.
import { sql } from 'kysely'
import type pg from 'pg'
import type { Database, Db } from '../db/index.ts'
import type { NewAuditRecord } from '../http/index.ts'
import { chainStart, computeLink, type Unlinked } from './chain.ts'

/**
 * Writes an audit record into each of the chains in one transaction, the caller's if there is one.
 */
export async function appendAuditRecord(
  database: Database,
  key: Buffer,
  chains: string[],
  record: NewAuditRecord,
): Promise<void> {
  await database.inTransaction(async ({ db }) => {
    // Sorted, so that two requests that write to the same two chains do not deadlock.
    for (const chain of [...new Set(chains)].sort()) await append(db, key, chain, record)
  })
}

/** Among the last records of a chain, which keeps the search short. */
const maxSearched = 1_000

async function isRecent(db: Db, chain: string, record: NewAuditRecord): Promise<boolean> {
  if (record.quietMinutes === undefined) return false
  const { rows } = await sql`
    select from audit_record where chain = ${chain}
      and number > (select number from audit_chain where chain = ${chain}) - ${maxSearched}
      and at > now() - make_interval(mins => ${record.quietMinutes})
      and account_id = ${record.accountId} and token_id is not distinct from ${record.tokenId}
      and ip = ${record.ip} and operation = ${record.operation}
      and target_id is not distinct from ${record.targetId} and result = ${record.result}
    limit 1`.execute(db)
  return rows.length > 0
}

async function append(
  db: Db,
  key: Buffer,
  chain: string,
  record: NewAuditRecord,
): Promise<void> {
  if (await isRecent(db, chain, record)) return
  const { rows } = await sql<{ number: string; before: Buffer; at: Date }>`
    insert into audit_chain as chain (chain, number, hash) values (${chain}, 1, ${chainStart})
    on conflict (chain) do update set number = chain.number + 1
    returning number, hash as before, date_trunc('milliseconds', clock_timestamp()) as at`.execute(
    db,
  )
  const { number, before, at } = rows[0]!
  const row: Unlinked = {
    chain,
    number,
    at,
    account_id: record.accountId,
    token_id: record.tokenId,
    ip: record.ip,

    operation: record.operation,
    action: record.action,
    target_id: record.targetId,
    target_name: record.targetName,
    result: record.result,
  }
  const hash = computeLink(key, before, row)
  await db
    .insertInto('audit_record')
    .values({ ...row, hash })
    .execute()
  await db.updateTable('audit_chain').set({ hash }).where('chain', '=', chain).execute()
}

/**
 * Erases a chain. Call it within the transaction that deletes the workspace: its records name its
 * contents, and afterwards no one may read them.
 */
export async function eraseChain(db: Db, chain: string): Promise<void> {
  await sql`select set_config('botstead.erased_chain', ${chain}, true)`.execute(db)
  await db.deleteFrom('audit_record').where('chain', '=', chain).execute()
  await db.deleteFrom('audit_chain').where('chain', '=', chain).execute()
}

/** Sets the end of an imported chain. Call it after all its records are inserted. */
export const endChain = (session: Pick<pg.Client, 'query'>, workspaceId: string) =>
  session.query(
    `update audit_chain chain set number = last.number, hash = last.hash
    from (select number, hash from audit_record where chain = $1 order by number desc limit 1) last
      where chain.chain = $1`,
    [workspaceId],
  )
