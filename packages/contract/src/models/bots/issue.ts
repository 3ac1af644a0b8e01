import { type Static, Type as T } from 'typebox'
import { closed, dictionary, id, nullable, Timestamp } from '../../fields.ts'

/** Facts about an error. `pretty` is a formatted version of `raw`. */
const Facts = dictionary(closed({ raw: T.String(), pretty: T.Optional(T.String()) }))

/** An issue of a bot: all errors with the same cause. @component */
export const Issue = closed({
  id: id('iss'),
  code: T.String(),
  category: T.Enum(['user_code', 'limits', 'configuration', 'other']),
  title: T.String(),
  description: T.String(),
  /** Facts that all events of the issue share. */
  groupedData: Facts,
  eventsCount: T.Number(),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
  resolutionLink: nullable(T.String()),
})
export type Issue = Static<typeof Issue>

/** One occurrence of an issue. The server keeps only the latest ones. @component */
export const IssueEvent = closed({ id: id('issevt'), createdAt: Timestamp, data: Facts })
export type IssueEvent = Static<typeof IssueEvent>

export const IssueStatus = T.Enum(['open', 'resolved', 'muted'])

/**
 * An issue as the Platform API shows it. A resolved issue becomes `open` when it occurs again; a
 * muted one stays muted.
 * @component
 */
export const TrackedIssue = closed({
  ...Issue.properties,
  status: IssueStatus,
  statusChangedAt: T.Optional(Timestamp),
  /** The server resolved it, because all its events were handled after their redelivery. */
  resolvedByRedelivery: T.Optional(T.Literal(true)),
  /** First line of the latest occurrence's message; `description` has its ids and numbers replaced. */
  lastMessage: T.Optional(T.String()),
})
export type TrackedIssue = Static<typeof TrackedIssue>

const link = T.Optional(T.String())

/** An occurrence of an issue, with the ids of the objects that it concerns. @component */
export const IssueOccurrence = closed({
  id: id('issevt'),
  createdAt: Timestamp,
  message: T.String(),
  eventId: link,
  messageId: link,
  conversationId: link,
  userId: link,
  workflowId: link,
  data: Facts,
})
export type IssueOccurrence = Static<typeof IssueOccurrence>
