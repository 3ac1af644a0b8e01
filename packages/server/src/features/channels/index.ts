import { channels as entries } from '@botstead/channels'
import type { Issues } from '../../core/bots/index.ts'
import { recordWorking } from '../../core/catalog/index.ts'
import { type DeliveryHooks, toOwnCodeUrl } from '../../core/delivery/index.ts'
import type { Feature } from '../../core/feature.ts'
import type { ChangeFeed } from '../../core/realtime/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { createChannelCode } from './channel-code.ts'
import { openChannelTools } from './channel-tools.ts'
import { type ConnectorRunner, startConnectors } from './connector-runner.ts'
import type { ConnectorKey } from './connectors.ts'
import type { ChannelDeps } from './deps.ts'
import type { StateDeps } from './registration.ts'
import { bindings, type ChannelServices } from './services.ts'
import { tables } from './table-rules.ts'
import { addVoiceNoteHook, type VoiceNoteDeps } from './voice-notes.ts'

export const channels = {
  name: 'channels',
  tables,
  bindings,
  handlers,
  /** `deps` are read at each call. */
  open: (deps: () => OpenDeps): { services: ChannelServices } => ({
    services: { channelTools: openChannelTools(() => withState(deps())) },
  }),
  start: startChannels,
} satisfies Feature
export { hubIntegrations } from './hub-entries.ts'

interface OpenDeps extends ChannelDeps {
  issues: Pick<Issues, 'report' | 'resolveRegistration'>
  changeFeed: Pick<ChangeFeed, 'publish'>
}

interface StartDeps extends OpenDeps, VoiceNoteDeps {
  changeFeed: Pick<ChangeFeed, 'publish'>
  hooks: Pick<DeliveryHooks, 'ownCode' | 'completeMessage'>
}

/** Lets deliveries reach the channels, and keeps their connections. */
function startChannels(deps: StartDeps): ConnectorRunner {
  const stateDeps = withState(deps)
  const connectors = startConnectors(stateDeps)
  const code = createChannelCode({
    ...stateDeps,
    connectorsChanged: () => connectors.soon(),
  })
  for (const { name } of entries) deps.hooks.ownCode.set(toOwnCodeUrl(name), code)
  addVoiceNoteHook(deps.hooks, deps)
  return connectors
}

const withState = (deps: OpenDeps): StateDeps => ({
  ...deps,
  onState: (botId, alias, reason) => noteState(deps, { botId, alias }, reason),
})

/** The installation has the state that pages, the API and the command line show. */
async function noteState(
  { db, issues, changeFeed }: OpenDeps,
  { botId, alias }: ConnectorKey,
  reason: string | null,
): Promise<void> {
  const hasChanged = await recordWorking(db, { botId, alias }, reason)
  if (reason === null) await issues.resolveRegistration(botId, alias)
  if (!hasChanged) return
  changeFeed.publish({ topic: 'bots', botId })
  if (reason === null) return
  const facts = { integration: alias }
  issues.report(botId, { code: 'integration_not_registered', message: reason, facts })
}
