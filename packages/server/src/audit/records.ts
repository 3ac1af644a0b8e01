// Audit records as they are listed, newest first.
import type { Db } from '../db/open.ts'
import type { AuditRow } from './chain.ts'

/** The address is that of today; of an account that is gone there is none. */
export type ListedRecord = AuditRow & { email: string | null }

/** `before` is the number of the last one of the page before. */
export function listRecords(
  db: Db,
  chain: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<ListedRecord[]> {
  let query = db
    .selectFrom('audit_record')
    .leftJoin('account', 'account.id', 'audit_record.account_id')
    .selectAll('audit_record')
    .select('account.email')
    .where('chain', '=', chain)
  if (before !== null) query = query.where('number', '<', String(before))
  return query.orderBy('number', 'desc').limit(limit).execute()
}
