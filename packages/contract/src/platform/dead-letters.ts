import { Type as T } from 'typebox'
import { byId, Count, closed, Done, id, Meta, Moment, paging } from '../fields.ts'
import { DeadLetter, DeliveryAttempt, DeliveryKind } from '../models/dead-letter.ts'
import { Event } from '../models/event.ts'
import { Message } from '../models/message.ts'
import { operation } from '../operation.ts'

/** Which ones; all of them without any. Dates are those of giving up, both ends included; `reason` is a part of it, in whatever case. */
const filter = {
  kind: T.Optional(DeliveryKind),
  type: T.Optional(T.String({ maxLength: 200 })),
  conversationId: T.Optional(id('conv')),
  reason: T.Optional(T.String({ minLength: 1, maxLength: 500 })),
  afterDate: T.Optional(Moment),
  beforeDate: T.Optional(Moment),
}
const counted = closed({ count: Count })

export const deadLetters = {
  listDeadLetters: operation({
    method: 'GET',
    path: '/v1/platform/dead-letters',
    access: 'bot',
    summary: 'List deliveries that were given up, newest first',
    query: T.Object({ ...paging, ...filter }),
    response: closed({ deadLetters: T.Array(DeadLetter), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  redeliverDeadLetters: operation({
    method: 'POST',
    path: '/v1/platform/dead-letters/redeliver',
    access: 'bot',
    summary: 'Deliver all that match once more, each at the end of its conversation',
    body: closed(filter),
    response: counted,
  }),
  discardDeadLetters: operation({
    method: 'POST',
    path: '/v1/platform/dead-letters/discard',
    access: 'bot',
    summary: 'Give up all that match for good',
    body: closed(filter),
    response: counted,
  }),
  getDeadLetter: operation({
    method: 'GET',
    path: '/v1/platform/dead-letters/{id}',
    access: 'bot',
    summary: 'Look up a delivery that was given up, its attempts, and what it is about',
    params: byId,
    response: closed({
      deadLetter: DeadLetter,
      attempts: T.Array(DeliveryAttempt),
      event: T.Optional(Event),
      message: T.Optional(Message),
    }),
    errors: ['ResourceNotFound'],
  }),
  redeliverDeadLetter: operation({
    method: 'POST',
    path: '/v1/platform/dead-letters/{id}/redeliver',
    access: 'bot',
    summary: 'Deliver it once more, at the end of its conversation and under the same ids',
    params: byId,
    body: closed({}),
    response: Done,
    errors: ['ResourceNotFound'],
  }),
  discardDeadLetter: operation({
    method: 'DELETE',
    path: '/v1/platform/dead-letters/{id}',
    access: 'bot',
    summary: 'Give it up for good; its event stays failed',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
