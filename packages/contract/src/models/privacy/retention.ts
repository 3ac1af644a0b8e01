import { type Static, Type as T } from 'typebox'
import { closed } from '../../fields.ts'

/** Kinds of data with a limited age. */
export const retentionKinds = [
  'conversations',
  'messages',
  'events',
  'users',
  'files',
  'logs',
  'traces',
  'issues',
  'deadLetters',
  'webhookRequests',
  'recordings',
  'tableRows',
] as const
export type RetentionKind = (typeof retentionKinds)[number]

const byKind = <Field extends T.TSchema>(field: Field) =>
  Object.fromEntries(retentionKinds.map((kind) => [kind, T.Optional(field)])) as {
    [Kind in RetentionKind]: T.TOptional<Field>
  }

/** Days after which the server deletes data of a bot. Kinds that are left out have no limit. @component */
export const RetentionDays = closed(byKind(T.Integer({ minimum: 1, maximum: 36_500 })))
export type RetentionDays = Static<typeof RetentionDays>

/** The number of objects that rules would delete now. @component */
export const RetentionCounts = closed(
  byKind(
    closed({
      count: T.Integer({ minimum: 0 }),
      /** The server counts at most 100,000 of each kind. */
      hasMore: T.Optional(T.Boolean()),
    }),
  ),
)
export type RetentionCounts = Static<typeof RetentionCounts>

/** @component */
export const Retention = closed({
  /** Set for this bot. */
  rules: RetentionDays,
  /** Set by the operator for all bots. A bot's rule must not be longer. */
  limits: RetentionDays,
  /** The shorter of the two. */
  effective: RetentionDays,
})
export type Retention = Static<typeof Retention>
