import { type Static, Type as T } from 'typebox'
import { closed, id, Timestamp } from '../../fields.ts'

/** A version of a bot as lists show it. Older servers stored versions without a number. @component */
export const SavedVersion = closed({
  id: id('botver'),
  number: T.Optional(T.Integer({ minimum: 1 })),
  name: T.String(),
  description: T.Optional(T.String()),
  createdAt: Timestamp,
  /** The e-mail address of the account that saved it. */
  author: T.Optional(T.String()),
  /** When the bot last got the state of this version. */
  deployedAt: Timestamp,
  /** The error when its code was loaded at the last deployment. */
  loadError: T.Optional(T.String()),
})
export type SavedVersion = Static<typeof SavedVersion>
