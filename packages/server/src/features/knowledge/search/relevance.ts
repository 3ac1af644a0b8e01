// How likely a passage answers a question, from 0 to 1: a logistic function of the words and the meaning that
// both have in common. The parameters were fitted with the questions of bench/retrieval/companies
// (docs/search.md), so that a score means the same with and without an embedding model.

export interface Evidence {
  /** Share of the question's words that the passage has. */
  coverage: number
  /** Number of the question's words that the passage has. */
  words: number
  /** BM25 of the passage: how often it has the words, also in its headings, for its length. */
  match: number
  /** Null without a vector. */
  similarity: number | null
  lacks: Lack
}

/** What the question has and no passage: the number of a code, or else a name. */
export type Lack = 'code' | 'name' | null

/** The parts of hits that count (search.ts, vectors.ts). */
interface WordEvidence {
  coverage: number
  score: number
  groups: number[]
}

export const toEvidence = (
  byWords: WordEvidence | undefined,
  byVector: { similarity: number } | undefined,
  lacks: Lack = null,
): Evidence => ({
  coverage: byWords?.coverage ?? 0,
  words: byWords?.groups.length ?? 0,
  match: byWords?.score ?? 0,
  similarity: byVector?.similarity ?? null,
  lacks,
})

const logistic = (value: number) => 1 / (1 + Math.exp(-value))

const byWordsOnly = { base: -6.1, coverage: 5.1, words: 1.4, match: 2, similarity: 0 }
const byBoth = { base: -6.2, coverage: 5, words: 0.3, match: 0.5, similarity: 7 }
/** "Austria", where no passage has it: passages about deliveries do not answer. Other codes never do. */
const lacking = { name: -1.5, code: -4 }

export function estimateRelevance(evidence: Evidence): number {
  const { coverage, words, match, similarity, lacks } = evidence
  const weights = similarity === null ? byWordsOnly : byBoth
  return logistic(
    weights.base +
      weights.coverage * coverage +
      weights.words * Math.log2(1 + words) +
      weights.match * match +
      weights.similarity * (similarity ?? 0) +
      (lacks ? lacking[lacks] : 0),
  )
}
