// A bot's secrets, sealed in its row. Only its own process receives them in plain text; replies
// contain only names. Also the secrets that sign calls to a bot at a URL.
import { randomBytes } from 'node:crypto'
import { ApiError } from '@botstead/contract'
import type { Selectable } from 'kysely'
import type { Db, Schema } from '../db/index.ts'
import { type Secrets, secretValues } from '../sealing/index.ts'

const maxSecrets = 25

/**
 * Null removes. Throws InvalidIdentifier for a name that is not a valid environment variable,
 * LimitExceeded past 25.
 */
export async function sealBotSecrets(
  secrets: Secrets,
  bot: BotRow,
  change: Record<string, string | null>,
): Promise<Record<string, string>> {
  const sealed = await secretValues.sealChange(
    secrets,
    bot.workspace_id,
    sealPath(bot.id),
    bot.secrets,
    change,
  )
  if (Object.keys(sealed).length > maxSecrets)
    throw new ApiError('LimitExceeded', `A bot can have at most ${maxSecrets} secrets`)
  return sealed
}

type BotRow = Pick<Selectable<Schema['bot']>, 'id' | 'workspace_id' | 'secrets'>

export const openBotSecrets = (
  secrets: Secrets,
  { id, secrets: sealed }: Pick<BotRow, 'id' | 'secrets'>,
): Promise<Record<string, string>> => secretValues.openAll(secrets, sealPath(id), sealed)

/**
 * Returns whether `open` can decrypt this database's secrets; true if it has none. With another key
 * the server is useless.
 */
async function opens(
  db: Db,
  open: (sealed: Buffer, location: string) => unknown,
): Promise<boolean> {
  const bot = await db
    .selectFrom('bot')
    .select(['id', 'signing_secret'])
    .limit(1)
    .executeTakeFirst()
  if (!bot) return true
  try {
    await open(bot.signing_secret, signingSealPath(bot.id))
    return true
  } catch {
    return false
  }
}

const sealPath = (botId: string) => `bot.secrets/${botId}`

export async function createBotSigningSecret(
  secrets: Secrets,
  workspaceId: string,
  botId: string,
): Promise<{ plain: string; sealed: Buffer }> {
  const plain = randomBytes(32).toString('base64url')
  return { plain, sealed: await secrets.seal(workspaceId, plain, signingSealPath(botId)) }
}

/** Returns a function that returns the secrets that are valid at `now`, the current one first. */
export async function openSigningSecrets(
  secrets: Secrets,
  bot: Pick<
    Selectable<Schema['bot']>,
    'id' | 'signing_secret' | 'retired_signing_secrets'
  >,
): Promise<(now?: number) => string[]> {
  const retired = bot.retired_signing_secrets.map(({ secret, until }) => ({
    sealed: Buffer.from(secret, 'base64'),
    until: Date.parse(until),
  }))
  const all = [{ sealed: bot.signing_secret, until: null }, ...retired]
  const opened = await Promise.all(
    all.map(async ({ sealed, until }) => ({
      secret: await secrets.open(sealed, signingSealPath(bot.id)),
      until,
    })),
  )
  return (now = Date.now()) =>
    opened.flatMap(({ secret, until }) => (until === null || until > now ? [secret] : []))
}

const signingSealPath = (botId: string) => `bot.signing_secret/${botId}`

/** Secrets of bots, stored encrypted. */
export const botSecrets = {
  open: openBotSecrets,
  openSigning: openSigningSecrets,
  canBeOpened: opens,
}
