// The words of the queue: a delivery on its way, how an attempt at it ended, and what the database does for it.

/** Of an event to the bot; of a message, or of a change in one or in a conversation, to its integration. */
export type DeliveryKind = 'event' | 'message' | 'change'

/** What a statement that enqueues gives back of each delivery. */
export interface Enqueued {
  botId: string
  lane: string
  /** Position in the lane. */
  number: string
  id: string
  kind: DeliveryKind
  /** The event's, the message's or the change's id. */
  subjectId: string
  /**
   * Owner of the lane after the statement; ours when it is our worker id. The delivery is made under its lease
   * (fencing.ts).
   */
  owner: string | null
  /** How many were before it in the lane; with none, memory knows the lane whole. */
  ahead?: number
  attempts?: number
  /** Somebody was called, whatever came of it. */
  begun?: boolean
  /** How often it was postponed because a call-back was answered 429; forgotten in a restart. */
  limited?: number
  /** Of what it follows from, to go on with. */
  trace?: string
  /** The request that it follows from; forgotten in a restart. */
  requestId?: string
  /** What the handler would otherwise read from the database. */
  content?: unknown
  /** How large it is, about. */
  bytes?: number
}

/** By whomever: only one that comes straight from the statement that enqueued it, and was not tried yet, has certainly not been begun. */
export const mayHaveBegun = ({ begun, attempts, ahead }: Enqueued) =>
  begun === true || !!attempts || ahead === undefined

export type Outcome =
  | { result: 'done' }
  /** Nobody wanted it. */
  | { result: 'ignored'; reason: string }
  /** Not to be tried again. `issue` is the kind of trouble that it is for the bot's owner. */
  | { result: 'failed'; reason: string; issue?: string }
  /** To be tried again. `stack` is where it failed, when that was said. */
  | { result: 'retry'; reason: string; stack?: string; issue?: string }
  /** It could not even be tried, which is nobody's fault and counts for nothing. */
  | { result: 'postponed'; reason: string; pauseMs?: number }

/** How an attempt went: over, or to be repeated. */
export interface Attempted {
  delivery: Enqueued
  result: 'done' | 'failed' | 'ignored' | 'dead' | 'retry' | 'postponed'
  /** Counted from one. */
  attempt: number
  ms: number
}

/** `ms` is how long the attempt took, by a clock that does not jump. */
export type Settled = {
  delivery: Enqueued
  outcome: Exclude<Outcome, { result: 'postponed' }>
  attempts: number
  startedAt: Date
  ms: number
}

export interface LaneName {
  botId: string
  lane: string
}
/** A lane after its outcomes were recorded. */
export interface LaneLeft extends LaneName {
  pending: number
  owner: string | null
}

export interface QueueStore {
  /** Makes ownerless lanes with work ours: of each bot those that wait longest, as many as it has room for. */
  claim(workerId: string, room: { of: Map<string, number>; ofOthers: number }): Promise<LaneName[]>
  /** The next deliveries of a lane after `after`, in order; nothing of a lane that is not the worker's. */
  load(workerId: string, lane: LaneName, after: string, limit: number): Promise<Enqueued[]>
  /** Records final outcomes, and frees lanes that are empty. */
  settle(workerId: string, settled: Settled[]): Promise<LaneLeft[]>
  /** Records an attempt that will be repeated; who owns the lane. */
  recordAttempt(settled: Settled): Promise<string | null>
  /** Lanes that belong to the worker. */
  owned(workerId: string, limit: number): Promise<LaneName[]>
  /** Gives the worker's lanes back, apart from some. With `resign`, it gives up its lease too (fencing.ts). */
  release(workerId: string, keep: LaneName[], resign?: boolean): Promise<void>
}

export type Handler = (delivery: Enqueued) => Promise<Outcome>
