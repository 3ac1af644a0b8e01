// Lists audit records, newest first.
import { sql } from 'kysely'
import type { Db } from '../../../infra/db/open.ts'
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
