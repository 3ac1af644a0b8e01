import { type Static, Type as T } from 'typebox'
import { closed, id } from '../fields.ts'

/** What a bot was at some time, under a name: it can be deployed again. */
export const BotVersion = closed({ id: id('botver'), name: T.String(), description: T.Optional(T.String()) })
export type BotVersion = Static<typeof BotVersion>
