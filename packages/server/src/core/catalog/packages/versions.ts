// Versions of packages, common to integrations, interfaces and plugins. A version has its own id
// and is unique by workspace, name and number, except under development. A number, a range or
// `latest` selects the highest match. The tables have the columns id, workspace_id, name, version,
// rank and visibility; statements use the alias `p`.
import { ApiError } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import semver from 'semver'
import type { Db } from '../../db/index.ts'

export type PackageTable = 'integration' | 'interface' | 'plugin'
export type Visibility = 'private' | 'unlisted' | 'public'

/**
 * Converts the older boolean. False changes only a public package: an unlisted one stays unlisted.
 */
export function olderVisibility(
  now: Visibility,
  isPublic: boolean | undefined,
): Visibility {
  if (isPublic) return 'public'
  return isPublic === false && now === 'public' ? 'private' : now
}

/** Packages to search: a workspace's own, or those visible to the whole server. */
export type Scope = { workspaceId: string } | 'hub'

type Condition = RawBuilder<boolean>

/**
 * Throws InvalidPayload. Rejects equivalent spellings: no leading `v`, no build metadata after `+`.
 */
export function checkPackageVersion(version: string): void {
  if (semver.valid(version) !== version)
    throw new ApiError(
      'InvalidPayload',
      `"${version.slice(0, 50)}" is not a semantic version like 1.0.0`,
    )
}

const digits = (number: number) => String(number).padStart(16, '0')
const toCore = ({ major, minor, patch }: semver.SemVer) =>
  [major, minor, patch].map(digits).join('.')

/**
 * Returns a text that sorts bytewise in order of versions, but with all releases after all
 * pre-releases: a pre-release is the latest only if there is no release.
 */
export function toRank(version: string): string {
  const parsed = semver.parse(version)
  if (!parsed) return ''
  const early = parsed.prerelease
    .map((part) => (typeof part === 'number' ? `0${digits(part)}` : `1${part}`))
    .join(' ')
  return early === '' ? `1${toCore(parsed)}` : `0${toCore(parsed)} ${early}`
}

/** Picks a version by number, range or `latest`; returns null if none matches. */
export function pickVersion<V extends { version: string }>(
  all: V[],
  wanted: string,
): V | null {
  const exact = all.find(({ version }) => version === wanted)
  if (exact) return exact
  const numbers = all
    .map(({ version }) => version)
    .filter((version) => semver.valid(version))
  const highest =
    wanted === 'latest'
      ? (semver.maxSatisfying(numbers, '*') ?? semver.rsort(numbers)[0])
      : highestWithin(numbers, wanted)
  return all.find(({ version }) => version === highest) ?? null
}

const maxRangeLength = 200
const parseRange = (text: string) =>
  text.length > maxRangeLength || semver.validRange(text) === null
    ? null
    : new semver.Range(text)

function highestWithin(numbers: string[], wanted: string) {
  const range = parseRange(wanted)
  return range && semver.maxSatisfying(numbers, range)
}

/** Condition for packages that can be found by name or id. */
export const reachable = (scope: Scope): Condition =>
  scope === 'hub'
    ? sql<boolean>`p.visibility <> 'private'`
    : sql<boolean>`p.workspace_id = ${scope.workspaceId}`

/** Condition for packages in listings. */
export const listed = (scope: Scope): Condition =>
  scope === 'hub' ? sql<boolean>`p.visibility = 'public'` : reachable(scope)

/** Versions under development can be found only by id. */
const released = (table: PackageTable): Condition =>
  table === 'integration' ? sql<boolean>`not p.dev` : sql<boolean>`true`

/**
 * Returns the id of the matching version, or null. In the hub, the server's own packages take
 * precedence.
 */
export async function findVersionId(
  db: Db,
  table: PackageTable,
  scope: Scope,
  name: string,
  wanted: string,
): Promise<string | null> {
  const { rows } = await sql<{ id: string; version: string; ownOfServer: boolean }>`
    select p.id, p.version, p.workspace_id is null as "ownOfServer" from ${sql.table(table)} p
      where p.name = ${name} and ${reachable(scope)} and ${released(table)}
    order by p.workspace_id nulls first, p.id`.execute(db)
  const found =
    pickVersion(rows, wanted) ??
    rows.find(({ version, ownOfServer }) => ownOfServer && standsIn(version, wanted))
  return found?.id ?? null
}

/**
 * The server's own packages exist in one version, which replaces all earlier versions of its major.
 */
const standsIn = (own: string, wanted: string) =>
  semver.valid(wanted) !== null &&
  semver.gte(own, wanted) &&
  semver.major(own) === semver.major(wanted)

/**
 * Condition for listings: versions that match a number or range, or the newest of each name. Ranges
 * match only releases.
 */
export function versionIs(table: PackageTable, scope: Scope, wanted: string): Condition {
  if (wanted === 'latest') return newestOfName(table, scope)
  if (semver.valid(wanted) === wanted) return sql<boolean>`p.version = ${wanted}`
  const range = parseRange(wanted)
  if (!range) return sql<boolean>`false`
  const alternatives = range.set.map(
    (comparators) => sql`(${sql.join(comparators.map(comparison), sql` and `)})`,
  )
  return sql<boolean>`p.rank like '1%' and (${sql.join(alternatives, sql` or `)})`
}

function comparison({ operator, semver: bound }: semver.Comparator): Condition {
  // `*` has no bound
  if (!(bound instanceof semver.SemVer)) return sql<boolean>`true`
  // No release is between a pre-release and its release.
  const early = bound.prerelease.length > 0
  const sign = early
    ? { '<': '<', '<=': '<', '>': '>=', '>=': '>=' }[operator as '<']
    : operator || '='
  return sign
    ? sql<boolean>`p.rank ${sql.raw(sign)} ${`1${toCore(bound)}`}`
    : sql<boolean>`false`
}

const newestOfName = (
  table: PackageTable,
  scope: Scope,
): Condition => sql<boolean>`not exists (
  select from ${sql.table(table)} newer
  where coalesce(newer.workspace_id, '') = coalesce(p.workspace_id, '') and newer.name = p.name
    and newer.rank > p.rank
    ${table === 'integration' ? sql`and not newer.dev` : sql``}
      ${scope === 'hub' ? sql`and newer.visibility = 'public'` : sql``}
)`
