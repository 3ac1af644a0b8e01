// Verifies a chain from its beginning. It cannot detect that the newest records were removed and
// the chain's end was reset. An anchor (number and hash of a record) that is kept elsewhere detects
// that, too.
import type { Db } from '../db/index.ts'
import { type AuditRow, chainStart, computeLink } from './chain.ts'

export interface Anchor {
  number: number
  hash: Buffer
}

export interface Verification {
  checked: number
  /** The newest record that was checked; null for an empty chain. */
  last: Anchor | null
  /** The first record that fails. */
  fault: { number: number; reason: string } | null
}

const pageSize = 1_000

/** Does not check records that are written during the run. */
export async function verifyChain(
  db: Db,
  key: Buffer,
  chain: string,
  noted: Anchor | null,
): Promise<Verification> {
  const end = await db
    .selectFrom('audit_chain')
    .select(['number', 'hash'])
    .where('chain', '=', chain)
    .executeTakeFirst()
  const length = Number(end?.number ?? 0)
  let last: Anchor = { number: 0, hash: chainStart }
  const found = (fault: Verification['fault']): Verification => ({
    checked: last.number,
    last: last.number === 0 ? null : last,
    fault,
  })
  const fails = (number: number, reason: string) => found({ number, reason })
  if (noted && noted.number > length)
    return fails(noted.number, 'the anchor record is missing')
  while (last.number < length) {
    const rows = await readPage(db, chain, last.number)
    if (rows.length === 0) return fails(last.number + 1, 'a record is missing')
    for (const row of rows) {
      const number = last.number + 1
      if (number > length) break
      const reason =
        findFault(row, number, computeLink(key, last.hash, row)) ??
        differsFrom(noted, row)
      if (reason) return fails(number, reason)
      last = { number, hash: row.hash }
    }
  }
  if (end && !end.hash.equals(last.hash))
    return fails(length, "the chain's end does not match its last record")
  const beyond = end ? undefined : (await readPage(db, chain, 0))[0]
  return beyond
    ? fails(Number(beyond.number), "there are records after the chain's end")
    : found(null)
}

const readPage = (db: Db, chain: string, after: number): Promise<AuditRow[]> =>
  db
    .selectFrom('audit_record')
    .selectAll()
    .where('chain', '=', chain)
    .where('number', '>', String(after))
    .orderBy('number')
    .limit(pageSize)
    .execute()

function findFault(row: AuditRow, number: number, hash: Buffer): string | null {
  if (Number(row.number) !== number) return 'a record is missing'
  return row.hash.equals(hash) ? null : 'the record or its predecessor was modified'
}

const differsFrom = (noted: Anchor | null, { number, hash }: AuditRow): string | null =>
  noted && noted.number === Number(number) && !noted.hash.equals(hash)
    ? 'the record does not match the anchor'
    : null
