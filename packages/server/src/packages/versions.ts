// Versions of packages: what integrations, interfaces and plugins have in common. A version has an id of its own and is unique by workspace, name
// and number, but for those under development. Asked for by number, by range, or as `latest`, the highest one that fits is meant.
// The tables have the columns id, workspace_id, name, version, rank and visibility; in the statements here and theirs they go by the alias `p`.
import { ApiError } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import semver from 'semver'
import type { Db } from '../db/open.ts'

export type PackageTable = 'integration' | 'interface' | 'plugin'
export type Visibility = 'private' | 'unlisted' | 'public'

/** As older clients say it. Who says only that it is not public has not said that it is not unlisted. */
export function olderVisibility(now: Visibility, isPublic: boolean | undefined): Visibility {
  if (isPublic) return 'public'
  return isPublic === false && now === 'public' ? 'private' : now
}

/** Among whose packages one looks: a workspace's own, or those that the whole server may see. */
export type Scope = { workspaceId: string } | 'hub'

type Condition = RawBuilder<boolean>

/** Throws InvalidPayload. No two numbers mean the same: no leading `v`, nothing after a `+`. */
export function checkVersion(version: string): void {
  if (semver.valid(version) !== version)
    throw new ApiError('InvalidPayload', `"${version.slice(0, 50)}" is not a semantic version like 1.0.0`)
}

const digits = (number: number) => String(number).padStart(16, '0')
const coreOf = ({ major, minor, patch }: semver.SemVer) => [major, minor, patch].map(digits).join('.')

/** Compared byte by byte, the higher version is the later one; but every release comes after all pre-releases, which are never the latest if it can be helped. */
export function rankOf(version: string): string {
  const parsed = semver.parse(version)
  if (!parsed) return ''
  const early = parsed.prerelease
    .map((part) => (typeof part === 'number' ? `0${digits(part)}` : `1${part}`))
    .join(' ')
  return early === '' ? `1${coreOf(parsed)}` : `0${coreOf(parsed)} ${early}`
}

/** The one that is meant by a number, a range or `latest`; null without any. */
export function pickVersion<V extends { version: string }>(all: V[], wanted: string): V | null {
  const exact = all.find(({ version }) => version === wanted)
  if (exact) return exact
  const numbers = all.map(({ version }) => version).filter((version) => semver.valid(version))
  const highest =
    wanted === 'latest'
      ? (semver.maxSatisfying(numbers, '*') ?? semver.rsort(numbers)[0])
      : highestWithin(numbers, wanted)
  return all.find(({ version }) => version === highest) ?? null
}

const longestRange = 200
const rangeOf = (text: string) =>
  text.length > longestRange || semver.validRange(text) === null ? null : new semver.Range(text)

function highestWithin(numbers: string[], wanted: string) {
  const range = rangeOf(wanted)
  return range && semver.maxSatisfying(numbers, range)
}

/** What may be found by its name or its id. */
export const reachable = (scope: Scope): Condition =>
  scope === 'hub'
    ? sql<boolean>`p.visibility <> 'private'`
    : sql<boolean>`p.workspace_id = ${scope.workspaceId}`

/** What is in the list. */
export const listed = (scope: Scope): Condition =>
  scope === 'hub' ? sql<boolean>`p.visibility = 'public'` : reachable(scope)

/** Those under development are found by their ids only. */
const released = (table: PackageTable): Condition =>
  table === 'integration' ? sql<boolean>`not p.dev` : sql<boolean>`true`

/** The id of the version that is meant; null without such a one. In the hub, what the server brings comes before what else has the name. */
export async function findVersionId(
  db: Db,
  table: PackageTable,
  scope: Scope,
  name: string,
  wanted: string,
): Promise<string | null> {
  const { rows } = await sql<{ id: string; version: string; ownOfServer: boolean }>`
    select p.id, p.version, p.workspace_id is null as "ownOfServer" from ${sql.table(table)} p where p.name = ${name} and ${reachable(scope)} and ${released(table)}
    order by p.workspace_id nulls first, p.id`.execute(db)
  const found =
    pickVersion(rows, wanted) ??
    rows.find(({ version, ownOfServer }) => ownOfServer && standsIn(version, wanted))
  return found?.id ?? null
}

/** What the server brings itself is there in one version, which does the work of all earlier ones of its major. */
const standsIn = (own: string, wanted: string) =>
  semver.valid(wanted) !== null && semver.gte(own, wanted) && semver.major(own) === semver.major(wanted)

/** For listings: the versions that fit a number, a range or `latest`, the newest of each name. Of a range, the releases only. */
export function versionIs(table: PackageTable, scope: Scope, wanted: string): Condition {
  if (wanted === 'latest') return newestOfName(table, scope)
  if (semver.valid(wanted) === wanted) return sql<boolean>`p.version = ${wanted}`
  const range = rangeOf(wanted)
  if (!range) return sql<boolean>`false`
  const alternatives = range.set.map(
    (comparators) => sql`(${sql.join(comparators.map(comparison), sql` and `)})`,
  )
  return sql<boolean>`p.rank like '1%' and (${sql.join(alternatives, sql` or `)})`
}

function comparison({ operator, semver: bound }: semver.Comparator): Condition {
  // `*` has no bound at all
  if (!(bound instanceof semver.SemVer)) return sql<boolean>`true`
  // A release is never between a pre-release and its release.
  const early = bound.prerelease.length > 0
  const sign = early ? { '<': '<', '<=': '<', '>': '>=', '>=': '>=' }[operator as '<'] : operator || '='
  return sign ? sql<boolean>`p.rank ${sql.raw(sign)} ${`1${coreOf(bound)}`}` : sql<boolean>`false`
}

const newestOfName = (table: PackageTable, scope: Scope): Condition => sql<boolean>`not exists (
  select from ${sql.table(table)} newer
  where coalesce(newer.workspace_id, '') = coalesce(p.workspace_id, '') and newer.name = p.name and newer.rank > p.rank
    ${table === 'integration' ? sql`and not newer.dev` : sql``} ${scope === 'hub' ? sql`and newer.visibility = 'public'` : sql``}
)`
