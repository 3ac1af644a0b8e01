// The services that count calls, and how they behave inside of a transaction.
import type { Bindings } from '../../db/index.ts'
import type { LimitedCalls } from './limited-calls.ts'
import type { Rates } from './rates.ts'

export interface RateServices {
  /** Rate limits. */
  rates: Rates
  /** Deliveries with a call-back that the server answered with 429. */
  limitedCalls: LimitedCalls
}

export const rateBindings = {
  // Requests are counted although they fail.
  rates: { receive: 'immediate', close: 'immediate' },
  limitedCalls: { note: 'immediate' },
} satisfies Bindings<RateServices>
