// What is secret about an integration: what its authors give it, shared by all versions of its name, and what calls to a version are signed with.
// Sealed in the rows; replies carry names only, and a signing secret once, when it is made.
import { randomBytes } from 'node:crypto'
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Secrets } from '../lib/secrets.ts'
import { type Limits, refuseMany } from '../limits.ts'

/** {NAME: sealed value, base64} */
type Sealed = Record<string, string>

/** They become environment variables, `SECRET_NAME`. */
const nameShape = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/

/** Null removes. Throws InvalidIdentifier for a name that no environment could hold, LimitExceeded past the limit. */
export function sealSecrets(secrets: Secrets, limits: Limits, lineId: string, now: Sealed, change: Record<string, string | null>): Sealed {
  if (Object.keys(change).some((name) => !nameShape.test(name)))
    throw new ApiError('InvalidIdentifier', 'The name of a secret has letters, digits and underscores, and no digit first')
  const merged = new Map(Object.entries(now))
  for (const [name, value] of Object.entries(change)) {
    if (value === null) merged.delete(name)
    else merged.set(name, secrets.seal(value, place(lineId, name)).toString('base64'))
  }
  const all = Object.fromEntries(merged)
  refuseMany(limits, 'secretsPerIntegration', 'secrets', all)
  return all
}

/** In plain, for its own process only. */
export async function findSecrets(db: Db, secrets: Secrets, integrationId: string): Promise<Record<string, string>> {
  const line = await db
    .selectFrom('integration')
    .innerJoin('package_line as line', 'line.id', 'integration.line_id')
    .select(['line.id', 'line.secrets'])
    .where('integration.id', '=', integrationId)
    .executeTakeFirst()
  if (!line) return {}
  return Object.fromEntries(Object.entries(line.secrets).map(([name, value]) => [name, secrets.open(Buffer.from(value, 'base64'), place(line.id, name))]))
}

export function newSigningSecret(secrets: Secrets, integrationId: string): { plain: string; sealed: Buffer } {
  const plain = randomBytes(32).toString('base64url')
  return { plain, sealed: secrets.seal(plain, signingPlace(integrationId)) }
}

/** What calls are to be signed with: the newest, and the one before while it is good. None for what the server brings itself. */
export async function findSigningSecrets(db: Db, secrets: Secrets, integrationId: string): Promise<string[]> {
  const row = await db
    .selectFrom('integration')
    .select(['signing_secret', sql<Buffer | null>`case when previous_signing_until > now() then previous_signing_secret end`.as('previous')])
    .where('id', '=', integrationId)
    .executeTakeFirst()
  return [row?.signing_secret, row?.previous].flatMap((sealed) => (sealed ? [secrets.open(sealed, signingPlace(integrationId))] : []))
}

/** The new one. The one before is good for another day. Null without such an integration. */
export async function rotateSigningSecret(db: Db, secrets: Secrets, workspaceId: string, integrationId: string): Promise<string | null> {
  const { plain, sealed } = newSigningSecret(secrets, integrationId)
  const { rows } = await sql`
    update integration set signing_secret = ${sealed}, previous_signing_secret = signing_secret, previous_signing_until = now() + interval '24 hours'
    where id = ${integrationId} and workspace_id = ${workspaceId} returning 1`.execute(db)
  return rows.length ? plain : null
}

const place = (lineId: string, name: string) => `package_line.secrets/${lineId}/${name}`
const signingPlace = (integrationId: string) => `integration.signing_secret/${integrationId}`
