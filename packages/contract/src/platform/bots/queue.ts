import { Type as T } from 'typebox'
import { closed, Meta, paging } from '../../fields.ts'
import { BurstRules } from '../../models/bots/burst-rules.ts'
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
  getBurstRules: operation({
    method: 'GET',
    path: '/v1/platform/burst-rules',
    access: 'bot',
    permission: 'bots.read',
    summary: 'Get the rules for messages in a row',
    response: closed({ rules: BurstRules }),
  }),
  setBurstRules: operation({
    method: 'PUT',
    path: '/v1/platform/burst-rules',
    access: 'bot',
    permission: 'bots.update',
    audit: 'UPDATE_BOT',
    summary: 'Replace the rules for messages in a row',
    description:
      'The event of the last message brings those before it: texts are joined with line feeds, other ' +
      'messages become parts of a `bloc`. Their own events are ignored. A burst has at most 50 messages, ' +
      '30 seconds and 500 kB.',
    body: BurstRules,
    response: closed({ rules: BurstRules }),
    errors: ['InvalidPayload'],
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
