// Notes in the change feed that the queue of a bot has changed.

import type { RedeliveredIssues } from '../bots/index.ts'
import type { Backlog, QueueStore, Settled } from '../queue/index.ts'
import type { ChangeFeed } from '../realtime/index.ts'

type Feed = Pick<ChangeFeed, 'publish'>
type Counts = Pick<Backlog, 'entered' | 'ended'>

/** Notes deliveries that this process has enqueued. */
export const notingEntries = (backlog: Counts, feed: Feed): Counts => ({
  entered(botId, bytes) {
    backlog.entered(botId, bytes)
    feed.publish({ topic: 'events', botId })
  },
  ended: (botId) => backlog.ended(botId),
})

/** Notes failed attempts and ended deliveries after they were recorded. */
export const notingStore = (
  store: QueueStore,
  feed: Feed,
  issues: Pick<RedeliveredIssues, 'handled'>,
): QueueStore => ({
  ...store,
  async recordAttempt(failed) {
    const owner = await store.recordAttempt(failed)
    feed.publish({ topic: 'events', botId: failed.delivery.botId })
    return owner
  },
  async settle(workerId, batch) {
    const lanes = await store.settle(workerId, batch)
    for (const settled of batch) {
      noteOutcome(feed, settled)
      noteHandled(issues, settled)
    }
    return lanes
  },
})

function noteHandled(
  issues: Pick<RedeliveredIssues, 'handled'>,
  { delivery: { botId, kind, subjectId: id, isRedelivered }, outcome }: Settled,
) {
  if (isRedelivered && outcome.result === 'done' && kind !== 'change')
    issues.handled({ botId, kind, id })
}

function noteOutcome(feed: Feed, { delivery: { botId, kind }, outcome: { result } }: Settled) {
  feed.publish({ topic: 'events', botId })
  const isDead = result === 'retry' || (result === 'failed' && kind !== 'event')
  if (isDead) feed.publish({ topic: 'deadLetters', botId })
  if (result === 'retry' || result === 'failed') feed.publish({ topic: 'issues', botId })
}
