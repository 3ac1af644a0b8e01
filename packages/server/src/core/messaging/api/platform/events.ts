import { ApiError, type Handlers, type platform } from '@botstead/contract'
import { type Contexts, operated } from '../../../http/index.ts'
import type { QueueServices } from '../../../queue/index.ts'
import { findEvent } from '../../event-serializers.ts'
import { noEvent, resendEvent } from '../../events/events.ts'
import { redeliverByEvent } from '../../failures/dead-letters.ts'

export const events: Handlers<typeof platform.events, Contexts<QueueServices>> = {
  /**
   * Redelivers a dead letter with its delivery. A rejected or ignored event has no delivery any
   * more, and gets a new one.
   */
  async redeliverEvent({ services, caller }, { params: { id } }) {
    const botId = operated(caller)
    // Read before the redelivery, so that nothing can fail after it.
    const event = await findEvent(services.db, botId, id)
    if (!event) throw noEvent(id)
    const redelivered =
      (await redeliverByEvent(services, botId, id)) ||
      (await resendEvent(services, botId, id))
    if (!redelivered)
      throw new ApiError(
        'ResourceLockedConflict',
        'Only a failed or ignored event can be delivered again',
      )
    return { event: { ...event, status: 'pending', failureReason: null } }
  },
}
