// What the server brings itself, and what of all integrations a bot may install. The rows are those of integrations/integrations.ts; those without a
// workspace are the server's own.
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { rankOf } from '../packages/versions.ts'
import { chatDefinition, chatDescription, chatTitle } from './chat-definition.ts'
import type { Integration } from './integrations.ts'

/** What a bot may install, and which code it has. */
export type Installable = Integration & { code_version: string | null }

/** The same on every server, since bots keep the ids of what they install in their own code. */
export const chatIntegrationId = 'intver_01J0000000000000000000CHAT'

/** What new bots have. Later than any that a client of this major may want: `bp chat` takes none that is earlier than itself. */
export const chatVersion = '0.99.0'

/** One and the same, in two majors: clients take none of another than their own. */
const chats = [
  { id: chatIntegrationId, version: chatVersion },
  { id: 'intver_01J0000000000000000001CHAT', version: '1.99.0' },
]
export const chatIntegrationIds = chats.map(({ id }) => id)
export const isChat = (integrationId: string) => chats.some(({ id }) => id === integrationId)

/** At every start: what is there already becomes what this version of the server says. */
export async function seedHub(db: Db): Promise<void> {
  const definition = JSON.stringify(chatDefinition)
  const rows = chats.map(
    ({ id, version }) =>
      sql`(${id}, 'chat', ${version}, ${rankOf(version)}, 'public', ${chatTitle}, ${chatDescription}, ${definition}::jsonb)`,
  )
  await sql`
    insert into integration (id, name, version, rank, visibility, title, description, definition) values ${sql.join(rows)}
    on conflict (id) do update set name = excluded.name, version = excluded.version, rank = excluded.rank, visibility = excluded.visibility,
      title = excluded.title, description = excluded.description, definition = excluded.definition, updated_at = now()
    where (integration.name, integration.version, integration.rank, integration.visibility, integration.title, integration.description, integration.definition)
      is distinct from (excluded.name, excluded.version, excluded.rank, excluded.visibility, excluded.title, excluded.description, excluded.definition)
  `.execute(db)
}

/** Of these ids, those that the workspace may install: its own, and what is not private. Those under development only in bots under development. */
export async function findInstallable(
  db: Db,
  workspaceId: string,
  dev: boolean,
  ids: string[],
): Promise<Map<string, Installable>> {
  if (!ids.length) return new Map()
  let query = db
    .selectFrom('integration')
    .leftJoin('integration_code', 'integration_id', 'id')
    .selectAll('integration')
    .select('integration_code.version as code_version')
    .where('id', 'in', ids)
  query = query.where((is) =>
    is.or([is('visibility', '<>', 'private'), is('workspace_id', '=', workspaceId)]),
  )
  if (!dev) query = query.where('dev', '=', false)
  const rows = (await query.execute()) as unknown as Installable[]
  return new Map(rows.map((row) => [row.id, row]))
}

/** Of these names, every version that the workspace may install; its own first. */
export async function findInstallableByName(
  db: Db,
  workspaceId: string,
  dev: boolean,
  names: string[],
): Promise<Pick<Integration, 'id' | 'name' | 'version'>[]> {
  if (!names.length) return []
  let query = db.selectFrom('integration').select(['id', 'name', 'version']).where('name', 'in', names)
  query = query.where((is) =>
    is.or([is('visibility', '<>', 'private'), is('workspace_id', '=', workspaceId)]),
  )
  if (!dev) query = query.where('dev', '=', false)
  return query.orderBy(sql`workspace_id is distinct from ${workspaceId}`).orderBy('id', 'desc').execute()
}

/** What the server does itself: nothing is invoked for it. */
export const isBuiltIn = (integration: { workspace_id: string | null; url: string | null }) =>
  integration.workspace_id === null && integration.url === null
