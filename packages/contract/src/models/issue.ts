import { type Static, Type as T } from 'typebox'
import { closed, id, mapOf, nullable, Timestamp } from '../fields.ts'

/** A fact about what happened; `pretty` where it is written nicer than it is. */
const Facts = mapOf(closed({ raw: T.String(), pretty: T.Optional(T.String()) }))

/** What goes wrong in a bot for one cause, however often. */
export const Issue = closed({
  id: id('iss'),
  code: T.String(),
  category: T.Enum(['user_code', 'limits', 'configuration', 'other']),
  title: T.String(),
  description: T.String(),
  /** What all of its events have in common. */
  groupedData: Facts,
  eventsCount: T.Number(),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
  resolutionLink: nullable(T.String()),
})
export type Issue = Static<typeof Issue>

/** One time that it went wrong. Of an issue that comes often, the last ones are kept. */
export const IssueEvent = closed({ id: id('issevt'), createdAt: Timestamp, data: Facts })
export type IssueEvent = Static<typeof IssueEvent>
