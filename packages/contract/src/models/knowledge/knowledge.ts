import { type Static, Type as T } from 'typebox'
import { closed } from '../../fields.ts'
import { FileStatus } from './file.ts'

const Score = T.Optional(T.Number())

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
  /** How far the passage stands out by meaning. */
  vectorScore: Score,
  /** Both together. */
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

/** A search with the scores of each step. @component */
export const SearchExplanation = closed({
  passages: T.Array(ExplainedPassage),
  terms: T.Array(ExplainedTerm),
  usesVectors: T.Boolean(),
  usesReranking: T.Boolean(),
  /** The files that were searched, by status; each status up to a maximum. */
  files: FileCounts,
  /** The best passage of files outside the knowledge base, if it has none. */
  elsewhere: T.Optional(ExplainedPassage),
})
export type SearchExplanation = Static<typeof SearchExplanation>
