// Types of the queue: a delivery, the outcome of an attempt, and the statements that the queue
// needs.

/**
 * `event`: an event for the bot. `message`: a message for its integration. `change`: a change to a
 * message or a conversation, for its integration.
 */
export type DeliveryKind = 'event' | 'message' | 'change'

/** A delivery, as returned by a statement that enqueues or loads it. */
export interface Enqueued {
  botId: string
  lane: string
  /** Position in the lane. */
  number: string
  id: string
  kind: DeliveryKind
  /** Id of the event, message or change. */
  subjectId: string
  /**
   * Owner of the lane after the statement, or null. The delivery is made under this worker's lease
   * (fencing.ts).
   */
  owner: string | null
  /** Number of deliveries before it in the lane. With 0, memory knows the complete lane. */
  ahead?: number
  attempts?: number
  /** Whether this process has already called the handler. */
  begun?: boolean
  /** Whether hooks have completed its message. Kept in memory only. */
  isComplete?: boolean
  /** How often it was postponed because a call-back got 429. Kept in memory only. */
  limited?: number
  /** Whether the answer was stopped before this process loaded the delivery. */
  isStopped?: boolean
  /** Whether a person holds the conversation, so that the bot does not receive it. */
  isWithheld?: boolean
  /** Whether an operator redelivered it after it had failed. Known after it was loaded. */
  isRedelivered?: boolean
  /** Trace context of its cause, which the delivery continues. */
  trace?: string
  /** Called when a further delivery enters the lane while this one runs. Kept in memory only. */
  onFollowed?: () => void
  /** Id of the request that caused it. Kept in memory only. */
  requestId?: string
  /** Content for the handler, which saves reading it from the database. */
  content?: unknown
  /** Approximate size. */
  bytes?: number
}

/**
 * Whether any process may have called the handler before. Only a delivery that comes directly from
 * the enqueueing statement and has had no attempt is certainly new.
 */
export const mayHaveBegun = ({ begun, attempts, ahead }: Enqueued) =>
  begun === true || !!attempts || ahead === undefined

export type DeliveryOutcome =
  | { result: 'done' }
  /** The target did not want the delivery. */
  | { result: 'ignored'; reason: string }
  /** Failed without retry. `issue` is the code of the issue for the bot's owner. */
  | { result: 'failed'; reason: string; issue?: string }
  /** Failed; the queue retries it. `stack` is the stack trace, if known. */
  | { result: 'retry'; reason: string; stack?: string; issue?: string }
  /** The attempt could not be made. It does not count as an attempt. */
  | { result: 'postponed'; reason: string; pauseMs?: number }

/** Result of an attempt, for metrics and logs. */
export interface Attempted {
  delivery: Enqueued
  result: 'done' | 'failed' | 'ignored' | 'dead' | 'retry' | 'postponed'
  /** Counted from 1. */
  attempt: number
  ms: number
}

/** `ms` is the duration of the attempt by a monotonic clock. */
export type Settled = {
  delivery: Enqueued
  outcome: Exclude<DeliveryOutcome, { result: 'postponed' }>
  attempts: number
  startedAt: Date
  ms: number
}

export interface LaneName {
  botId: string
  lane: string
}
/** State of a lane after outcomes were recorded. */
export interface LaneRemainder extends LaneName {
  pending: number
  owner: string | null
}

export interface QueueStore {
  /**
   * Claims unowned lanes with pending deliveries: of each bot the longest waiting, up to the bot's
   * capacity.
   */
  claim(
    workerId: string,
    capacity: { of: Map<string, number>; ofOthers: number },
  ): Promise<LaneName[]>
  /**
   * Returns the next deliveries of a lane after the number `after`, in order; none if the worker
   * does not own the lane.
   */
  load(
    workerId: string,
    lane: LaneName,
    after: string,
    limit: number,
  ): Promise<Enqueued[]>
  /** Records final outcomes, and releases lanes that are empty. */
  settle(workerId: string, settled: Settled[]): Promise<LaneRemainder[]>
  /** Records an attempt that will be retried. Returns the lane's owner. */
  recordAttempt(settled: Settled): Promise<string | null>
  /** Lists the lanes that the worker owns. */
  owned(workerId: string, limit: number): Promise<LaneName[]>
  /**
   * Releases the worker's lanes except `keep`. With `resign`, the worker also gives up its lease
   * (fencing.ts).
   */
  release(workerId: string, keep: LaneName[], resign?: boolean): Promise<void>
}
