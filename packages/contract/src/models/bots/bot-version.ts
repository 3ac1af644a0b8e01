import { type Static, Type as T } from 'typebox'
import { closed, id } from '../../fields.ts'

/** A named snapshot of a bot that can be deployed again. @component */
export const BotVersion = closed({
  id: id('botver'),
  name: T.String(),
  description: T.Optional(T.String()),
})
export type BotVersion = Static<typeof BotVersion>
