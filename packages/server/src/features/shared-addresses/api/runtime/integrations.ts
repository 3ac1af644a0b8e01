import { ApiError, type Handlers, type runtime } from '@botstead/contract'
import type { Contexts } from '../../../../core/http/index.ts'
import type { RealtimeServices } from '../../../../core/realtime/index.ts'
import { changeIdentifiers } from '../../identifiers.ts'

export const integrations: Handlers<
  typeof runtime.integrations,
  Contexts<RealtimeServices>
> = {
  async configureIntegration({ services, caller }, { body }) {
    if (!caller.integration)
      throw new ApiError(
        'Forbidden',
        'Only an integration can configure itself: send `x-integration-alias` or `x-integration-id`',
      )
    const { botId, integration } = caller
    await changeIdentifiers(services, { botId, alias: integration.alias }, body)
    // Its page in the dashboard shows whether it is connected.
    services.changeFeed.publish({ topic: 'bots', botId })
    return {}
  },
}
