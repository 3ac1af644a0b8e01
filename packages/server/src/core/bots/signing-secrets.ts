// Rotates the secret that signs calls to a bot at a URL. The new secret is returned once. For one
// day both secrets sign, so that the verifier can switch. bot-secrets.ts seals them.
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'
import type { Secrets } from '../sealing/index.ts'
import { createBotSigningSecret } from './bot-secrets.ts'
import { noBot } from './bots.ts'

/** Maximum number of replaced secrets that still sign: each one makes every call longer. */
const maxRetired = 8

/** Returns the new secret. Throws ResourceNotFound. */
export async function rotateSigningSecrets(
  db: Db,
  secrets: Secrets,
  workspaceId: string,
  botId: string,
): Promise<string> {
  const { plain, sealed } = await createBotSigningSecret(secrets, workspaceId, botId)
  const { rows } = await sql`
    update bot set signing_secret = ${sealed}, updated_at = now(), retired_signing_secrets = (
      select jsonb_agg(kept.one order by kept.until desc) from (
        select one, (one ->> 'until')::timestamptz as until from jsonb_array_elements(
          retired_signing_secrets || jsonb_build_object('secret', encode(signing_secret, 'base64'), 'until',
            now() + interval '1 day')
        ) one where (one ->> 'until')::timestamptz > now() order by until desc limit ${maxRetired}
      ) kept
    )
    where id = ${botId} and workspace_id = ${workspaceId} returning id`.execute(db)
  if (!rows.length) throw noBot(botId)
  return plain
}
