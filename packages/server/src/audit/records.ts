// Audit records as they are listed, newest first.
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { AuditRow } from './chain.ts'

/** The address is that of today; of an account that is gone there is none. */
export type ListedRecord = AuditRow & { email: string | null }

/** `before` is the number of the last record of the page before; `result` keeps to records of one outcome (migration 0046 has their index). */
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
