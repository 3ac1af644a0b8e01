import { events as chat } from '../chat/events.ts'
import { closed } from '../fields.ts'
import { NewWebchatEvent, WebchatEvent } from '../models/chat/webchat-event.ts'
import { operation } from '../operation.ts'

const response = closed({ event: WebchatEvent })

export const events = {
  createEvent: operation({
    ...chat.createEvent,
    summary: 'Send an event to the bot',
    description:
      'The bot receives `conversation_started` once per conversation; ' +
      '`payload.data.status.isInitial` of the response is true for this event.',
    body: NewWebchatEvent,
    response,
  }),
  getEvent: operation({ ...chat.getEvent, response }),
}
