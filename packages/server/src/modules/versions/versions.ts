// Owns the tables bot_version and bot_version_code: named snapshots of a bot. The state is sealed,
// since it contains the configurations of installed integrations. Versions with the same code share
// one row of code.
import { ApiError, type BotDocument } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../infra/db/open.ts'
import type { Schema } from '../../infra/db/schema.ts'
import { newId } from '../../infra/lib/ids.ts'
import { type Secrets, sha256 } from '../../infra/lib/secrets.ts'

const maxVersions = 200

export type VersionRow = Pick<Selectable<Schema['bot_version']>, 'id' | 'name' | 'description'>

interface NewVersion {
  name: string
  description?: string | undefined
  createdBy: string
}

/** Throws LimitExceeded beyond 200 versions. */
export async function storeVersion(
  db: Db,
  secrets: Secrets,
  { id: botId, workspaceId }: { id: string; workspaceId: string },
  { name, description, createdBy }: NewVersion,
  whole: BotDocument,
): Promise<VersionRow> {
  const { code = null, ...state } = whole
  const id = newId('botVersion')
  const hash = code === null ? null : sha256(code)
  const sealed = await secrets.seal(workspaceId, JSON.stringify(state), sealPath(botId, id))
  const { rows } = await sql`
    with versions as (select count(*) as n from bot_version where bot_id = ${botId}),
    coded as (
      insert into bot_version_code (bot_id, hash, code) select ${botId}, ${hash}, ${code}::text from versions
        where n < ${maxVersions} and ${hash}::bytea is not null
      on conflict do nothing
    )
    insert into bot_version (bot_id, id, name, description, code_hash, state, created_by)
    select ${botId}, ${id}, ${name}, ${description ?? null}, ${hash}, ${sealed}, ${createdBy} from versions
      where n < ${maxVersions} returning id`.execute(db)
  if (!rows.length)
    throw new ApiError(
      'LimitExceeded',
      `A bot can have at most ${maxVersions} versions: delete one first`,
    )
  return { id, name, description: description ?? null }
}

/** Newest first. */
export function listVersions(db: Db, botId: string): Promise<VersionRow[]> {
  return db
    .selectFrom('bot_version')
    .select(['id', 'name', 'description'])
    .where('bot_id', '=', botId)
    .orderBy('id', 'desc')
    .limit(maxVersions)
    .execute()
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
): Promise<BotDocument> {
  const row = await db
    .selectFrom('bot_version as v')
    .leftJoin('bot_version_code as c', (join) =>
      join.onRef('c.bot_id', '=', 'v.bot_id').onRef('c.hash', '=', 'v.code_hash'),
    )
    .select(['v.state', 'c.code'])
    .where('v.bot_id', '=', botId)
    .where('v.id', '=', id)
    .executeTakeFirst()
  if (!row) throw noVersion(id)
  return { ...JSON.parse(await secrets.open(row.state, sealPath(botId, id))), code: row.code }
}

const noVersion = (id: string) => new ApiError('ResourceNotFound', `Version "${id}" was not found`)
const sealPath = (botId: string, id: string) => `bot_version.state/${botId}/${id}`
