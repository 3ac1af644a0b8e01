import { Type as T } from 'typebox'
import { byId, closed, Done, id, Json, Meta, paging } from '../fields.ts'
import { Event, EventStatus } from '../models/event.ts'
import { Schedule } from '../models/schedule.ts'
import { operation } from '../operation.ts'

const answer = closed({ event: Event })

export const events = {
  createEvent: operation({
    method: 'POST',
    path: '/v1/chat/events',
    access: 'bot',
    summary: 'Tell the bot that something happened',
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
    response: answer,
    errors: ['ReferenceNotFound', 'Forbidden'],
  }),
  cancelScheduledEvent: operation({
    method: 'DELETE',
    path: '/v1/chat/events/scheduled/{id}',
    access: 'bot',
    summary: 'Cancel an event that is scheduled and not told yet',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
  getEvent: operation({
    method: 'GET',
    path: '/v1/chat/events/{id}',
    access: 'bot',
    summary: 'Look up an event, and how far the telling has come',
    params: byId,
    response: answer,
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
