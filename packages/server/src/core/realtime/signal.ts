/** A note of something that happened in a conversation, for its listeners. */
export interface Signal {
  /** Position in the conversation; null for a signal without one. */
  number: string | null
  /**
   * For a signal without its own number that is stored with a numbered one: that number. It is sent
   * just before the numbered signal, and read back with it. Other signals without a number are
   * transient.
   */
  before?: string
  type: string
  data: unknown
}

export interface Listener {
  /** User of the listener, which ends when the user leaves. */
  userId: string
  send(signal: Signal): void
  /** Resolves when there is room for more signals; reads wait for it. */
  ready?(): Promise<void> | undefined
  /** Called once when no more signals will follow, also after the listener closed itself. */
  end(): void
}
