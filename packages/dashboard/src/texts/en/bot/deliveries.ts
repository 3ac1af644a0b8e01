import { amount, thousands } from '../amount.ts'

export const deliveries = {
  title: 'Deliveries',
  pending: 'Pending',
  scheduled: 'Scheduled events',
  scheduledMessages: 'Scheduled messages',
  recurring: 'Recurring',
  dead: 'Dead letters',
  failed: 'Failed events',
  failedHint:
    'Events that the bot rejected or failed to handle. Rejected: the bot answered with a status of ' +
    '400 to 499, or a card of its flow failed. The server does not retry such an event, and it is no ' +
    'dead letter. Events that failed in the first attempt and all retries are dead letters, too: ' +
    'redeliver them in either list.',
  emptyFailed: 'No failed events',
  redeliverFailed: 'Redeliver all failed events?',
  redeliverFailedHint:
    'The search of the list applies. You can stop at any time and continue later.',
  redeliveredFailed: (count: number) => amount(count, 'event redelivered', 'events redelivered'),
  view: 'List',
  depth: (pending: number, conversations: number) =>
    `${thousands(pending)} pending in ${amount(conversations, 'conversation')}`,
  oldest: (seconds: number) => `the oldest for ${seconds} s`,
  emptyPending: 'No pending deliveries',
  emptyPendingHint: 'The bot has handled all events.',
  emptyScheduled: 'Nothing is scheduled',
  emptyRecurring: 'No recurring events',
  emptyRecurringHint: 'The definition of the deployed bot declares none.',
  deadHint:
    'Events and messages that failed in the first attempt and all retries, until you redeliver or ' +
    'discard them. The events are also in the list of failed events.',
  emptyDead: 'No dead letters',
  emptyDeadHint:
    'An event or message that fails in the first attempt and all retries appears here. Events that ' +
    'the bot rejected are not retried: they are only in the list of failed events.',
  type: 'Type',
  kind: 'Kind',
  conversation: 'Conversation',
  reason: 'Reason',
  attempts: 'Attempts',
  error: 'Last error',
  created: 'Created',
  died: 'Last attempt',
  due: 'Due',
  nextRun: 'Next run',
  cron: 'Schedule',
  name: 'Name',
  failures: 'Failures',
  searchReason: 'Search the reason',
  cancel: 'Cancel',
  canceled: 'Canceled',
  redeliver: 'Redeliver',
  redelivered: 'Redelivered. The bot has not handled it yet.',
  handled: 'Redelivered. The bot handled it.',
  failedAgain: 'Failed again',
  redeliverAll: 'Redeliver all',
  discard: 'Discard',
  discarded: 'Discarded',
  discardAll: 'Discard all',
  edit: 'Edit and redeliver',
  payload: 'Payload',
  attemptsOf: (numbers: number[]) =>
    numbers.length === 1 ? `Attempt ${numbers[0]}` : `Attempts ${numbers.join(', ')}`,
  toConversation: 'Open the conversation',
  trace: 'Trace',
  dialog: 'Dead letter',
  redeliverMany: (count: number) => `Redeliver ${amount(count, 'dead letter')}?`,
  discardMany: (count: number) => `Discard ${amount(count, 'dead letter')}?`,
  redeliveredMany: (count: number) => `Redelivered ${amount(count, 'dead letter')}`,
  discardedMany: (count: number) => `Discarded ${amount(count, 'dead letter')}`,
  manyHint: 'The filter of the list applies. You can stop at any time and continue later.',
  progress: (done: number, total: number) => `${thousands(done)} of ${thousands(total)}`,
  stop: 'Stop',
}
