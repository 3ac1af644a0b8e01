// Owns the table integration_code: the one CommonJS file that runs for a version of an integration. Like that of bots (bots/bot-code.ts), it is
// large and seldom read.
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { ulid } from '../lib/ids.ts'

export interface IntegrationCode {
  version: string
  code: string
}

/** A new deployment is a new version, even of the same text; the empty text takes it away. */
export async function deployIntegrationCode(db: Db, integrationId: string, code: string): Promise<void> {
  if (code === '')
    return void (await db
      .deleteFrom('integration_code')
      .where('integration_id', '=', integrationId)
      .execute())
  await sql`
    insert into integration_code (integration_id, version, code) values (${integrationId}, ${ulid()}, ${code})
    on conflict (integration_id) do update set version = excluded.version, code = excluded.code, created_at = now()`.execute(
    db,
  )
}

/** Null for one that was never deployed here. */
export async function findIntegrationCode(db: Db, integrationId: string): Promise<IntegrationCode | null> {
  return (
    (await db
      .selectFrom('integration_code')
      .select(['version', 'code'])
      .where('integration_id', '=', integrationId)
      .executeTakeFirst()) ?? null
  )
}
