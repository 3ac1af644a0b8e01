// Owns the tables account_preference and workspace_preference: settings that clients store for a
// person, or for all members of a workspace.
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

type PreferenceHolder = { accountId: string } | { workspaceId: string }

const toTable = (holder: PreferenceHolder) =>
  'accountId' in holder
    ? {
        table: sql.table('account_preference'),
        column: sql.ref('account_id'),
        id: holder.accountId,
      }
    : {
        table: sql.table('workspace_preference'),
        column: sql.ref('workspace_id'),
        id: holder.workspaceId,
      }

/** Returns undefined for a preference that was never set. */
export async function findPreference(
  db: Db,
  holder: PreferenceHolder,
  key: string,
): Promise<unknown> {
  const { table, column, id } = toTable(holder)
  const { rows } = await sql<{
    value: unknown
  }>`select value from ${table} where ${column} = ${id} and key = ${key}`.execute(db)
  return rows[0]?.value
}

/** Undefined deletes the preference. */
export async function setPreference(
  db: Db,
  holder: PreferenceHolder,
  key: string,
  value: unknown,
): Promise<void> {
  const { table, column, id } = toTable(holder)
  if (value === undefined) {
    await sql`delete from ${table} where ${column} = ${id} and key = ${key}`.execute(db)
    return
  }
  await sql`
    insert into ${table} (${column}, key, value) values (${id}, ${key}, ${JSON.stringify(value)}::jsonb)
    on conflict (${column}, key) do update set value = excluded.value
  `.execute(db)
}
