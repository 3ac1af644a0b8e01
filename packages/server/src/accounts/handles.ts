// Handles of workspaces: the names that go before their packages.
import type { Db } from '../db/open.ts'

/** `usedBy` only where the caller is a member: strangers learn no more than that it is taken. */
export interface HandleCheck {
  available: boolean
  suggestions: string[]
  usedBy?: string
}

const longest = 50

/** When the handle is taken, up to three that are not. */
export async function checkHandle(db: Db, accountId: string, handle: string): Promise<HandleCheck> {
  const candidates = Array.from({ length: 9 }, (_, i) => `${handle.slice(0, longest - 2)}-${i + 1}`)
  const taken = await db
    .selectFrom('workspace')
    .leftJoin('workspace_member as member', (on) =>
      on.onRef('member.workspace_id', '=', 'workspace.id').on('member.account_id', '=', accountId),
    )
    .select(['handle', 'id', 'member.role'])
    .where('handle', 'in', [handle, ...candidates])
    .execute()
  const holder = taken.find((row) => row.handle === handle)
  if (!holder) return { available: true, suggestions: [] }
  const free = candidates.filter((candidate) => !taken.some((row) => row.handle === candidate))
  return { available: false, suggestions: free.slice(0, 3), ...(holder.role && { usedBy: holder.id }) }
}
