import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'
import { ExplainedPassage } from './knowledge.ts'

const count = T.Integer({ minimum: 0 })

/**
 * Questions of the same meaning that the bot could not answer, or with a badly rated answer.
 * @component
 */
export const MissedQuestion = closed({
  /** Names the group. */
  key: T.String(),
  /** The last wording. */
  question: T.String(),
  /** All wordings, the last first: at most 20. */
  wordings: T.Array(T.String()),
  count,
  /** Of these, without an answer. */
  unanswered: count,
  /** Of these, with a badly rated answer. */
  rated: count,
  firstAt: Timestamp,
  lastAt: Timestamp,
  /** Where it was asked last. */
  conversationId: T.String(),
  messageId: T.String(),
  /** The best passage that a search finds now. */
  best: T.Optional(ExplainedPassage),
  /** People who want an answer by e-mail, the latest first: rows of the table `OpenQuestionsTable`. */
  mailRequests: T.Optional(T.Array(closed({ rowId: T.Integer(), email: T.String() }))),
  /** The bot would answer it now. Absent if not. */
  isAnswered: T.Optional(T.Boolean()),
})
export type MissedQuestion = Static<typeof MissedQuestion>
