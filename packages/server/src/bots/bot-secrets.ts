// A bot's secrets: sealed in its row, given in plain to its own process only. Replies carry their names. And those that sign its calls, when it is at a URL.
import { randomBytes } from 'node:crypto'
import { ApiError } from '@botstead/contract'
import type { Selectable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import type { Secrets } from '../lib/secrets.ts'

/** {NAME: sealed value, base64} */
export type SealedSecrets = Record<string, string>

const most = 25
/** They become environment variables, `SECRET_NAME`. */
const nameShape = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/

/** Null removes. Throws InvalidIdentifier for a name that no environment could hold, LimitExceeded past 25. */
export function sealBotSecrets(secrets: Secrets, botId: string, now: SealedSecrets, change: Record<string, string | null>): SealedSecrets {
  for (const name of Object.keys(change)) {
    if (!nameShape.test(name)) throw new ApiError('InvalidIdentifier', 'The name of a secret has letters, digits and underscores, and no digit first')
  }
  const merged = new Map(Object.entries(now))
  for (const [name, value] of Object.entries(change)) {
    if (value === null) merged.delete(name)
    else merged.set(name, secrets.seal(value, place(botId, name)).toString('base64'))
  }
  if (merged.size > most) throw new ApiError('LimitExceeded', `A bot has ${most} secrets at most`)
  return Object.fromEntries(merged)
}

export function openBotSecrets(secrets: Secrets, botId: string, sealed: SealedSecrets): Record<string, string> {
  return Object.fromEntries(Object.entries(sealed).map(([name, value]) => [name, secrets.open(Buffer.from(value, 'base64'), place(botId, name))]))
}

/** Whether what this database holds was sealed with this key; true of an empty one. A server with another key could serve nothing. */
export async function isSealedWith(db: Db, secrets: Secrets): Promise<boolean> {
  const bot = await db.selectFrom('bot').select(['id', 'signing_secret']).limit(1).executeTakeFirst()
  if (!bot) return true
  try {
    return secrets.open(bot.signing_secret, signingPlace(bot.id)) !== ''
  } catch {
    return false
  }
}

const place = (botId: string, name: string) => `bot.secrets/${botId}/${name}`

export interface SigningSecret {
  secret: string
  /** In milliseconds since 1970; null for the present one. */
  until: number | null
}

export function newSigningSecret(secrets: Secrets, botId: string): { plain: string; sealed: Buffer } {
  const plain = randomBytes(32).toString('base64url')
  return { plain, sealed: secrets.seal(plain, signingPlace(botId)) }
}

/** The present one first. */
export function openSigningSecrets(
  secrets: Secrets,
  bot: Pick<Selectable<Schema['bot']>, 'id' | 'signing_secret' | 'retired_signing_secrets'>,
): SigningSecret[] {
  const open = (sealed: Buffer) => secrets.open(sealed, signingPlace(bot.id))
  const retired = bot.retired_signing_secrets.map(({ secret, until }) => ({ secret: open(Buffer.from(secret, 'base64')), until: Date.parse(until) }))
  return [{ secret: open(bot.signing_secret), until: null }, ...retired]
}

/** Those that sign at this moment. */
export const validSecrets = (secrets: SigningSecret[], now = Date.now()): string[] =>
  secrets.flatMap(({ secret, until }) => (until === null || until > now ? [secret] : []))

const signingPlace = (botId: string) => `bot.signing_secret/${botId}`
