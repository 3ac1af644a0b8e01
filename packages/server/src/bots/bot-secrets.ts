// A bot's secrets: sealed in its row, given in plain to its own process only. Replies carry their names. And those that sign its calls, when it is at a URL.
import { randomBytes } from 'node:crypto'
import { ApiError } from '@botstead/contract'
import type { Selectable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { isSecretName, openAll, type SealedSecrets, type Secrets, sealChange } from '../lib/secrets.ts'

const most = 25

/** Null removes. Throws InvalidIdentifier for a name that no environment could hold, LimitExceeded past 25. */
export async function sealBotSecrets(
  secrets: Secrets,
  bot: BotRow,
  change: Record<string, string | null>,
): Promise<SealedSecrets> {
  if (!Object.keys(change).every(isSecretName))
    throw new ApiError(
      'InvalidIdentifier',
      'The name of a secret has letters, digits and underscores, and no digit first',
    )
  const sealed = await sealChange(secrets, bot.workspace_id, place(bot.id), bot.secrets, change)
  if (Object.keys(sealed).length > most)
    throw new ApiError('LimitExceeded', `A bot has ${most} secrets at most`)
  return sealed
}

type BotRow = Pick<Selectable<Schema['bot']>, 'id' | 'workspace_id' | 'secrets'>

export const openBotSecrets = (
  secrets: Secrets,
  { id, secrets: sealed }: Pick<BotRow, 'id' | 'secrets'>,
): Promise<Record<string, string>> => openAll(secrets, place(id), sealed)

/** Whether what this database holds opens so; true of an empty one. A server with another key could serve nothing. */
export async function opens(db: Db, open: (sealed: Buffer, place: string) => unknown): Promise<boolean> {
  const bot = await db.selectFrom('bot').select(['id', 'signing_secret']).limit(1).executeTakeFirst()
  if (!bot) return true
  try {
    await open(bot.signing_secret, signingPlace(bot.id))
    return true
  } catch {
    return false
  }
}

const place = (botId: string) => `bot.secrets/${botId}`

export interface SigningSecret {
  secret: string
  /** In milliseconds since 1970; null for the present one. */
  until: number | null
}

export async function newSigningSecret(
  secrets: Secrets,
  workspaceId: string,
  botId: string,
): Promise<{ plain: string; sealed: Buffer }> {
  const plain = randomBytes(32).toString('base64url')
  return { plain, sealed: await secrets.seal(workspaceId, plain, signingPlace(botId)) }
}

/** The present one first. */
export async function openSigningSecrets(
  secrets: Secrets,
  bot: Pick<Selectable<Schema['bot']>, 'id' | 'signing_secret' | 'retired_signing_secrets'>,
): Promise<SigningSecret[]> {
  const retired = bot.retired_signing_secrets.map(({ secret, until }) => ({
    sealed: Buffer.from(secret, 'base64'),
    until: Date.parse(until),
  }))
  const all = [{ sealed: bot.signing_secret, until: null }, ...retired]
  return Promise.all(
    all.map(async ({ sealed, until }) => ({
      secret: await secrets.open(sealed, signingPlace(bot.id)),
      until,
    })),
  )
}

/** Those that sign at this moment. */
export const validSecrets = (secrets: SigningSecret[], now = Date.now()): string[] =>
  secrets.flatMap(({ secret, until }) => (until === null || until > now ? [secret] : []))

const signingPlace = (botId: string) => `bot.signing_secret/${botId}`
