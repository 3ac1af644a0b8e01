import { channels as entries } from '@botstead/channels'
import type { Issues } from '../../core/bots/index.ts'
import { recordWorking } from '../../core/catalog/index.ts'
import { type DeliveryHooks, toOwnCodeUrl } from '../../core/delivery/index.ts'
import type { Feature } from '../../core/feature.ts'
import type { ChangeFeed } from '../../core/realtime/index.ts'
import { createChannelCode } from './channel-code.ts'
import { type ConnectorRunner, startConnectors } from './connector-runner.ts'
import type { ConnectorKey } from './connectors.ts'
import type { ChannelDeps } from './deps.ts'

export const channels = { name: 'channels' } satisfies Feature
export type { ConnectorRunner } from './connector-runner.ts'
export { hubIntegrations } from './hub-entries.ts'
export { tables } from './table-rules.ts'

interface StartDeps extends ChannelDeps {
  hooks: Pick<DeliveryHooks, 'ownCode'>
  issues: Pick<Issues, 'report'>
  changeFeed: Pick<ChangeFeed, 'publish'>
}

/** Lets deliveries reach the channels, and keeps their connections. */
export function startChannels(deps: StartDeps): ConnectorRunner {
  const connectors = startConnectors({
    ...deps,
    onState: (botId, alias, reason) => noteState(deps, { botId, alias }, reason),
  })
  const code = createChannelCode({ ...deps, connectorsChanged: () => connectors.soon() })
  for (const { name } of entries) deps.hooks.ownCode.set(toOwnCodeUrl(name), code)
  return connectors
}

/** The installation has the state that pages, the API and the command line show. */
async function noteState(
  { db, issues, changeFeed }: StartDeps,
  { botId, alias }: ConnectorKey,
  reason: string | null,
): Promise<void> {
  if (!(await recordWorking(db, { botId, alias }, reason))) return
  changeFeed.publish({ topic: 'bots', botId })
  if (reason === null) return
  const facts = { integration: alias }
  issues.report(botId, { code: 'integration_not_registered', message: reason, facts })
}
