import { Type as T } from 'typebox'
import { byId, closed, Json } from '../fields.ts'
import { ChatEvent } from '../models/chat-event.ts'
import { operation } from '../operation.ts'

const answer = closed({ event: ChatEvent })

export const events = {
  createEvent: operation({
    method: 'POST',
    path: '/events',
    access: 'chatUser',
    summary: 'Tell the bot something without saying it in the conversation',
    status: 201,
    body: T.Object({ conversationId: T.String(), payload: Json }),
    response: answer,
    errors: ['Forbidden'],
  }),
  getEvent: operation({
    method: 'GET',
    path: '/events/{id}',
    access: 'chatUser',
    summary: 'Look up an event of a conversation that the caller takes part in',
    params: byId,
    response: answer,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
}
