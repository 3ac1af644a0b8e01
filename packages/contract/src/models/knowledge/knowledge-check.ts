import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'

export const newKnowledgeCheck = {
  question: T.String({ minLength: 1, maxLength: 1_000 }),
  /** Key of a file, or its end: the answer, or one that is offered, must be from it. */
  expectedFile: T.Optional(T.String({ minLength: 1, maxLength: 1_024 })),
  /** Text of this answer or of its headings, without case and accents. */
  expectedText: T.Optional(T.String({ minLength: 1, maxLength: 1_000 })),
}

/** @component */
export const CheckResult = closed({
  passed: T.Boolean(),
  at: Timestamp,
  /** What the bot finds: a curated answer, or the best passage above the minimum score. */
  found: T.Optional(
    closed({
      source: T.Enum(['curatedAnswer', 'passage']),
      text: T.String(),
      fileId: T.Optional(T.String()),
      fileKey: T.Optional(T.String()),
      score: T.Optional(T.Number()),
    }),
  ),
})
export type CheckResult = Static<typeof CheckResult>

/** A question with the answer that a person expects, and its last two results. @component */
export const KnowledgeCheck = closed({
  id: T.String(),
  ...newKnowledgeCheck,
  result: T.Optional(CheckResult),
  previousResult: T.Optional(CheckResult),
  createdAt: Timestamp,
})
export type KnowledgeCheck = Static<typeof KnowledgeCheck>
