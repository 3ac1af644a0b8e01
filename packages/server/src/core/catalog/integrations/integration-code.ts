// Owns the table integration_code: one CommonJS file per version of an integration. As in
// bots/bot-code.ts, the code is large and rarely read.

import { toBytesInSlices, ulid } from '@botstead/lib'
import { sql } from 'kysely'
import { botCode, type Deployment } from '../../bots/index.ts'
import type { Db } from '../../db/index.ts'

/**
 * Stores a deployment as a new version, even if the code is the same; an empty string deletes the
 * code.
 */
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
  const bytes = await toBytesInSlices(code)
  await sql`
    insert into integration_code (integration_id, version, code, load_error)
    values (${integrationId}, ${ulid()}, ${bytes}::text, ${loadError})
    on conflict (integration_id) do update
    set version = excluded.version, code = excluded.code, load_error = excluded.load_error, created_at = now()
  `.execute(db)
}

/** Returns null when no code is deployed. */
export async function findIntegrationDeployment(
  db: Db,
  integrationId: string,
): Promise<Deployment | null> {
  const query = db
    .selectFrom('integration_code')
    .select(['version', 'created_at as deployedAt', 'load_error as loadError'])
    .where('integration_id', '=', integrationId)
  return (await query.executeTakeFirst()) ?? null
}

/** Returns the code in UTF-8, null when none is deployed. */
export const findIntegrationCode = (
  db: Db,
  integrationId: string,
): Promise<Buffer | null> =>
  botCode.read(
    db,
    sql`select code from integration_code where integration_id = ${integrationId}`,
  )
