import { Type as T } from 'typebox'
import { byId, closed, Json } from '../fields.ts'
import { ChatEvent } from '../models/chat/chat-event.ts'
import { operation } from '../operation.ts'

const response = closed({ event: ChatEvent })

export const events = {
  createEvent: operation({
    method: 'POST',
    path: '/events',
    access: 'chatUser',
    summary: 'Send a custom event to the bot',
    description: 'The event does not appear as a message in the conversation.',
    status: 201,
    body: T.Object({ conversationId: T.String(), payload: Json }),
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
