// Owns the table token_address. A personal access token has no sign-in: its first use from a
// network takes that place, and is recorded in the workspace in which it is used or, without one,
// in its account's chain.

import { openCache, toNetwork } from '@botstead/lib'
import { type Database, isMissing, statement } from '../db/index.ts'
import type { NewAuditRecord } from './audit-log.ts'

interface TokenUse {
  tokenId: string
  accountId: string
  workspaceId: string | null
  ip: string
}

export interface Logins {
  /** Records a first use. Skips the query for uses that this process has seen before. */
  note(use: TokenUse): Promise<void>
}

type Record = (database: Database, chains: string[], record: NewAuditRecord) => Promise<void>

export function openLogins(database: Database, record: Record): Logins {
  const seen = openCache((key) => keep(database, record, JSON.parse(key) as TokenUse), {
    size: 50_000,
    ttlMs: 3_600_000,
  })
  return {
    async note(use) {
      const key = JSON.stringify(use)
      if (!seen.peek(key)) await seen.get(key)
    },
  }
}

const keepAddress = statement<{ tokenId: string; workspaceId: string | null; network: string }>(
  'keep-token-address',
  `insert into token_address (token_id, workspace_id, network)
   values (:tokenId, :workspaceId, :network) on conflict do nothing
   returning 1`,
)

/**
 * Writes the address and its record in one transaction. Writes nothing if the token or the
 * workspace was deleted in the meantime.
 */
async function keep(
  database: Database,
  record: Record,
  { tokenId, accountId, workspaceId, ip }: TokenUse,
): Promise<true> {
  const kept = database.inTransaction(async (inside) => {
    const added = await inside.run(...keepAddress({ tokenId, workspaceId, network: toNetwork(ip) }))
    if (added.length === 0) return
    await record(inside, [workspaceId ?? accountId], {
      accountId,
      tokenId,
      ip,
      operation: 'token.firstUseFromAddress',
      action: 'UNKNOWN',
      targetId: tokenId,
      targetName: ip,
      result: 'done',
    })
  })
  await kept.catch((error) => {
    if (!isMissing(error)) throw error
  })
  return true
}
