// Records events of an account, such as sign-ins: in the chains of its workspaces, where auditors
// read them, or in the account's own chain without a workspace.
import type { Database, Db } from '../db/index.ts'
import type { HttpServices, NewAuditRecord } from '../http/index.ts'

type AccountEvent = Pick<NewAuditRecord, 'operation' | 'targetId' | 'ip' | 'result'>

export async function recordAccountEvent(
  { audit }: Pick<HttpServices, 'audit'>,
  database: Database,
  accountId: string,
  event: AccountEvent,
): Promise<void> {
  await audit.record(database, await audit.accountChains(database.db, accountId), {
    accountId,
    tokenId: null,
    action: 'UNKNOWN',
    targetName: event.ip,
    ...event,
  })
}

/** Returns the chains of the account's workspaces; without any, its own. */
export async function accountChains(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('workspace_member')
    .select('workspace_id')
    .where('account_id', '=', accountId)
    .execute()
  return rows.length === 0 ? [accountId] : rows.map((row) => row.workspace_id)
}
