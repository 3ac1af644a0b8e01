import { type Static, Type as T } from 'typebox'
import { closed, Moment } from '../../fields.ts'

/** The time of a scheduled delivery: a date and time, or a delay in milliseconds. */
export const Schedule = closed({
  dateTime: T.Optional(Moment),
  delay: T.Optional(T.Number()),
})
export type Schedule = Static<typeof Schedule>
