import { type Static, Type as T } from 'typebox'
import { closed } from '../fields.ts'

/** When to do something that shall not happen at once: at a moment, or after so many milliseconds. */
export const Schedule = closed({
  dateTime: T.Optional(T.String({ minLength: 24, maxLength: 28 })),
  delay: T.Optional(T.Number()),
})
export type Schedule = Static<typeof Schedule>
