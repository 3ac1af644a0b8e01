// Settings of the queue of one process.
import type { Logger } from 'pino'
import type { Backlog } from './backlog.ts'
import type { Attempted, DeliveryOutcome, Enqueued, QueueStore } from './deliveries.ts'

/** The part of the queue that takes new deliveries. */
interface Enqueuer {
  readonly owner: string | null
  dispatch(enqueued: Enqueued[]): void
}

export interface QueueOptions {
  workerId: () => string
  store: QueueStore
  /** Performs one delivery; receives the queue for deliveries that it causes. */
  handler: (delivery: Enqueued, queue: Enqueuer) => Promise<DeliveryOutcome>
  /** Called after each attempt. */
  attempted?: (attempted: Attempted) => void
  /**
   * Pauses in ms before the second, third … attempt. After the last attempt, the delivery becomes a
   * dead letter.
   */
  retryMs: number[]
  log: Logger
  /** Counts the pending deliveries of each bot. */
  backlog?: Pick<Backlog, 'entered' | 'ended'>
  /** Sends a delivery to the worker that owns its lane, whose queue accepts it. May be lost. */
  handOver?: (delivery: Enqueued) => void
  /** Maximum concurrent invocations of one bot. */
  perBot?: number
  /**
   * Maximum number of lanes that this worker owns. Beyond it, new deliveries stay unowned until a
   * worker claims them.
   */
  maxLanes?: number
  /**
   * Maximum number of deliveries in memory with their content. The others are read from the
   * database at their turn.
   */
  maxHeld?: number
  /** Maximum bytes of the deliveries in memory. */
  maxHeldBytes?: number
  /** Pause in ms before the queue retries a statement that failed. */
  pauseMs?: number
}

export const defaults = {
  perBot: 100,
  maxLanes: 20_000,
  maxHeld: 2_000,
  maxHeldBytes: 33_554_432,
  pauseMs: 500,
  attempted: () => {},
  handOver: () => {},
}
