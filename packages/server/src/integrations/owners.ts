// Whose a new user or conversation becomes: the calling integration's or, when the bot calls, that of the integration which it names.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { findDeclaration } from './declarations.ts'
import type { IntegrationDefinition } from './definition.ts'

type Channel = IntegrationDefinition['channels'][string]

export interface Owner {
  alias: string
  /** How the bot has one made there; null where an integration makes its own. */
  creation: Channel['conversation']['creation'] | null
}

/** Of a user. Null for what belongs to the bot itself. Throws ReferenceNotFound for a name that nothing here has. */
export async function findOwner(
  db: Db,
  botId: string,
  alias: string | null,
  name: string | undefined,
): Promise<Owner | null> {
  if (alias !== null) return { alias, creation: null }
  if (name === undefined) return null
  const installed = await findDeclaration(db, botId, name, ['user'])
  if (!installed) throw notInstalled(name)
  const creation = (installed.declared as IntegrationDefinition['user'] | null)?.creation
  return { alias: installed.alias, creation: (installed.enabled && creation) || null }
}

/**
 * The integration that has the channel. A bot that names no integration means the only one with such a channel.
 * Throws InvalidPayload without such a channel, Forbidden for one that the bot has switched off.
 */
export async function findChannelOwner(
  db: Db,
  botId: string,
  alias: string | null,
  name: string | undefined,
  channel: string,
): Promise<Owner> {
  const integration = alias ?? name ?? (await findOnlyOwner(db, botId, channel))
  const installed = await findDeclaration(db, botId, integration, ['channels', channel])
  if (!installed) throw notInstalled(integration)
  if (!installed.declared)
    throw new ApiError('InvalidPayload', `The integration "${integration}" has no channel "${channel}"`)
  if (!installed.enabled || installed.disabledChannels.includes(channel))
    throw new ApiError('Forbidden', 'The bot has switched this channel off')
  const { creation } = (installed.declared as Channel).conversation ?? {}
  return { alias: installed.alias, creation: (alias === null && creation) || null }
}

async function findOnlyOwner(db: Db, botId: string, channel: string): Promise<string> {
  const { rows } = await sql<{ alias: string }>`
    select t.alias from installation t join integration g on g.id = t.integration_id
    where t.bot_id = ${botId} and t.enabled and jsonb_exists(g.definition -> 'channels', ${channel}) limit 2`.execute(
    db,
  )
  if (rows.length !== 1)
    throw new ApiError(
      'InvalidPayload',
      `integrationName is needed: ${rows.length ? 'several integrations have' : 'no integration has'} a channel "${channel}"`,
    )
  return rows[0]!.alias
}

const notInstalled = (name: string) =>
  new ApiError('ReferenceNotFound', `No integration "${name}" is installed in this bot`)
