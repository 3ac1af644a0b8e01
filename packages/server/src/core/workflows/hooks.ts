// What features do with states, see messaging/hooks.ts.
import type { ConversationDeps } from '../messaging/index.ts'
import type { StateLocation } from './states/location.ts'

/** Runs inside of the transaction that writes a state. */
type StateFollower = (
  deps: ConversationDeps,
  payload: Record<string, unknown>,
) => Promise<void>

export interface StateHooks {
  /** Code that handles an event has changed a state of its bot. */
  stateChanged: ((
    event: { botId: string; eventId: string },
    subject: string,
    change: { before: Record<string, unknown> | null; after: Record<string, unknown> },
  ) => void)[]
  /** Returns null for a state that the feature does not follow. */
  followState: ((place: StateLocation, cause: string | null) => StateFollower | null)[]
}
