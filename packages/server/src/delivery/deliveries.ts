// The durable queue as the modules see it. Rows are written by the statement that writes what they follow from;
// this is told afterwards, so that the process that wrote dispatches at once.
export interface Enqueued {
  botId: string
  lane: string
  number: string
  id: string
  kind: 'event' | 'message'
  subjectId: string
  /** True when the statement gave the lane to this process. */
  ours: boolean
}

export interface Deliveries {
  /** This process, as the lanes' owner. */
  readonly workerId: string
  /** After the commit. What is not ours is announced to the other processes. */
  dispatch(enqueued: Enqueued[]): void
}
