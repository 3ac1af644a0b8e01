import { type Static, Type as T } from 'typebox'
import { closed, dictionary, Timestamp } from '../../fields.ts'

/** The state of a computed value. */
export const ComputedState = closed({
  status: T.String(),
  error: T.Optional(T.String()),
  updatedBy: T.Optional(T.String()),
  updatedAt: T.Optional(T.String()),
})

/** A row. It also has a property for each column of the table. @component */
export const Row = T.Object(
  {
    id: T.Number(),
    createdAt: T.Optional(Timestamp),
    updatedAt: T.Optional(Timestamp),
    computed: dictionary(ComputedState),
    /** Names of computed columns with outdated values. */
    stale: T.Optional(T.Array(T.String())),
    /** Similarity to the search text, from 0 to 1. */
    similarity: T.Optional(T.Number()),
  },
  { additionalProperties: true },
)
export type Row = Static<typeof Row> & Record<string, unknown>
