// Finds the owner of a new user or conversation: the calling integration or, for a bot, the
// integration in its request.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { findDeclaration } from '../integrations/declarations.ts'
import type { IntegrationDefinition } from '../integrations/definition.ts'

type Channel = IntegrationDefinition['channels'][string]

export interface OwningIntegration {
  alias: string
  /** How a bot creates the object there; null when an integration creates its own. */
  creation: Channel['conversation']['creation'] | null
}

/**
 * Returns the owner of a user, or null for the bot's own. Throws ReferenceNotFound for an unknown
 * name.
 */
async function findOwner(
  db: Db,
  botId: string,
  alias: string | null,
  name: string | undefined,
): Promise<OwningIntegration | null> {
  if (alias !== null) return { alias, creation: null }
  if (name === undefined) return null
  const installed = await findDeclaration(db, botId, name, ['user'])
  if (!installed) throw notInstalled(name)
  const creation = (installed.declared as IntegrationDefinition['user'] | null)?.creation
  return { alias: installed.alias, creation: (installed.enabled && creation) || null }
}

/**
 * Finds the integration with the channel. A bot may omit the integration if only one has the
 * channel. Throws InvalidPayload for an unknown channel, Forbidden for a channel that is disabled
 * in the bot.
 */
async function findChannelOwner(
  db: Db,
  botId: string,
  alias: string | null,
  name: string | undefined,
  channel: string,
): Promise<OwningIntegration> {
  const integration = alias ?? name ?? (await findOnlyOwner(db, botId, channel))
  const installed = await findDeclaration(db, botId, integration, ['channels', channel])
  if (!installed) throw notInstalled(integration)
  if (!installed.declared)
    throw new ApiError(
      'InvalidPayload',
      `The integration "${integration}" has no channel "${channel}"`,
    )
  if (!installed.enabled || installed.disabledChannels.includes(channel))
    throw new ApiError(
      'Forbidden',
      'This channel is disabled in the settings of the integration',
    )
  const { creation } = (installed.declared as Channel).conversation ?? {}
  return { alias: installed.alias, creation: (alias === null && creation) || null }
}

async function findOnlyOwner(db: Db, botId: string, channel: string): Promise<string> {
  const { rows } = await sql<{ alias: string }>`
    select t.alias from installation t join integration g on g.id = t.integration_id
    where t.bot_id = ${botId} and t.enabled and jsonb_exists(g.definition -> 'channels', ${channel})
      limit 2`.execute(db)
  if (rows.length !== 1)
    throw new ApiError(
      'InvalidPayload',
      `Specify \`integrationName\`: ` +
        `${rows.length ? 'several integrations have' : 'no enabled integration has'} a channel ` +
        `"${channel}"`,
    )
  return rows[0]!.alias
}

const notInstalled = (name: string) =>
  new ApiError('ReferenceNotFound', `Integration "${name}" is not installed in this bot`)

/** Integrations that own tags, channels and events. */
export const owningIntegrations = {
  findOfChannel: findChannelOwner,
  find: findOwner,
}
