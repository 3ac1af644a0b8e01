// Calls a bot or an integration and waits for its answer, whether it is hosted here or lives at a URL.
export interface Invocation {
  /** Who is called: the bot itself, or the integration installed under this alias. */
  target: { botId: string; alias: string | null }
  operation: 'event_received' | 'register' | 'unregister' | 'ping' | 'action_triggered' | 'message_created' | 'webhook_received'
  /** The header x-bp-type, for bots. */
  type: string
  body: unknown
  /** The event or message that this call follows from; marks all that the code writes meanwhile. */
  cause: string | null
  timeoutMs: number
}

export interface Reply {
  status: number
  headers: Record<string, string>
  body: string
}

export interface Invoker {
  /**
   * The answer as it came, whatever its status. Throws InvocationFailed where there is none: no code, time-out, crash, connection refused.
   */
  invoke(invocation: Invocation): Promise<Reply>
  /** Ends the processes of a bot: after a new deployment, a deletion. */
  recycle(botId: string): Promise<void>
}

export class InvocationFailed extends Error {
  readonly reason: 'no-code' | 'blocked' | 'timeout' | 'crash' | 'unreachable' | 'too-large'
  constructor(reason: InvocationFailed['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}
