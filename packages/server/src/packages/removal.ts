// What becomes of packages whose workspace is gone, where bots of others still have some of them.
import { sql } from 'kysely'
import { isMissing } from '../db/conflicts.ts'
import type { Db } from '../db/open.ts'

/** In this order: plugins refer to the others. */
const kinds = ['plugin', 'interface', 'integration'] as const

/** Nobody else could have installed what is private; it stays only where a public package needs it. In a transaction whose statements fail alone. */
export async function removePrivatePackages(db: Db, workspaceId: string): Promise<void> {
  for (const kind of kinds) {
    await sql`delete from ${sql.table(kind)} where workspace_id = ${workspaceId} and visibility = 'private'`
      .execute(db)
      .catch((error) => {
        if (!isMissing(error)) throw error
      })
    await sql`
      delete from package_line where workspace_id = ${workspaceId} and kind = ${kind}
      and not exists (select from ${sql.table(kind)} where line_id = package_line.id)`.execute(db)
  }
}
