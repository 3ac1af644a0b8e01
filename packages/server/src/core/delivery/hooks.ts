// What features do at calls of code, see messaging/hooks.ts.
import type { OwnCode } from './calls/own-code.ts'

/** A call of an action that reached its code. */
interface CalledAction {
  botId: string
  cause: string | null
  run: string | null
  fence: string | null
  /** Alias and name of the installed integration; null for an action of the bot. */
  alias: string | null
  integration: string | null
  action: string
  input: Record<string, unknown>
  output: Record<string, unknown> | null
  error: string | null
  startedAt: Date
  ms: number
  cached: boolean
}

/** A tool that bots call as an action. */
export interface RemoteAction {
  tool: { inputSchema?: unknown; outputSchema?: unknown }
  call(input: Record<string, unknown>): Promise<unknown>
}

/** A request of a third party to an integration. */
export interface ForwardedRequest {
  botId: string
  alias: string
  at: Date
  ms: number
  request: {
    method: string
    path: string
    query: string
    headers: Record<string, string>
    body: Buffer
  }
  /** Null without one; then there is an `error`. */
  response: { status: number; headers: Record<string, string>; chunks: Buffer[] } | null
  error: string | null
  /** Id of the recorded request that this one repeats. */
  replayOf: string | null
}

/** A message for its bot. */
export interface DueMessage {
  botId: string
  eventId: string
  conversationId: string
  userId: string
  messageId: string
  /** Alias of the integration of its conversation. */
  integration: string
  type: string
  payload: Record<string, unknown>
}

export interface DeliveryHooks {
  /**
   * May change the payload of a message before its bot gets it: stores and returns it. Meanwhile its
   * conversation waits, others do not. Called once for each message, and again after a crash.
   */
  completeMessage: ((
    message: DueMessage,
  ) => Promise<Record<string, unknown> | null> | null)[]
  /** Code of integrations that is part of this server, by the URL of the integration. */
  ownCode: Map<string, OwnCode>
  actionCalled: ((call: CalledAction) => void)[]
  /** Finds an action outside of integrations, by the names of its server and itself. */
  findRemoteAction: ((
    botId: string,
    server: string,
    name: string,
  ) => Promise<RemoteAction | null>)[]
  /** A request to an integration has ended. */
  webhookForwarded: ((forwarded: ForwardedRequest) => void)[]
}
