// The present names of objects that audit records have as ids.
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

/** Tables of objects in bots, with the columns of id and name. */
const inBots = [
  ['bot_version', 'id', 'name'],
  ['bot_table', 'bot_table_id', 'name'],
  ['broadcast', 'id', 'name'],
  ['canned_reply', 'id', 'name'],
  ['file', 'id', 'key'],
  ['knowledge_base', 'id', 'name'],
  ['knowledge_source', 'id', 'url'],
  ['user', 'id', 'name'],
] as const

/**
 * Returns the names of those ids that exist in the workspace: of a bot or workspace its name, of an
 * integration its name and version, of an account its address, of a token its note.
 */
export async function findAuditNames(
  db: Db,
  workspaceId: string,
  ids: string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const ofBots = inBots.map(
    ([table, id, name]) => sql`
      union all select t.${sql.ref(id)}, t.${sql.ref(name)}
      from bot b join ${sql.table(table)} t on t.bot_id = b.id
      where b.workspace_id = ${workspaceId} and t.${sql.ref(id)} = any(${ids}::text[])`,
  )
  const { rows } = await sql<{ id: string; name: string | null }>`
    select id, name from bot where workspace_id = ${workspaceId} and id = any(${ids}::text[])
    union all select id, name from workspace where id = ${workspaceId} and id = any(${ids}::text[])
    union all select id, coalesce(title, name) || ' ' || version from integration
      where workspace_id = ${workspaceId} and id = any(${ids}::text[])
    union all select a.id, a.email from workspace_member m join account a on a.id = m.account_id
      where m.workspace_id = ${workspaceId} and a.id = any(${ids}::text[])
    union all select t.id, nullif(t.note, '') from workspace_member m
      join token t on t.account_id = m.account_id
      where m.workspace_id = ${workspaceId} and t.id = any(${ids}::text[])
    ${sql.join(ofBots, sql` `)}`.execute(db)
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])))
}
