// Lists integrations of a workspace and of the hub. Does not read definitions, which may be large.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { listed, type Scope, versionIs } from '../packages/versions.ts'

export interface IntegrationListing {
  dev: boolean
  name?: string | undefined
  version?: string | undefined
  interfaceId?: string | undefined
  interfaceName?: string | undefined
  installedByBotId?: string | undefined
  visibility?: 'public' | 'private' | undefined
  search?: string | undefined
  sortBy: 'popularity' | 'name' | 'createdAt' | 'updatedAt' | 'installCount'
  direction: 'asc' | 'desc'
  /** Position of the previous page's last row: sort value and id. */
  after: string[] | null
  limit: number
}

export interface ListedIntegration {
  id: string
  name: string
  version: string
  title: string | null
  description: string
  visibility: 'private' | 'unlisted' | 'public'
  attributes: Record<string, string>
  actionNames: string[]
  interfaceNames: string[]
  iconId: string | null
  createdAt: Date
  updatedAt: Date
  owner: IntegrationOwner | null
  installs: number
  views: number
  /** Sort value, as text. */
  position: string
}

export interface IntegrationOwner {
  id: string
  handle: string | null
  name: string
}

const installs = sql`(select count(*) from installation where integration_id = p.id)`
const views = sql`coalesce((select count from integration_view where integration_id = p.id), 0)`

/**
 * Sort expressions and their types in page tokens. Popularity is the number of installations, then
 * of views.
 */
const orders = {
  createdAt: [sql`p.created_at`, 'timestamptz'],
  updatedAt: [sql`p.updated_at`, 'timestamptz'],
  name: [sql`p.name`, 'text'],
  installCount: [installs, 'numeric'],
  popularity: [sql`${installs} * 1000000000::numeric + ${views}`, 'numeric'],
} as const

export async function listIntegrations(
  db: Db,
  scope: Scope,
  listing: IntegrationListing,
): Promise<ListedIntegration[]> {
  const [order, type] = orders[listing.sortBy]
  const direction = sql.raw(listing.direction)
  const { rows } = await sql<ListedIntegration>`
    select p.id, p.name, p.version, p.title, p.description, p.visibility, p.attributes,
      p.action_names as "actionNames", p.interface_names as "interfaceNames",
      line.icon_id as "iconId", p.created_at as "createdAt", p.updated_at as "updatedAt", ${owner} as owner,
      ${installs}::float8 as installs, ${views}::float8 as views, (${order})::text as position
    from integration p left join package_line line on line.id = p.line_id
    where ${sql.join(conditions(scope, listing), sql` and `)} ${beyond(listing, order, type)}
    order by ${order} ${direction}, p.id ${direction} limit ${listing.limit}`.execute(db)
  return rows
}

/** Workspace of the integration; null for built-in ones. */
const owner = sql`(select jsonb_build_object('id', w.id, 'handle', w.handle, 'name', w.name)
  from workspace w where w.id = p.workspace_id)`

function beyond(
  { after, direction }: IntegrationListing,
  order: RawBuilder<unknown>,
  type: string,
) {
  return after
    ? sql`and (${order}, p.id) ${sql.raw(direction === 'asc' ? '>' : '<')} (${after[0]}::${sql.raw(type)},
      ${after[1]})`
    : sql``
}

function conditions(scope: Scope, listing: IntegrationListing): RawBuilder<unknown>[] {
  const {
    name,
    version,
    interfaceId,
    interfaceName,
    installedByBotId,
    visibility,
    search,
  } = listing
  return [
    listed(scope),
    listing.dev ? sql`p.dev` : sql`not p.dev`,
    ...(name === undefined ? [] : [sql`p.name = ${name}`]),
    ...(version === undefined ? [] : [versionIs('integration', scope, version)]),
    ...(interfaceId === undefined
      ? []
      : [sql`p.interface_ids @> array[${interfaceId}]::text[]`]),
    ...(interfaceName === undefined
      ? []
      : [sql`p.interface_names @> array[${interfaceName}]::text[]`]),
    ...(installedByBotId === undefined
      ? []
      : [
          sql`exists (select from installation where integration_id = p.id and bot_id = ${installedByBotId})`,
        ]),
    ...(visibility === undefined ? [] : [sql`p.visibility = ${visibility}`]),
    ...(search === undefined
      ? []
      : [sql`strpos(lower(${searched}), ${search.toLowerCase()}) > 0`]),
  ]
}

const searched = sql`concat_ws(E'\n', p.name, p.title, p.description, array_to_string(p.action_names, E'\n'),
  array_to_string(p.interface_names, E'\n'))`

/** Returns the fields that contain the search text. */
export function findMatches(
  { name, title, description, actionNames, interfaceNames }: ListedIntegration,
  search: string,
) {
  const has = (text: string | null) =>
    (text ?? '').toLowerCase().includes(search.toLowerCase())
  const [actions, interfaces] = [actionNames.filter(has), interfaceNames.filter(has)]
  return {
    ...(has(name) && { name: true }),
    ...(has(title) && { title: true }),
    ...(has(description) && { description: true }),
    ...(actions.length > 0 && { actions }),
    ...(interfaces.length > 0 && { interfaces }),
  }
}

/** Returns owner, installations and views of a version. */
export async function findHubFacts(
  db: Db,
  id: string,
): Promise<{ owner: IntegrationOwner | null; installs: number; views: number }> {
  const { rows } = await sql<{
    owner: IntegrationOwner | null
    installs: number
    views: number
  }>`
    select ${owner} as owner, ${installs}::float8 as installs, ${views}::float8 as views from integration p
      where p.id = ${id}`.execute(db)
  return rows[0] ?? { owner: null, installs: 0, views: 0 }
}

/** Counts a view in the hub. */
export async function countView(db: Db, id: string): Promise<void> {
  await sql`insert into integration_view as v (integration_id, count) select id, 1 from integration
    where id = ${id}
    on conflict (integration_id) do update set count = v.count + 1`.execute(db)
}
