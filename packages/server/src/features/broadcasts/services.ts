// The services of this feature, which its handlers receive beside those of the core, and how they behave
// inside of a transaction.
import type { Bindings } from '../../core/db/index.ts'
import type { OptOutWordCache } from './opt-out-words.ts'

export interface BroadcastServices {
  /** The words of each bot for opting out. */
  optOutWords: OptOutWordCache
}

export const bindings = {
  optOutWords: { invalidate: 'deferred' },
} satisfies Bindings<BroadcastServices>
