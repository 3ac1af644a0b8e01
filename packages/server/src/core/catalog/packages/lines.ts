// Owns the table package_line: data that all versions of a name share. A line exists while it has a
// version.

import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { type Db, type Schema, toJson } from '../../db/index.ts'
import type { PackageTable } from './versions.ts'

export type PackageLine = Selectable<Schema['package_line']>

/**
 * Locks the line until the end of the transaction. `name` is null for a version under development:
 * it shares nothing.
 */
export async function claimLine(
  db: Db,
  kind: PackageTable,
  workspaceId: string,
  name: string | null,
): Promise<PackageLine> {
  const { rows } = await sql<PackageLine>`
    insert into package_line (id, kind, workspace_id, name)
      values (${randomUUID()}, ${kind}, ${workspaceId}, ${name})
    on conflict (workspace_id, kind, name) where name is not null do update set name = excluded.name
    returning *`.execute(db)
  return rows[0]!
}

export async function changeLine(
  db: Db,
  id: string,
  change: { iconId: string | null; secrets: Record<string, string> },
): Promise<void> {
  await db
    .updateTable('package_line')
    .set({ icon_id: change.iconId, secrets: toJson(change.secrets) })
    .where('id', '=', id)
    .execute()
}

/** Requires the transaction that deleted a version. Returns the icon that is no longer used. */
export async function dropEmptyLine(
  db: Db,
  kind: PackageTable,
  id: string,
): Promise<string | null> {
  // Waits for a concurrent creation of a version, which holds the line, so that its row becomes
  // visible.
  await sql`select from package_line where id = ${id} for update`.execute(db)
  const { rows } = await sql<{ icon: string | null }>`
    delete from package_line where id = ${id} and not exists (select from ${sql.table(kind)}
      where line_id = ${id}) returning icon_id as icon`.execute(db)
  return rows[0]?.icon ?? null
}
