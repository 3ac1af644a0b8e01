// Whose a new user or conversation becomes: the calling integration's or, when the bot calls, that of the integration which it names.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { findDeclaration } from './declarations.ts'

/** The alias; null for what belongs to the bot itself. Throws ReferenceNotFound for a name that nothing here has. */
export async function findOwner(db: Db, botId: string, alias: string | null, name: string | undefined): Promise<string | null> {
  if (alias !== null || name === undefined) return alias
  const installed = await findDeclaration(db, botId, name, [])
  if (!installed) throw notInstalled(name)
  return installed.alias
}

/**
 * The alias of the integration that has the channel. A bot that names no integration means the only one with such a channel.
 * Throws InvalidPayload without such a channel, Forbidden for one that the bot has switched off.
 */
export async function findChannelOwner(db: Db, botId: string, alias: string | null, name: string | undefined, channel: string): Promise<string> {
  const integration = alias ?? name ?? (await findOnlyOwner(db, botId, channel))
  const installed = await findDeclaration(db, botId, integration, ['channels', channel])
  if (!installed) throw notInstalled(integration)
  if (!installed.declared) throw new ApiError('InvalidPayload', `The integration "${integration}" has no channel "${channel}"`)
  if (!installed.enabled || installed.disabledChannels.includes(channel)) throw new ApiError('Forbidden', 'The bot has switched this channel off')
  return installed.alias
}

async function findOnlyOwner(db: Db, botId: string, channel: string): Promise<string> {
  const { rows } = await sql<{ alias: string }>`
    select t.alias from installation t join integration g on g.id = t.integration_id
    where t.bot_id = ${botId} and t.enabled and jsonb_exists(g.definition -> 'channels', ${channel}) limit 2`.execute(db)
  if (rows.length !== 1)
    throw new ApiError(
      'InvalidPayload',
      `integrationName is needed: ${rows.length ? 'several integrations have' : 'no integration has'} a channel "${channel}"`,
    )
  return rows[0]!.alias
}

const notInstalled = (name: string) => new ApiError('ReferenceNotFound', `No integration "${name}" is installed in this bot`)
