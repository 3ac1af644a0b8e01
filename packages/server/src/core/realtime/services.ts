// The services of this module, and how they behave inside of a transaction.
import type { Bindings } from '../db/index.ts'
import type { ChangeFeed } from './change-feed.ts'
import type { Signals } from './signals.ts'
import type { Stops } from './stops.ts'

export interface RealtimeServices {
  /** Listeners of conversations, in this process and in others. */
  signals: Signals
  /** Notes for pages that a workspace's data has changed, here and in other processes. */
  changeFeed: Pick<ChangeFeed, 'publish' | 'follow' | 'countOf'>
  /** Stops of answers, in this process and in others. */
  stops: Pick<Stops, 'stop' | 'follow' | 'unfollow' | 'isStopped'>
}

export const bindings = {
  // `settled` too, because it depends on the signals published.
  signals: {
    publish: 'deferred',
    cut: 'deferred',
    cutEverywhere: 'deferred',
    settled: 'deferred',
    receive: 'immediate',
    catchUpAll: 'immediate',
    close: 'immediate',
  },
  changeFeed: { publish: 'deferred' },
  stops: { stop: 'deferred', unfollow: 'immediate' },
} satisfies Bindings<RealtimeServices>
