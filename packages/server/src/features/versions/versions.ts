// Owns the tables bot_version and bot_version_code: named snapshots of a bot. The state is sealed,
// since it contains the configurations of installed integrations. Versions with the same code share
// one row of code.
import { ApiError } from '@botstead/contract'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { botCode, recordDeployment } from '../../core/bots/index.ts'
import type { Db, Schema } from '../../core/db/index.ts'
import { newId } from '../../core/lib/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'
import type { CodedState, VersionState } from './bot-document.ts'

const maxVersions = 200
/** Of those that deployments stored. */
const maxAutomatic = 100

export type VersionRow = Pick<
  Selectable<Schema['bot_version']>,
  'id' | 'number' | 'name' | 'description'
> & {
  createdAt: Date
  /** When the bot last got this state. */
  deployedAt: Date
  /** The e-mail address of the account that stored it. */
  author: string | null
  /** The error when its code was loaded at the last deployment. */
  loadError: string | null
  /** Whether a deployment stored it, and no person has named it since. */
  isAutomatic: boolean
}

interface VersionKey {
  botId: string
  id: string
}

export interface NewVersion {
  name: string
  description?: string | undefined
  createdBy: string
  isAutomatic?: boolean
}

/**
 * Requires a transaction. Stores the state, and the code that the bot has. First deletes the oldest versions
 * of deployments beyond their limit. Throws LimitExceeded beyond 200 versions.
 */
export async function storeVersion(
  db: Db,
  secrets: Secrets,
  { id: botId, workspace_id: workspaceId }: { id: string; workspace_id: string },
  { name, description, createdBy, isAutomatic = false }: NewVersion,
  state: VersionState,
): Promise<Pick<VersionRow, 'id' | 'name' | 'description'>> {
  const id = newId('botVersion')
  const sealed = await secrets.seal(
    workspaceId,
    JSON.stringify(state),
    sealPath(botId, id),
  )
  await lockVersions(db, botId)
  await makeRoom(db, botId, isAutomatic ? maxAutomatic - 1 : maxAutomatic)
  const { rows } = await sql`
    with versions as (
      select count(*) as n, greatest(count(*), coalesce(max(number), 0)) + 1 as next
      from bot_version where bot_id = ${botId}
    ),
    current as materialized (
      select ${hashOfCode} as hash, code from bot_code where bot_id = ${botId}
    ),
    coded as (
      insert into bot_version_code (bot_id, hash, code)
      select ${botId}, hash, code from current, versions where n < ${maxVersions}
      on conflict do nothing
    )
    insert into bot_version (bot_id, id, number, name, description, code_hash, state, created_by,
      deployed_at, load_error, automatic)
    select ${botId}, ${id}, next, ${name}, ${description ?? null}, (select hash from current), ${sealed},
      ${createdBy}, now(), ${loadErrorInSql(botId)}, ${isAutomatic} from versions
      where n < ${maxVersions} returning id`.execute(db)
  if (!rows.length)
    throw new ApiError(
      'LimitExceeded',
      `A bot can have at most ${maxVersions} versions: delete one first`,
    )
  await recordDeployment(db, botId, id)
  return { id, name, description: description ?? null }
}

/** Of bot_code. */
const hashOfCode = sql<Buffer>`sha256(convert_to(code, 'UTF8'))`

/** Newest first. */
export const listVersions = (db: Db, botId: string): Promise<VersionRow[]> =>
  selectVersions(db, botId).orderBy('v.id', 'desc').limit(maxVersions).execute()

const selectVersions = (db: Db, botId: string) =>
  db
    .selectFrom('bot_version as v')
    .leftJoin('account', 'account.id', 'v.created_by')
    .select(['v.id', 'v.number', 'v.name', 'v.description', 'v.created_at as createdAt'])
    .select([
      'account.email as author',
      'v.load_error as loadError',
      'v.automatic as isAutomatic',
    ])
    .select(sql<Date>`coalesce(v.deployed_at, v.created_at)`.as('deployedAt'))
    .where('v.bot_id', '=', botId)

