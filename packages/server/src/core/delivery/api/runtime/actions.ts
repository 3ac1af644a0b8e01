import { ApiError, type Handlers, type runtime } from '@botstead/contract'
import type { Contexts } from '../../../http/index.ts'
import type { MessagingServices } from '../../../messaging/index.ts'
import type { QueueServices } from '../../../queue/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import type { UsageServices } from '../../../usage/index.ts'
import { callAction } from '../../calls/actions.ts'
import type { DeliveryServices } from '../../services.ts'

export const actions: Handlers<
  typeof runtime.actions,
  Contexts<
    DeliveryServices &
      MessagingServices &
      QueueServices &
      RealtimeServices &
      UsageServices
  >
> = {
  async callAction({ services, caller }, { body }) {
    if (caller.integration)
      throw new ApiError(
        'Forbidden',
        'Integrations cannot call actions: call this operation as the bot',
      )
    const { output, cached } = await callAction(services, caller, body.type, body.input)
    return { output, meta: { cached } }
  },
}
