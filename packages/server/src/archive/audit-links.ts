// A chain of audit records is tied with a key of its installation. Where it arrives it is tied anew, record by record, with the key of that one.
import type pg from 'pg'
import { beginning, linkOf } from '../audit/chain.ts'

/** For the records as JSON, in their order. Accounts are those of here. */
export async function relinking(session: pg.Client, key: Buffer): Promise<(line: string) => string> {
  const { rows } = await session.query<{ there: string; here: string }>(
    'select there, here from account_here',
  )
  const accounts = new Map(rows.map(({ there, here }) => [there, here]))
  let before: Buffer = beginning
  return (line) => {
    const row = JSON.parse(line)
    const accountId = accounts.get(row.account_id) ?? row.account_id
    before = linkOf(key, before, { ...row, at: new Date(row.at), account_id: accountId })
    return JSON.stringify({ ...row, account_id: accountId, hash: `\\x${before.toString('hex')}` })
  }
}

/** Once the records are in. */
export const endChain = (session: pg.Client, workspaceId: string) =>
  session.query(
    `update audit_chain chain set number = last.number, hash = last.hash
    from (select number, hash from audit_record where chain = $1 order by number desc limit 1) last where chain.chain = $1`,
    [workspaceId],
  )
