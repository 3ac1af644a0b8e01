import { type Static, Type as T } from 'typebox'
import { closed } from '../../fields.ts'

/** How a bot receives messages that a user writes in a row. @component */
export const BurstRules = closed({
  /** A message within this time after the one before belongs to the same burst. 0: none does. */
  seconds: T.Number({ minimum: 0, maximum: 10 }),
  /**
   * `wait`: the bot receives all of them together, after a pause of this length. `restart`: it receives
   * the first at once; a further one stops the running answer, and the bot receives both together.
   */
  mode: T.Enum(['wait', 'restart']),
})
export type BurstRules = Static<typeof BurstRules>
