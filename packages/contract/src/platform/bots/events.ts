import { byId, closed } from '../../fields.ts'
import { Event } from '../../models/conversations/event.ts'
import { operation } from '../../operation.ts'

export const events = {
  redeliverEvent: operation({
    method: 'POST',
    path: '/v1/platform/events/{id}/redeliver',
    access: 'bot',
    summary: 'Redeliver a failed or ignored event',
    params: byId,
    body: closed({}),
    response: closed({ event: Event }),
    errors: ['ResourceNotFound', 'ResourceLockedConflict'],
  }),
}
