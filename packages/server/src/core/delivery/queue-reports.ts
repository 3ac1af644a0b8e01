// What the queue reports goes to metrics and logs, to open pages by the change feed, and to issues.

import type { Issues } from '../bots/index.ts'
import type { QueueReports } from '../queue/index.ts'
import type { ChangeFeed } from '../realtime/index.ts'
import { createAttemptReporter } from './observe.ts'

interface Deps {
  log: Parameters<typeof createAttemptReporter>[0]
  metrics: Parameters<typeof createAttemptReporter>[1]
  changeFeed: Pick<ChangeFeed, 'publish'>
  issues: Pick<Issues, 'resolveRedelivered'>
}

export function createQueueReports(deps: Deps): QueueReports {
  const { changeFeed: feed, issues } = deps
  return {
    attempted: createAttemptReporter(deps.log, deps.metrics),
    entered: (botId) => feed.publish({ topic: 'events', botId }),
    failed: (botId) => feed.publish({ topic: 'events', botId }),
    ended(
      { delivery: { botId, kind, subjectId: id, isRedelivered }, outcome: { result } },
      isDead,
    ) {
      feed.publish({ topic: 'events', botId })
      if (isDead) feed.publish({ topic: 'deadLetters', botId })
      if (result === 'retry' || result === 'failed')
        feed.publish({ topic: 'issues', botId })
      if (isRedelivered && result === 'done' && kind !== 'change')
        issues.resolveRedelivered({ botId, kind, id })
    },
  }
}
