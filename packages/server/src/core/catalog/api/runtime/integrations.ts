import { ApiError, type Handlers, type runtime } from '@botstead/contract'
import type { Contexts } from '../../../http/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import { configureInstallation } from '../../installations/installation-settings.ts'

export const integrations: Handlers<typeof runtime.integrations, Contexts<RealtimeServices>> = {
  async configureIntegration({ services, caller }, { body }) {
    if (!caller.integration)
      throw new ApiError(
        'Forbidden',
        'Only an integration can configure itself: send `x-integration-alias` or `x-integration-id`',
      )
    const claim = { from: 'workspace', max: services.limits.identifiersPerIntegration } as const
    await configureInstallation(services.db, caller.botId, caller.integration.alias, body, claim)
    // Its page in the dashboard shows whether it is connected.
    services.changeFeed.publish({ topic: 'bots', botId: caller.botId })
    return {}
  },
}
