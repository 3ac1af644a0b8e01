// The surroundings in which the code of a channel runs, for one installation.
import {
  type Channel,
  type ChannelEntry,
  type Context,
  channels,
} from '@botstead/channels'
import type { IntegrationTarget } from '../../core/catalog/index.ts'
import { toOwnCodeUrl } from '../../core/delivery/index.ts'
import { createHost } from './channel-host.ts'
import type { ChannelDeps } from './deps.ts'
import { createRequest, createResolve } from './provider-requests.ts'

/** A channel in a bot, with its loaded code. */
export interface OpenChannel {
  entry: ChannelEntry
  channel: Channel
  context: Context
}

const byUrl = new Map(channels.map((entry) => [toOwnCodeUrl(entry.name), entry]))

export const isChannel = ({ url }: Pick<IntegrationTarget, 'url'>) => byUrl.has(url ?? '')

/** Returns null if the integration is no channel. */
export async function openChannel(
  deps: ChannelDeps,
  { botId, installed }: { botId: string; installed: IntegrationTarget },
  signal: AbortSignal,
): Promise<OpenChannel | null> {
  const entry = byUrl.get(installed.url ?? '')
  return entry ? openEntry(deps, entry, { botId, installed }, signal) : null
}

type Installed = Pick<
  IntegrationTarget,
  'alias' | 'integrationId' | 'webhookId' | 'workspaceId' | 'configuration'
>

/** Also for settings that are not installed yet. */
export async function openEntry(
  deps: ChannelDeps,
  entry: ChannelEntry,
  { botId, installed }: { botId: string; installed: Installed },
  signal: AbortSignal,
): Promise<OpenChannel> {
  const { alias, integrationId, webhookId, workspaceId, configuration } = installed
  const [channel, send] = await Promise.all([
    entry.load(),
    deps.outgoing.for(workspaceId),
  ])
  const context: Context = {
    configuration: withoutBlanks(configuration),
    installation: { botId, alias },
    webhookUrl: `${deps.publicUrl()}/webhooks/${webhookId}`,
    request: createRequest(send, signal),
    resolve: createResolve((host) => deps.outgoing.resolve(workspaceId, host)),
    signal,
    host: createHost(deps, { botId, alias, integrationId }),
  }
  return { entry, channel, context }
}

/** People paste blanks and line ends along with a value. */
const withoutBlanks = (
  configuration: Context['configuration'],
): Context['configuration'] =>
  Object.fromEntries(
    Object.entries(configuration).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.trim() : value,
    ]),
  )
