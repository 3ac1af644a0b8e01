// Owns the table bot_code: the CommonJS file of a hosted bot. It is large and rarely read, so no
// other module selects it.

import { nextSlice, toBytesInSlices, ulid } from '@botstead/lib'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/index.ts'
import { recordDeployment } from './deployments.ts'

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

/** Returns the code in UTF-8, null when none is deployed. */
export const findCode = (db: Db, botId: string): Promise<Buffer | null> =>
  readCode(db, sql`select code from bot_code where bot_id = ${botId}`)

const pieceBytes = sql.lit(524_288)

/**
 * Returns the code in UTF-8 that the query, which selects one column, finds; null without a row. Reads it
 * in pieces: the driver collects a row in a buffer that grows by copying and decodes each value at once,
 * which for 30 MB takes 60 ms of the main thread, or 200 ms with characters beyond ASCII. In Latin-1, which
 * the pieces have on their way, each byte is a character, so a piece may end within one of UTF-8.
 */
export async function readCode(
  db: Db,
  query: RawBuilder<unknown>,
): Promise<Buffer | null> {
  const { rows } = await sql<{ piece: string }>`
    with found (bytes) as materialized (select convert_to(code, 'UTF8') from (${query}) as one (code))
    select convert_from(substring(bytes from at for ${pieceBytes}), 'LATIN1') as piece
    from found, generate_series(1, greatest(length(bytes), 1), ${pieceBytes}) as at
    order by at`.execute(db)
  if (rows.length === 0) return null
  const bytes = Buffer.allocUnsafe(
    rows.reduce((size, { piece }) => size + piece.length, 0),
  )
  let at = 0
  for (const { piece } of rows) {
    if (rows.length > 1) await nextSlice()
    at += bytes.write(piece, at, 'latin1')
  }
  return bytes
}

/** Returns null when no code is deployed. */
async function findDeployment(db: Db, botId: string): Promise<Deployment | null> {
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

/** Code of bots, by deployment. */
export const botCode = {
  find: findCode,
  findVersion: findCodeVersion,
  findDeployment,
  read: readCode,
}
