// Workspace handles: the prefix of package names.
import type { Db } from '../db/index.ts'

/** `usedBy` is set only for members: others only see that the handle is taken. */
interface HandleCheck {
  available: boolean
  suggestions: string[]
  usedBy?: string
}

const maxLength = 50

/** Checks a handle; if it is taken, suggests up to three available ones. */
export async function checkHandle(
  db: Db,
  accountId: string,
  handle: string,
): Promise<HandleCheck> {
  const candidates = Array.from(
    { length: 9 },
    (_, i) => `${handle.slice(0, maxLength - 2)}-${i + 1}`,
  )
  const taken = await db
    .selectFrom('workspace')
    .leftJoin('workspace_member as member', (on) =>
      on
        .onRef('member.workspace_id', '=', 'workspace.id')
        .on('member.account_id', '=', accountId),
    )
    .select(['handle', 'id', 'member.role'])
    .where('handle', 'in', [handle, ...candidates])
    .execute()
  const holder = taken.find((row) => row.handle === handle)
  if (!holder) return { available: true, suggestions: [] }
  const free = candidates.filter(
    (candidate) => !taken.some((row) => row.handle === candidate),
  )
  return {
    available: false,
    suggestions: free.slice(0, 3),
    ...(holder.role && { usedBy: holder.id }),
  }
}
