// The globals of the author's code and expressions.
import type { BotEvent, OutgoingEvent } from '../engine/event-types.ts'

/** Plain objects. The engine saves the changes that code makes. */
export interface Scopes {
  workflow: Record<string, unknown>
  conversation: Record<string, unknown>
  user: Record<string, unknown>
  bot: Record<string, unknown>
  session: Record<string, unknown>
  turn: Record<string, unknown>
  /** Read-only. */
  env: Record<string, unknown>
}
export type ScopeName = keyof Scopes

export interface Surroundings {
  event: BotEvent
  outgoingEvent?: OutgoingEvent | undefined
  scopes: Scopes
  /**
   * Host objects by global name: `client`, `actions`, `axios`, `_`, `luxon`, `console`,
   * `OrdersTable`.
   */
  host?: Record<string, unknown>
  /** JSON values by global name: `language`, `input` of an action. */
  data?: Record<string, unknown>
  /**
   * Returns an error message if a variable must not have the value, otherwise null. Runs at each
   * assignment.
   */
  refuse?: ((scope: ScopeName, name: string, value: unknown) => string | null) | undefined
  /**
   * Called for each asynchronous host call, with its name (`client.createMessage`) and its promise.
   */
  onCall?: ((what: string, calling: Promise<unknown>) => void) | undefined
  /** Replaces the system clock, in tests of bots. */
  clock?: (() => number) | undefined
}
