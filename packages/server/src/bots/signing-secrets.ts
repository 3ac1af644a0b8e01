// A secret that signs the calls of a bot at a URL takes over from another one: shown once, and for a day both sign, so that who verifies can change
// over in between. How they are kept is said in bot-secrets.ts.
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Secrets } from '../lib/secrets.ts'
import { newSigningSecret } from './bot-secrets.ts'
import { noBot } from './bots.ts'

/** Of those replaced within a day, the last ones: each makes every call longer. */
const mostRetired = 8

/** The new one. Throws ResourceNotFound. */
export async function rotateSigningSecrets(
  db: Db,
  secrets: Secrets,
  workspaceId: string,
  botId: string,
): Promise<string> {
  const { plain, sealed } = await newSigningSecret(secrets, workspaceId, botId)
  const { rows } = await sql`
    update bot set signing_secret = ${sealed}, updated_at = now(), retired_signing_secrets = (
      select jsonb_agg(kept.one order by kept.until desc) from (
        select one, (one ->> 'until')::timestamptz as until from jsonb_array_elements(
          retired_signing_secrets || jsonb_build_object('secret', encode(signing_secret, 'base64'), 'until', now() + interval '1 day')
        ) one where (one ->> 'until')::timestamptz > now() order by until desc limit ${mostRetired}
      ) kept
    )
    where id = ${botId} and workspace_id = ${workspaceId} returning id`.execute(db)
  if (!rows.length) throw noBot(botId)
  return plain
}
