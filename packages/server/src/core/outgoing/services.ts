// The services of this module, and how they behave inside of a transaction.
import type { Bindings } from '../db/index.ts'
import type { Outgoing } from './outgoing.ts'

export interface OutgoingServices {
  /** Checks URLs that a workspace sets. */
  outgoing: Pick<Outgoing, 'checkUrl'>
}

export const bindings = {
  // It only throws.
  outgoing: { checkUrl: 'immediate' },
} satisfies Bindings<OutgoingServices>
