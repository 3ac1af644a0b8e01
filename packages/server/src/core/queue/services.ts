// The services of this module, and how they behave inside of a transaction.
import type { Bindings } from '../db/index.ts'
import type { Backlog } from './backlog.ts'
import type { Depth } from './depth.ts'
import type { Queue } from './queue.ts'

export interface QueueServices {
  /** The durable queue of deliveries to bots and integrations. */
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
  /** Makes this process check for due jobs in `ms` milliseconds, although its next check is later. */
  dueIn: (ms: number) => void
  /** Counts a bot's pending deliveries. */
  backlog: Pick<Backlog, 'of'>
  /** Reads the depth of the queue of all bots; null while the database is not available. */
  queueDepth: () => Promise<Depth | null>
}

export const bindings = {
  deliveries: { dispatch: 'deferred' },
  dueIn: 'deferred',
  backlog: 'unchanged',
  queueDepth: 'unchanged',
} satisfies Bindings<QueueServices>
