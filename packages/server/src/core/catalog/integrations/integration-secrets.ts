// Secrets of an integration: the values that its authors set, shared by all versions of its name,
// and the secrets that sign calls to a version. Both are sealed in the rows. Replies contain only
// names, and a signing secret once, after its creation.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Limits, limitRules } from '../../config/index.ts'
import type { Db } from '../../db/index.ts'
import { type Secrets, secretValues } from '../../sealing/index.ts'

/**
 * Null removes. Throws InvalidIdentifier for a name that is not a valid environment variable,
 * LimitExceeded.
 */
export async function sealSecrets(
  secrets: Secrets,
  limits: Limits,
  line: { id: string; workspaceId: string; secrets: Record<string, string> },
  change: Record<string, string | null>,
): Promise<Record<string, string>> {
  const all = await secretValues.sealChange(
    secrets,
    line.workspaceId,
    sealPath(line.id),
    line.secrets,
    change,
  )
  limitRules.rejectTooMany(limits, 'secretsPerIntegration', 'secrets', all)
  return all
}

/** Validates new secrets as `sealSecrets` does. */
export function checkSecrets(limits: Limits, input: Record<string, string | null>): void {
  secretValues.checkNames(input)
  limitRules.rejectTooMany(
    limits,
    'secretsPerIntegration',
    'secrets',
    Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)),
  )
}

/** Returns the secrets in plain text, only for the integration's own process. */
export async function findSecrets(
  db: Db,
  secrets: Secrets,
  integrationId: string,
): Promise<Record<string, string>> {
  const line = await db
    .selectFrom('integration')
    .innerJoin('package_line as line', 'line.id', 'integration.line_id')
    .select(['line.id', 'line.secrets'])
    .where('integration.id', '=', integrationId)
    .executeTakeFirst()
  if (!line) return {}
  return secretValues.openAll(secrets, sealPath(line.id), line.secrets)
}

export async function createIntegrationSigningSecret(
  secrets: Secrets,
  workspaceId: string,
  integrationId: string,
): Promise<{ plain: string; sealed: Buffer }> {
  const plain = randomBytes(32).toString('base64url')
  return {
    plain,
    sealed: await secrets.seal(workspaceId, plain, signingSealPath(integrationId)),
  }
}

/** Returns the secrets that sign calls: the current one, and the previous one until it expires. */
export async function findSigningSecrets(
  db: Db,
  secrets: Secrets,
  integrationId: string,
): Promise<string[]> {
  const row = await db
    .selectFrom('integration')
    .select([
      'signing_secret',
      sql<Buffer | null>`case when previous_signing_until > now() then previous_signing_secret end`.as(
        'previous',
      ),
    ])
    .where('id', '=', integrationId)
    .executeTakeFirst()
  const sealed = [row?.signing_secret, row?.previous].flatMap((one) => (one ? [one] : []))
  return Promise.all(
    sealed.map((one) => secrets.open(one, signingSealPath(integrationId))),
  )
}

/**
 * Returns the new secret; the previous one expires after 24 hours. Returns null without such an
 * integration.
 */
export async function rotateSigningSecret(
  db: Db,
  secrets: Secrets,
  workspaceId: string,
  integrationId: string,
): Promise<string | null> {
  const { plain, sealed } = await createIntegrationSigningSecret(
    secrets,
    workspaceId,
    integrationId,
  )
  const { rows } = await sql`
    update integration set signing_secret = ${sealed}, previous_signing_secret = signing_secret,
      previous_signing_until = now() + interval '24 hours'
    where id = ${integrationId} and workspace_id = ${workspaceId} returning 1`.execute(db)
  return rows.length ? plain : null
}

const sealPath = (lineId: string) => `package_line.secrets/${lineId}`
const signingSealPath = (integrationId: string) =>
  `integration.signing_secret/${integrationId}`
