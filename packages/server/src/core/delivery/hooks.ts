// What features do at calls of code and in transactions, see messaging/hooks.ts.
import type { Database } from '../db/index.ts'
import type { DeferredSteps } from '../lib/index.ts'
import type { MessagingHooks } from '../messaging/index.ts'

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

export interface DeliveryHooks extends MessagingHooks {
  actionCalled: ((call: CalledAction) => void)[]
  /** Finds an action outside of integrations, by the names of its server and itself. */
  findRemoteAction: ((
    botId: string,
    server: string,
    name: string,
  ) => Promise<RemoteAction | null>)[]
  /** Returns the services of a feature that behave differently inside of a transaction. */
  bind: ((services: never, inside: Database, afterwards: DeferredSteps) => object)[]
}
