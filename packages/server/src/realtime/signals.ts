// Who listens to which conversation, in this process and, by wake-up, in others.
export interface Signal {
  /** Position in the conversation; null for what is not kept (stream deltas). */
  number: string | null
  type: string
  data: unknown
}

export interface Signals {
  /** Hands a signal that was just committed to all listeners of the conversation. */
  publish(botId: string, conversationId: string, signal: Signal): void
  /** Ends the streams of a user in a conversation, after what was already published has been sent. */
  cut(botId: string, conversationId: string, userId: string | null): void
}
