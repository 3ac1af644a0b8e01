import { type Static, Type as T } from 'typebox'
import { closed, mapOf, Timestamp } from '../fields.ts'

/** How the value of a computed column came about. */
export const ComputedState = closed({
  status: T.String(),
  error: T.Optional(T.String()),
  updatedBy: T.Optional(T.String()),
  updatedAt: T.Optional(T.String()),
})

/** The columns of the table stand beside these, each under its name. */
export const Row = T.Object(
  {
    id: T.Number(),
    createdAt: T.Optional(Timestamp),
    updatedAt: T.Optional(Timestamp),
    computed: mapOf(ComputedState),
    /** Names of computed columns whose values do not follow from the others any more. */
    stale: T.Optional(T.Array(T.String())),
    /** How well a row fits what was searched for, 0 to 1. */
    similarity: T.Optional(T.Number()),
  },
  { additionalProperties: true },
)
export type Row = Static<typeof Row> & Record<string, unknown>
