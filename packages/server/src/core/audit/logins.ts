// Owns the table token_address. A personal access token has no sign-in: its first use from a
// network takes that place, and is recorded in the workspace in which it is used or, without one,
// in its account's chain.

import { openCache, toNetwork } from '@botstead/lib'
import { type Database, isMissing, statement } from '../db/index.ts'
import type { HttpServices } from '../http/index.ts'

type AuditLog = HttpServices['audit']
type Logins = HttpServices['logins']
type TokenUse = Parameters<Logins['note']>[0]

export function openLogins(database: Database, record: AuditLog['record']): Logins {
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

const keepAddress = statement<{
  tokenId: string
  workspaceId: string | null
  network: string
}>(
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
  record: AuditLog['record'],
  { tokenId, accountId, workspaceId, ip }: TokenUse,
): Promise<true> {
  const kept = database.inTransaction(async (inside) => {
    const added = await inside.run(
      ...keepAddress({ tokenId, workspaceId, network: toNetwork(ip) }),
    )
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
