// Lists and searches audit records, newest first.
import { sql } from 'kysely'
import { type Database, type Db, statement } from '../db/index.ts'
import type { AuditRow } from './chain.ts'

/** The email is the account's current one; null for deleted accounts. */
export type ListedRecord = AuditRow & { email: string | null }

/**
 * `before` is the number of the last record on the previous page; `result` filters by outcome
 * (migration 0046 has the index).
 */
export function listRecords(
  db: Db,
  chain: string,
  { before, limit, result }: { before: number | null; limit: number; result?: 'done' },
): Promise<ListedRecord[]> {
  let query = db
    .selectFrom('audit_record')
    .leftJoin('account', 'account.id', 'audit_record.account_id')
    .selectAll('audit_record')
    .select('account.email')
    .where('chain', '=', chain)
  if (result) query = query.where(sql<boolean>`result = 'done'`)
  if (before !== null) query = query.where('number', '<', String(before))
  return query.orderBy('number', 'desc').limit(limit).execute()
}

/** Records that one page of a search reads at most. */
const searchedAtOnce = 5_000

const searchIn = statement<{
  chain: string
  from: number
  before: number
  search: string
  limit: number
}>(
  'search-audit-records',
  `select record.*, account.email from audit_record record
     left join account on account.id = record.account_id
   where chain = :chain and number >= :from and number < :before
     and strpos(lower(concat_ws(' ', operation, action, target_id, target_name, ip, account.email,
       token_id)), lower(:search)) > 0
   order by number desc limit :limit`,
)

/**
 * Returns a page of the records that contain the text, and the position of the next page; null after
 * the last one. Numbers have no gaps, so each page reads a limited range of them.
 */
export async function searchRecords(
  { db, run }: Database,
  chain: string,
  { before, limit, search }: { before: number | null; limit: number; search: string },
): Promise<{ rows: ListedRecord[]; next: number | null }> {
  const end = before ?? (await findEnd(db, chain)) + 1
  const from = Math.max(1, end - searchedAtOnce)
  const parts = { chain, from, before: end, search, limit: limit + 1 }
  const found = await run<ListedRecord>(...searchIn(parts))
  const rows = found.slice(0, limit)
  if (found.length > limit) return { rows, next: Number(rows.at(-1)!.number) }
  return { rows, next: from > 1 ? from : null }
}

async function findEnd(db: Db, chain: string): Promise<number> {
  const query = db.selectFrom('audit_chain').select('number').where('chain', '=', chain)
  return Number((await query.executeTakeFirst())?.number ?? 0)
}
