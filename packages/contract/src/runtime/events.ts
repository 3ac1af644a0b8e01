import { Type as T } from 'typebox'
import { byId, closed, Done, id, Json, Meta, paging } from '../fields.ts'
import { Schedule } from '../models/bots/schedule.ts'
import { Event, EventStatus } from '../models/conversations/event.ts'
import { operation } from '../operation.ts'

const response = closed({ event: Event })

export const events = {
  createEvent: operation({
    method: 'POST',
    path: '/v1/chat/events',
    access: 'bot',
    summary: 'Create an event',
    status: 201,
    body: closed({
      type: T.String({ maxLength: 200 }),
      payload: Json,
      schedule: T.Optional(Schedule),
      conversationId: T.Optional(id('conv')),
      userId: T.Optional(id('user')),
      messageId: T.Optional(id('msg')),
      workflowId: T.Optional(id('wrkflow')),
    }),
    response,
    errors: ['ReferenceNotFound', 'Forbidden'],
  }),
  cancelScheduledEvent: operation({
    method: 'DELETE',
    path: '/v1/chat/events/scheduled/{id}',
    access: 'bot',
    summary: 'Cancel a scheduled event',
    description: 'Only an event that the server has not delivered yet can be cancelled.',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
  getEvent: operation({
    method: 'GET',
    path: '/v1/chat/events/{id}',
    access: 'bot',
    summary: 'Get an event and its delivery status',
    params: byId,
    response,
    errors: ['ResourceNotFound'],
  }),
  listEvents: operation({
    method: 'GET',
    path: '/v1/chat/events',
    access: 'bot',
    summary: 'List events, newest first',
    query: T.Object({
      ...paging,
      type: T.Optional(T.String()),
      conversationId: T.Optional(T.String()),
      userId: T.Optional(T.String()),
      messageId: T.Optional(T.String()),
      workflowId: T.Optional(T.String()),
      status: T.Optional(EventStatus),
    }),
    response: closed({ events: T.Array(Event), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
}
