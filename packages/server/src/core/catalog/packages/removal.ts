// Removes packages of a deleted workspace; packages that bots of others have installed stay.
import { sql } from 'kysely'
import { type Db, isMissing } from '../../db/index.ts'

/** In this order, because plugins refer to the others. */
const kinds = ['plugin', 'interface', 'integration'] as const

/**
 * Other workspaces cannot have installed private packages; they stay only if a public package needs
 * them. Requires a transaction in which a failing statement does not abort the others.
 */
export async function removePrivatePackages(db: Db, workspaceId: string): Promise<void> {
  for (const kind of kinds) {
    await sql`delete from ${sql.table(kind)} where workspace_id = ${workspaceId} and visibility = 'private'`
      .execute(db)
      .catch((error) => {
        if (!isMissing(error)) throw error
      })
    await sql`
      delete from package_line where workspace_id = ${workspaceId} and kind = ${kind}
      and not exists (select from ${sql.table(kind)} where line_id = package_line.id)`.execute(
      db,
    )
  }
}
