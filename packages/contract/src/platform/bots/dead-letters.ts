import { Type as T } from 'typebox'
import { byId, Count, closed, Done, Json, Meta, paging } from '../../fields.ts'
import {
  DeadLetter,
  DeliveryAttempt,
  deliveryFilter,
} from '../../models/bots/dead-letter.ts'
import { Event } from '../../models/conversations/event.ts'
import { Message } from '../../models/conversations/message.ts'
import { operation } from '../../operation.ts'

/**
 * At most this many; without it, all. To work through many in steps, repeat the request with
 * `beforeDate` set to the time of the first: dead letters that fail again are then not repeated.
 */
const step = {
  ...deliveryFilter,
  maxCount: T.Optional(T.Integer({ minimum: 1, maximum: 10_000 })),
}
/** `hasMore`: `maxCount` was reached. */
const countResponse = closed({ count: Count, hasMore: T.Optional(T.Boolean()) })

export const deadLetters = {
  listDeadLetters: operation({
    method: 'GET',
    path: '/v1/platform/dead-letters',
    access: 'bot',
    summary: 'List dead letters, newest first',
    query: T.Object({ ...paging, ...deliveryFilter }),
    response: closed({ deadLetters: T.Array(DeadLetter), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  countDeadLetters: operation({
    method: 'GET',
    path: '/v1/platform/dead-letters/count',
    access: 'bot',
    description: 'Counting stops at 100,000.',
    summary: 'Get the number of matching dead letters',
    query: T.Object(deliveryFilter),
    response: closed({ count: Count }),
    errors: ['InvalidQuery'],
  }),
  redeliverDeadLetters: operation({
    method: 'POST',
    path: '/v1/platform/dead-letters/redeliver',
    access: 'bot',
    summary: 'Redeliver all matching dead letters',
    description:
      'Appends each delivery to the queue of its conversation. With `maxCount`, repeat the request ' +
      'while the response has `hasMore`.',
    body: closed(step),
    response: countResponse,
  }),
  discardDeadLetters: operation({
    method: 'POST',
    path: '/v1/platform/dead-letters/discard',
    access: 'bot',
    summary: 'Discard all matching dead letters',
    body: closed(step),
    response: countResponse,
  }),
  getDeadLetter: operation({
    method: 'GET',
    path: '/v1/platform/dead-letters/{id}',
    access: 'bot',
    summary: 'Get a dead letter and its attempts',
    description: 'Also returns the event or message that could not be delivered.',
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
    summary: 'Redeliver a dead letter',
    description:
      'Appends the delivery to the queue of its conversation, under the same ids.',
    params: byId,
    body: closed({}),
    response: Done,
    errors: ['ResourceNotFound'],
  }),
  redeliverEditedDeadLetter: operation({
    method: 'POST',
    path: '/v1/platform/dead-letters/{id}/redeliver-edited',
    access: 'workspace',
    permission: 'data.write',
    summary: 'Redeliver a dead letter with another payload',
    description:
      'Replaces the payload of its event or message. The rules for new events and messages apply. ' +
      'The audit log records the change.',
    params: byId,
    body: closed({ botId: T.String(), payload: Json }),
    response: Done,
    errors: ['ResourceNotFound', 'InvalidPayload', 'LimitExceeded'],
  }),
  discardDeadLetter: operation({
    method: 'DELETE',
    path: '/v1/platform/dead-letters/{id}',
    access: 'bot',
    summary: 'Discard a dead letter',
    description: 'Its event keeps the status `failed`.',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
