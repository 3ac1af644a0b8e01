// Re-links the audit records of a workspace that arrives from another installation. The key of a chain
// belongs to its installation, so each record gets a new hash with the local key. The importer stages the
// accounts in the temporary table `account_here (there, here)` of its session.
import type pg from 'pg'
import { chainStart, computeLink } from './chain.ts'

/**
 * Returns a function that re-links records, as JSON, in order. Accounts in them are already local.
 * Records that are here already stay as they are.
 */
export async function createRelinker(
  session: pg.Client,
  key: Buffer,
  chain: string,
): Promise<(line: string) => string> {
  const { rows } = await session.query<{ there: string; here: string }>(
    'select there, here from account_here',
  )
  const accounts = new Map(rows.map(({ there, here }) => [there, here]))
  const { rows: known } = await session.query<{ number: string; hash: Buffer }>(
    'select number, hash from audit_record where chain = $1 order by number desc limit 1',
    [chain],
  )
  let before: Buffer = known[0]?.hash ?? chainStart
  return (line) => {
    const row = JSON.parse(line)
    if (known[0] && BigInt(row.number) <= BigInt(known[0].number)) return line
    const accountId = accounts.get(row.account_id) ?? row.account_id
    before = computeLink(key, before, {
      ...row,
      at: new Date(row.at),
      account_id: accountId,
    })
    return JSON.stringify({
      ...row,
      account_id: accountId,
      hash: `\\x${before.toString('hex')}`,
    })
  }
}
