// The integrations that come with the server, and the integrations that a bot may install.
// integrations.ts owns the rows; those without a workspace are the server's own.
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import {
  chatDefinition,
  chatDescription,
  chatTitle,
} from '../installations/chat-definition.ts'
import {
  webchatDefinition,
  webchatDescription,
  webchatTitle,
} from '../installations/webchat-definition.ts'
import { toRank } from '../packages/versions.ts'
import type { IntegrationDefinition } from './definition.ts'
import type { Integration } from './integration-row.ts'

/** An integration that a bot may install, with the version of its code. */
export type Installable = Integration & { code_version: string | null }

/**
 * The same id on every server, because bots contain the ids of installed integrations in their
 * code.
 */
export const chatIntegrationId = 'intver_01J0000000000000000000CHAT'

/**
 * Version for new bots. Higher than any that a client of this major requires: `bp chat` rejects
 * versions below its own.
 */
export const chatVersion = '0.99.0'

/** An integration that comes with the server. */
interface HubIntegration {
  name: string
  title: string
  description: string
  definition: IntegrationDefinition
  /** By id. The ids are the same on every server, because bots contain them. */
  versions: Record<string, string>
  /** Of the code in this server (core/delivery/calls/own-code.ts); null without code. */
  url: string | null
}

const builtIns: HubIntegration[] = [
  {
    name: 'chat',
    title: chatTitle,
    description: chatDescription,
    definition: chatDefinition,
    // The same integration in two majors: clients accept only their own major.
    versions: {
      [chatIntegrationId]: chatVersion,
      intver_01J0000000000000000001CHAT: '1.99.0',
    },
    url: null,
  },
  {
    name: 'webchat',
    title: webchatTitle,
    description: webchatDescription,
    definition: webchatDefinition,
    versions: {
      intver_01J00000000000000WEBCHAT00: '0.99.0',
      intver_01J00000000000000WEBCHAT01: '1.99.0',
    },
    url: null,
  },
]
export const chatIntegrationIds = builtIns.flatMap(({ versions }) =>
  Object.keys(versions),
)
export const isChat = (integrationId: string) =>
  chatIntegrationIds.includes(integrationId)

/**
 * Updates the built-in integrations and `others` at every start. Servers that start together take turns:
 * `on conflict` covers only the id, and they would break the uniqueness of names.
 */
export const seedHub = (db: Db, others: HubIntegration[] = []): Promise<void> =>
  db.transaction().execute(async (inside) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('built-in integrations', 0))`.execute(
      inside,
    )
    await writeHub(inside, [...builtIns, ...others])
  })

async function writeHub(db: Db, integrations: HubIntegration[]): Promise<void> {
  const rows = integrations.flatMap(
    ({ name, title, description, definition, versions, url }) =>
      Object.entries(versions).map(
        ([id, version]) =>
          sql`(${id}, ${name}, ${version}, ${toRank(version)}, 'public', ${title}, ${description},
          ${JSON.stringify(definition)}::jsonb, ${url})`,
      ),
  )
  await sql`
    insert into integration (id, name, version, rank, visibility, title, description, definition, url)
      values ${sql.join(rows)}
    on conflict (id) do update set name = excluded.name, version = excluded.version, rank = excluded.rank,
      visibility = excluded.visibility,
      title = excluded.title, description = excluded.description, definition = excluded.definition,
      url = excluded.url, updated_at = now()
    where (integration.name, integration.version, integration.rank, integration.visibility, integration.title,
      integration.description, integration.definition, integration.url)
      is distinct from (excluded.name, excluded.version, excluded.rank, excluded.visibility, excluded.title,
        excluded.description, excluded.definition, excluded.url)
  `.execute(db)
}

/**
 * Returns the integrations that the workspace may install: its own, and those that are not private.
 * Versions under development require a bot under development.
 */
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

interface Reference {
  id?: string | undefined
  name: string
  version: string
}

/**
 * Returns the ids of the integrations that a bot may install, by the keys of the references: those with the
 * id of the reference, otherwise with its name and version, because ids may be of another server.
 */
async function matchIntegrations(
  db: Db,
  { workspace_id: workspaceId, dev }: { workspace_id: string; dev: boolean },
  references: Record<string, Reference>,
): Promise<Map<string, string>> {
  const all = Object.values(references)
  const ids = all.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const byId = await findInstallable(db, workspaceId, dev, ids)
  const names = [...new Set(all.map(({ name }) => name))]
  const byName = await findInstallableByName(db, workspaceId, dev, names)
  const findId = ({ id, name, version }: Reference) => {
    const known = id === undefined ? undefined : byId.get(id)
    if (known?.name === name && known.version === version) return known.id
    return byName.find((one) => one.name === name && one.version === version)?.id
  }
  return new Map(
    Object.entries(references).flatMap(([key, reference]) => {
      const id = findId(reference)
      return id === undefined ? [] : [[key, id] as const]
    }),
  )
}

/** Lists the versions with these names that the workspace may install, its own first. */
async function findInstallableByName(
  db: Db,
  workspaceId: string,
  dev: boolean,
  names: string[],
): Promise<Pick<Integration, 'id' | 'name' | 'version'>[]> {
  if (!names.length) return []
  let query = db
    .selectFrom('integration')
    .select(['id', 'name', 'version'])
    .where('name', 'in', names)
  query = query.where((is) =>
    is.or([is('visibility', '<>', 'private'), is('workspace_id', '=', workspaceId)]),
  )
  if (!dev) query = query.where('dev', '=', false)
  return query
    .orderBy(sql`workspace_id is distinct from ${workspaceId}`)
    .orderBy('id', 'desc')
    .execute()
}

/** Returns whether the server implements the integration itself, without a call of code. */
export const isBuiltIn = (integration: {
  workspace_id: string | null
  url: string | null
}) => integration.workspace_id === null && integration.url === null

/** Public integrations that every workspace may install. */
export const hub = {
  isChat,
  match: matchIntegrations,
  seed: seedHub,
}