/** Absent fields stay; an empty description removes it. The bot keeps the version. Throws ResourceNotFound. */
export async function changeVersion(
  db: Db,
  { botId, id }: VersionKey,
  { name, description }: { name?: string | undefined; description?: string | undefined },
): Promise<VersionRow> {
  await db
    .updateTable('bot_version')
    .set({
      automatic: false,
      ...(name && { name }),
      ...(description !== undefined && { description: description || null }),
    })
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .execute()
  const changed = await selectVersions(db, botId)
    .where('v.id', '=', id)
    .executeTakeFirst()
  if (!changed) throw noVersion(id)
  return changed
}

/** The bot has the state of this version now. */
export async function markDeployed(db: Db, { botId, id }: VersionKey): Promise<void> {
  await db
    .updateTable('bot_version')
    .set({ deployed_at: sql`now()`, load_error: loadErrorInSql(botId) })
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .execute()
  await recordDeployment(db, botId, id)
}

/** The error of the code that the bot has now. */
const loadErrorInSql = (botId: string) =>
  sql<string | null>`(select load_error from bot_code where bot_id = ${botId})`

/** Requires a transaction. Throws ResourceNotFound. */
export async function deleteVersion(db: Db, { botId, id }: VersionKey): Promise<void> {
  await lockVersions(db, botId)
  const deleted = await deleteWithCode(db, botId, sql`id = ${id}`)
  if (deleted === 0) throw noVersion(id)
}

/** Deletes the versions of deployments that ran longest ago, so that one more version has room. */
const makeRoom = (db: Db, botId: string, keptAutomatic: number) =>
  deleteWithCode(
    db,
    botId,
    sql`id in (
      select id from bot_version where bot_id = ${botId} and automatic
        order by coalesce(deployed_at, created_at) desc, id desc
        offset (select greatest(0, least(${keptAutomatic}::int, ${maxVersions - 1} - count(*)))
          from bot_version where bot_id = ${botId} and not automatic)
    )`,
  )

/** Also deletes code that no other version has. Returns the number of deleted versions. */
async function deleteWithCode(
  db: Db,
  botId: string,
  condition: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql`
    with deleted as (
      delete from bot_version where bot_id = ${botId} and ${condition} returning id, code_hash
    ),
    unused as (
      delete from bot_version_code c using deleted
      where c.bot_id = ${botId} and c.hash = deleted.code_hash and not exists (
        select from bot_version v where v.bot_id = c.bot_id and v.code_hash = c.hash
          and v.id not in (select id from deleted)
      )
    )
    select from deleted`.execute(db)
  return rows.length
}

/** Throws ResourceNotFound. */
export async function checkBotVersion(db: Db, botId: string, id: string): Promise<void> {
  const row = await db
    .selectFrom('bot_version')
    .select('id')
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw noVersion(id)
}

/** Includes all configurations. Throws ResourceNotFound. */
export async function openVersion(
  db: Db,
  secrets: Secrets,
  botId: string,
  id: string,
): Promise<CodedState> {
  const row = await db
    .selectFrom('bot_version')
    .select(['state', 'code_hash as hash'])
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .executeTakeFirst()
  const code =
    row?.hash &&
    (await botCode.read(
      db,
      sql`select code from bot_version_code where bot_id = ${botId} and hash = ${row.hash}`,
    ))
  // The version may be deleted in between, and its code with it.
  if (!row || (row.hash && !code)) throw noVersion(id)
  const state = JSON.parse(await secrets.open(row.state, sealPath(botId, id)))
  return { state, code: code || null }
}

/** Returns the state of a version, and whether the bot has its code. Throws ResourceNotFound. */
export async function compareVersion(
  db: Db,
  secrets: Secrets,
  botId: string,
  id: string,
): Promise<{ state: VersionState; hasCode: boolean }> {
  const row = await db
    .selectFrom('bot_version')
    .select(['state', hasSameCode.as('hasCode')])
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw noVersion(id)
  const state = JSON.parse(await secrets.open(row.state, sealPath(botId, id)))
  return { state, hasCode: row.hasCode }
}

const hasSameCode = sql<boolean>`bot_version.code_hash is not distinct from
  (select ${hashOfCode} from bot_code where bot_code.bot_id = bot_version.bot_id)`

/** A deletion must not remove code that a version stored at the same time needs. */
const lockVersions = (db: Db, botId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended('versions ' || ${botId}, 0))`.execute(
    db,
  )

const noVersion = (id: string) =>
  new ApiError('ResourceNotFound', `Version "${id}" was not found`)
const sealPath = (botId: string, id: string) => `bot_version.state/${botId}/${id}`
