// The services of this module, and how they behave inside of a transaction.
import type { Bindings } from '../db/index.ts'
import type { UsageCounter } from './counter.ts'

export interface UsageServices {
  /** Counts a workspace's usage, in the background. */
  usage: Pick<UsageCounter, 'count'>
}

export const bindings = { usage: { count: 'deferred' } } satisfies Bindings<UsageServices>
