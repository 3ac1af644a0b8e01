import { type Static, Type as T } from 'typebox'
import { closed, Moment, nullable, Timestamp } from '../../fields.ts'

/** One line. */
const questionText = T.String({ minLength: 1, maxLength: 300, pattern: '^[^\\r\\n]*$' })

/** A button below an answer. @component */
export const AnswerButton = closed({
  label: T.String({ minLength: 1, maxLength: 100, pattern: '^[^\\r\\n]*$' }),
  /** Sent as the person's message; the label by default. */
  value: T.Optional(T.String({ minLength: 1, maxLength: 500, pattern: '^[^\\r\\n]*$' })),
})
export type AnswerButton = Static<typeof AnswerButton>

const answerText = T.String({ minLength: 1, maxLength: 5_000 })
const buttons = T.Array(AnswerButton, { maxItems: 13 })
const imageUrl = T.String({ minLength: 1, maxLength: 2_000 })
/** A code such as `en` or `pt-BR`. */
const languageCode = T.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$' })
const knowledgeBaseId = T.String({ minLength: 1, maxLength: 200 })

export const newCuratedAnswer = {
  /** Wordings of the question. */
  questions: T.Array(questionText, { minItems: 1, maxItems: 20 }),
  text: answerText,
  buttons: T.Optional(buttons),
  /** Address of a picture, which is sent before the text. */
  imageUrl: T.Optional(nullable(imageUrl)),
  /** The language of the questions; found by their words by default. */
  language: T.Optional(nullable(languageCode)),
  /** Only cards that search this knowledge base use the answer; by default all do. */
  knowledgeBaseId: T.Optional(nullable(knowledgeBaseId)),
  /** Not used before. */
  validFrom: T.Optional(nullable(Moment)),
  /** Not used from then on. */
  validTo: T.Optional(nullable(Moment)),
}

/** An answer that people wrote to questions. It comes before documents. @component */
export const CuratedAnswer = closed({
  id: T.String(),
  questions: T.Array(questionText),
  text: T.String(),
  buttons: T.Array(AnswerButton),
  imageUrl: T.Optional(T.String()),
  language: T.Optional(T.String()),
  knowledgeBaseId: T.Optional(T.String()),
  validFrom: T.Optional(Timestamp),
  validTo: T.Optional(Timestamp),
  /** Owner: the account that created it. Absent for the bot's own and after the account was deleted. */
  accountId: T.Optional(T.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type CuratedAnswer = Static<typeof CuratedAnswer>

/**
 * The curated answer to a question, and how it was found: `equal` words, the same `words` in other forms, or
 * one of them `misspelt`.
 * @component
 */
export const CuratedMatch = closed({
  id: T.String(),
  /** The question of the answer that matched. */
  question: T.String(),
  kind: T.Enum(['equal', 'words', 'misspelt']),
  text: T.String(),
  buttons: T.Array(AnswerButton),
  imageUrl: T.Optional(T.String()),
})
export type CuratedMatch = Static<typeof CuratedMatch>

/** A row of a CSV file that was not imported. @component */
export const RejectedAnswer = closed({
  /** Number of its first line in the file, from 1. */
  line: T.Integer(),
  message: T.String(),
})
export type RejectedAnswer = Static<typeof RejectedAnswer>
