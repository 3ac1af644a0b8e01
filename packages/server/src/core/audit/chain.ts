// Links audit records: the hash of each includes the hash of the previous one. The key is derived
// from the master key, so that write access to the database is not enough to forge a valid chain.
import { createHmac } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Schema } from '../db/index.ts'

export type AuditRow = Selectable<Schema['audit_record']>
export type Unlinked = Omit<AuditRow, 'hash'>

/** The hash before the first record. */
export const chainStart = Buffer.alloc(32)

/**
 * Hashes the fields as a list in fixed order, so that different records never serialise to the same
 * text.
 */
export const computeLink = (key: Buffer, before: Buffer, row: Unlinked): Buffer =>
  createHmac('sha256', key)
    .update(before)
    .update(
      JSON.stringify([
        row.chain,
        String(row.number),
        row.at.toISOString(),
        row.account_id,
        row.token_id,
        row.ip,
        row.operation,
        row.action,
        row.target_id,
        row.target_name,
        row.result,
      ]),
    )
    .digest()
