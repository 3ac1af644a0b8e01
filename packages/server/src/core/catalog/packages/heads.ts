// Finds and lists versions of interfaces and plugins. Integrations have their own module, with more
// search fields.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import {
  findVersionId,
  listed,
  reachable,
  type Scope,
  type Visibility,
  versionIs,
} from './versions.ts'

export type HeadedTable = 'interface' | 'plugin'

export interface PackageHead {
  id: string
  workspace_id: string
  name: string
  version: string
  visibility: Visibility
  title: string | null
  description: string
  icon_id: string | null
  readme_id: string | null
  created_at: Date
  updated_at: Date
}
export type Package<Definition> = PackageHead & { definition: Definition }

const head = sql`p.id, p.workspace_id, p.name, p.version, p.visibility, p.title, p.description, line.icon_id,
  p.readme_id, p.created_at, p.updated_at`
const from = (table: HeadedTable) =>
  sql`${sql.table(table)} p join package_line line on line.id = p.line_id`

/** Returns null for a package that does not exist in this scope. */
export async function findPackage<D>(
  db: Db,
  table: HeadedTable,
  scope: Scope,
  id: string,
): Promise<Package<D> | null> {
  return (
    (await findPackages<D>(db, table, sql`p.id = ${id} and ${reachable(scope)}`))[0] ??
    null
  )
}

/** `version` is a number, a range or `latest`. */
export async function findPackageByName<D>(
  db: Db,
  table: HeadedTable,
  scope: Scope,
  name: string,
  version: string,
): Promise<Package<D> | null> {
  const id = await findVersionId(db, table, scope, name, version)
  return id === null ? null : findPackage(db, table, scope, id)
}

/** Returns packages with definitions, by any condition on `p`. */
export async function findPackages<D>(
  db: Db,
  table: HeadedTable,
  condition: RawBuilder<unknown>,
): Promise<Package<D>[]> {
  const { rows } = await sql<
    Package<D>
  >`select ${head}, p.definition from ${from(table)} where ${condition}`.execute(db)
  return rows
}

export async function findHeads(
  db: Db,
  table: HeadedTable,
  ids: string[],
): Promise<Map<string, PackageHead>> {
  if (!ids.length) return new Map()
  const { rows } =
    await sql<PackageHead>`select ${head} from ${from(table)} where p.id = any(${ids})`.execute(
      db,
    )
  return new Map(rows.map((row) => [row.id, row]))
}

interface PackageListing {
  name: string | undefined
  version: string | undefined
  /** Position of the previous page's last row. */
  after: { at: string; id: string } | null
  limit: number
}

/** Newest first. */
export async function listPackages(
  db: Db,
  table: HeadedTable,
  scope: Scope,
  { name, version, after, limit }: PackageListing,
): Promise<PackageHead[]> {
  const conditions = [
    listed(scope),
    ...(name === undefined ? [] : [sql`p.name = ${name}`]),
    ...(version === undefined ? [] : [versionIs(table, scope, version)]),
    ...(after
      ? [sql`(p.created_at, p.id) < (${after.at}::timestamptz, ${after.id})`]
      : []),
  ]
  const { rows } = await sql<PackageHead>`
    select ${head} from ${from(table)} where ${sql.join(conditions, sql` and `)}
      order by p.created_at desc, p.id desc limit ${limit}`.execute(db)
  return rows
}
