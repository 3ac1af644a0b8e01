import { type Static, Type as T } from 'typebox'
import { closed, nullable } from '../../fields.ts'
import { CuratedMatch } from './curated-answer.ts'
import { FileStatus } from './file.ts'

const Score = T.Optional(T.Number())

/** The part of a passage that answers a question. @component */
export const FoundAnswer = closed({
  text: T.String(),
  /** How likely it answers the question, from 0 to 1. */
  score: T.Number(),
  /** The headings above it, outermost first. */
  section: T.Array(T.String()),
  passage: T.String(),
  fileId: T.String(),
  fileKey: T.String(),
  title: T.Optional(T.String()),
  url: T.Optional(T.String()),
  pageNumber: T.Optional(T.Integer()),
  knowledgeBaseId: T.Optional(T.String()),
})
export type FoundAnswer = Static<typeof FoundAnswer>

export const FoundAnswers = closed({
  /** The best answer first; others only if they are as likely. None without a likely answer. */
  answers: T.Array(FoundAnswer),
  /** Without a likely answer: up to three sections that may have it, the best first. */
  suggestions: T.Array(FoundAnswer),
  /** Of the question, in English; `simple` if unknown. */
  language: T.String(),
  /** Of the best passage, also of one that is not likely enough. */
  bestScore: T.Number(),
})
export type FoundAnswers = Static<typeof FoundAnswers>

/** A passage that a search found, with the reasons for its position. @component */
export const ExplainedPassage = closed({
  fileId: T.String(),
  fileKey: T.String(),
  knowledgeBaseId: T.Optional(T.String()),
  /** Position in the file; the first is 0. */
  position: T.Integer(),
  pageNumber: T.Optional(T.Integer()),
  headings: T.Array(T.String()),
  content: T.String(),
  /** The score that the search returns: of the last step that was done. */
  score: T.Number(),
  /** Of its knowledge base: searches leave out passages with a lower score. */
  minScore: Score,
  /** The share of the question's words that the passage contains, weighted by rarity. */
  wordScore: Score,
  /** The similarity of question and passage: below 0.3 for unrelated texts. */
  vectorScore: Score,
  /** How likely the passage answers, by both. */
  mergedScore: Score,
  /** By the model that reads question and passage. */
  rerankScore: Score,
  /** The words of headings and content that the question's words match, as they are written. */
  matched: T.Array(T.String()),
})
export type ExplainedPassage = Static<typeof ExplainedPassage>

/** A word of the question, without those that every text has. */
export const ExplainedTerm = closed({
  word: T.String(),
  /** Whether a searched passage contains it in some form. */
  isFound: T.Boolean(),
  /** Indexed words that are spelt alike, by which the search replaced it. */
  replacedBy: T.Array(T.String()),
})

export const FileCounts = T.Array(closed({ status: FileStatus, count: T.Integer() }))
export type FileCounts = Static<typeof FileCounts>

/** The progress of search by meaning. @component */
export const MeaningProgress = closed({
  /** The name of the embedding model; null: searches are by words only. */
  model: nullable(T.String()),
  /**
   * `ready`; `unavailable`: the model fails, and the server tries again; `disabled` by the operator;
   * `notInstalled`: the packages of the included model are missing, and no other model is configured.
   */
  state: T.Enum(['ready', 'unavailable', 'disabled', 'notInstalled']),
  /** Indexed passages. */
  passages: T.Integer(),
  /** Passages that searches find by meaning. */
  embedded: T.Integer(),
  /** Passages that searches find by words only: the model does not know their language, or rejects them. */
  wordsOnly: T.Integer(),
})
export type MeaningProgress = Static<typeof MeaningProgress>

/** A search with the scores of each step. @component */
export const SearchExplanation = closed({
  passages: T.Array(ExplainedPassage),
  /** The minimum score, unless the knowledge base or the card has another one. */
  defaultMinScore: T.Number(),
  terms: T.Array(ExplainedTerm),
  usesVectors: T.Boolean(),
  usesReranking: T.Boolean(),
  /** The files that were searched, by status; each status up to a maximum. */
  files: FileCounts,
  /** The best passage of files outside the knowledge base, if it has none. */
  elsewhere: T.Optional(ExplainedPassage),
  /** The answer that the card `answer` sends instead of searching. */
  curatedAnswer: T.Optional(CuratedMatch),
})
export type SearchExplanation = Static<typeof SearchExplanation>
