import { byId, closed } from '../fields.ts'
import { NewWebchatEvent, WebchatEvent } from '../models/chat/webchat-event.ts'
import { operation } from '../operation.ts'

const response = closed({ event: WebchatEvent })

export const events = {
  createEvent: operation({
    method: 'POST',
    path: '/events',
    access: 'chatUser',
    summary: 'Send an event to the bot',
    description:
      'The bot receives `conversation_started` once per conversation; ' +
      '`payload.data.status.isInitial` of the response is true for this event.',
    status: 201,
    body: NewWebchatEvent,
    response,
    errors: ['Forbidden'],
  }),
  getEvent: operation({
    method: 'GET',
    path: '/events/{id}',
    access: 'chatUser',
    summary: 'Get an event',
    description: 'The caller must be a participant.',
    params: byId,
    response,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
}
