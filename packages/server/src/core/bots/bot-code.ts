// Owns the table bot_code: the CommonJS file of a hosted bot. It is large and rarely read, so no
// other module selects it.
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { ulid } from '../lib/ids.ts'
import { toBytesInSlices } from '../lib/text/long-texts.ts'
import { recordDeployment } from './deployments.ts'

interface BotCode {
  version: string
  code: string
}

export interface Deployment {
  version: string
  deployedAt: Date
  /** Error when the code was loaded at deployment. Null: it loaded, or the server did not try. */
  loadError: string | null
}

/** Stores a new version, even if the code is the same: a deployment must start new processes. */
export async function deployCode(
  db: Db,
  botId: string,
  code: string,
  loadError: string | null = null,
): Promise<string> {
  const version = ulid()
  const bytes = await toBytesInSlices(code)
  await sql`
    with stored as (
      insert into bot_code (bot_id, version, code, load_error)
        values (${botId}, ${version}, ${bytes}::text, ${loadError})
      on conflict (bot_id) do update
      set version = excluded.version, code = excluded.code, load_error = excluded.load_error,
        created_at = now()
    )
    update bot set deployed_at = now() where id = ${botId}
  `.execute(db)
  await recordDeployment(db, botId, null)
  return version
}

export async function removeCode(db: Db, botId: string): Promise<void> {
  await db.deleteFrom('bot_code').where('bot_id', '=', botId).execute()
}

/** Returns null when no code is deployed. */
export async function findCode(db: Db, botId: string): Promise<BotCode | null> {
  return (
    (await db
      .selectFrom('bot_code')
      .select(['version', 'code'])
      .where('bot_id', '=', botId)
      .executeTakeFirst()) ?? null
  )
}

/** Returns null when no code is deployed. */
export async function findDeployment(db: Db, botId: string): Promise<Deployment | null> {
  const query = db
    .selectFrom('bot_code')
    .select(['version', 'created_at as deployedAt', 'load_error as loadError'])
    .where('bot_id', '=', botId)
  return (await query.executeTakeFirst()) ?? null
}

/** Reads only the version, to check whether a running process is up to date. */
export async function findCodeVersion(db: Db, botId: string): Promise<string | null> {
  return (
    (
      await db
        .selectFrom('bot_code')
        .select('version')
        .where('bot_id', '=', botId)
        .executeTakeFirst()
    )?.version ?? null
  )
}
