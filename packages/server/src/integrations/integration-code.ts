// Owns the table integration_code: the one CommonJS file that runs for a version of an integration. Like that of bots (bots/bot-code.ts), it is
// large and seldom read.
import { sql } from 'kysely'
import type { Deployment } from '../bots/bot-code.ts'
import type { Db } from '../db/open.ts'
import { ulid } from '../lib/ids.ts'

export interface IntegrationCode {
  version: string
  code: string
}

/** A new deployment is a new version, even of the same text; the empty text takes it away. */
export async function deployIntegrationCode(
  db: Db,
  integrationId: string,
  code: string,
  loadError: string | null = null,
): Promise<void> {
  if (code === '')
    return void (await db
      .deleteFrom('integration_code')
      .where('integration_id', '=', integrationId)
      .execute())
  await sql`
    insert into integration_code (integration_id, version, code, load_error)
    values (${integrationId}, ${ulid()}, ${code}, ${loadError})
    on conflict (integration_id) do update
    set version = excluded.version, code = excluded.code, load_error = excluded.load_error, created_at = now()
  `.execute(db)
}

/** Null without code here. */
export async function findIntegrationDeployment(db: Db, integrationId: string): Promise<Deployment | null> {
  const query = db
    .selectFrom('integration_code')
    .select(['version', 'created_at as deployedAt', 'load_error as loadError'])
    .where('integration_id', '=', integrationId)
  return (await query.executeTakeFirst()) ?? null
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
