// How records hang together: each has the hash of the one before in its own. The key is derived from the master key, so that who can write to the
// database, and no more, cannot make a chain anew that fits.
import { createHmac } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Schema } from '../db/schema.ts'

export type AuditRow = Selectable<Schema['audit_record']>
export type Unlinked = Omit<AuditRow, 'hash'>

/** What stands before the first record. */
export const beginning = Buffer.alloc(32)

/** As a list, in this order: no two records read the same. */
export const linkOf = (key: Buffer, before: Buffer, row: Unlinked): Buffer =>
  createHmac('sha256', key)
    .update(before)
    .update(
      JSON.stringify([
        ...[row.chain, String(row.number), row.at.toISOString(), row.account_id, row.token_id, row.ip],
        ...[row.operation, row.action, row.target_id, row.target_name, row.result],
      ]),
    )
    .digest()
