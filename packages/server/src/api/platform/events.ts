import { ApiError, type Handlers, type platform } from '@botstead/contract'
import { redeliverDeadLetterOf } from '../../delivery/dead-letters.ts'
import { noEvent, tellAgain } from '../../events/events.ts'
import { findEvent } from '../../messaging/event-shown.ts'
import type { Contexts } from '../../services.ts'
import { operated } from './operator.ts'

export const events: Handlers<typeof platform.events, Contexts> = {
  /** One that died comes back with its delivery; of one that was refused or ignored the delivery is gone, and it gets another. */
  async redeliverEvent({ services, caller }, { params: { id } }) {
    const botId = operated(caller)
    // Read before: once it is done, nothing more can fail.
    const event = await findEvent(services.db, botId, id)
    if (!event) throw noEvent(id)
    const told = (await redeliverDeadLetterOf(services, botId, id)) || (await tellAgain(services, botId, id))
    if (!told)
      throw new ApiError(
        'ResourceLockedConflict',
        'Only an event that failed or was ignored can be told again',
      )
    return { event: { ...event, status: 'pending', failureReason: null } }
  },
}
