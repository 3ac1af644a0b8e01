import { Type as T } from 'typebox'
import { closed, Meta, paging } from '../../fields.ts'
import {
  PendingDelivery,
  QueueDepth,
  ScheduledItem,
  UpcomingTick,
} from '../../models/bots/queue.ts'
import { operation } from '../../operation.ts'

export const queue = {
  getQueue: operation({
    method: 'GET',
    path: '/v1/platform/queue',
    access: 'bot',
    summary: 'Get the depth of the queue',
    response: closed({ queue: QueueDepth }),
  }),
  listPendingDeliveries: operation({
    method: 'GET',
    path: '/v1/platform/queue/deliveries',
    access: 'bot',
    summary: 'List pending deliveries by conversation',
    description:
      'In the order of conversations, and within them in the order of delivery. `attempts` and ' +
      '`lastError` are those of failed attempts. `nextAttemptAt` is an estimate.',
    query: T.Object({ ...paging, conversationId: T.Optional(T.String()) }),
    response: closed({ deliveries: T.Array(PendingDelivery), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  listScheduled: operation({
    method: 'GET',
    path: '/v1/platform/queue/scheduled',
    access: 'bot',
    summary: 'List scheduled events or messages, earliest first',
    query: T.Object({ ...paging, kind: T.Enum(['event', 'message']) }),
    response: closed({ scheduled: T.Array(ScheduledItem), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  getUpcomingTicks: operation({
    method: 'GET',
    path: '/v1/platform/queue/recurring',
    access: 'bot',
    summary: 'List recurring events with their next run',
    description: 'Returns at most 1,000.',
    response: closed({ recurring: T.Array(UpcomingTick) }),
  }),
}
