// Merges two lists of results. A score by words measures how much of the question a passage covers,
// a score by vectors how far it stands out from the rest: both express the confidence of their
// list. Ranks do not: a weak model would count as much for its guesses as for certain results
// (docs/search.md has the comparison).
import type { Db } from '../../../core/db/index.ts'
import type { Embedder } from './embedder.ts'
import { noReranker, type Reranker } from './reranker.ts'
import { findByWords, type Hit, type SearchQuery, type WordHits } from './search.ts'
import { findByVector } from './vectors.ts'

/** Weight of the vector score; all words together have weight 1. */
const meaningCounts = 0.5
/** Minimum length of each list: a low result in one may be first in the other. */
const minCandidates = 50

export interface Rankers {
  embedder: Pick<Embedder, 'embedQuery'>
  /** None by default. */
  reranker?: Reranker
}

/** The result of each step. */
export interface SearchSteps {
  byWords: WordHits
  /** Null without a vector of the question. */
  byVector: Hit[] | null
  merged: Hit[]
  /** Equals `merged` without a reranking model. */
  final: Hit[]
}

export const findHits = async (...search: Parameters<typeof findInSteps>): Promise<Hit[]> =>
  (await findInSteps(...search)).final

export async function findInSteps(
  db: Db,
  botId: string,
  question: SearchQuery,
  { embedder, reranker = noReranker }: Rankers,
): Promise<SearchSteps> {
  const wide = { ...question, limit: Math.max(question.limit, minCandidates, reranker.count) }
  const [byWords, meaning] = await Promise.all([
    findByWords(db, botId, wide),
    embedder.embedQuery(question.query, botId),
  ])
  const byVector = meaning ? await findByVector(db, botId, wide, meaning) : null
  // without vectors, the order by words is final
  const merged = byVector?.length ? fuse(byWords.hits, byVector) : byWords.hits
  const final = (await reranker.reorder(question.query, merged, botId)).slice(0, question.limit)
  return { byWords, byVector, merged, final }
}

export function fuse(byWords: Hit[], byVector: Hit[]): Hit[] {
  const fused = new Map<string, Hit>()
  const add = ({ fileId, position, score }: Hit, counts: number) => {
    const key = `${position} ${fileId}`
    fused.set(key, {
      fileId,
      position,
      score: (fused.get(key)?.score ?? 0) + (score * counts) / (1 + meaningCounts),
    })
  }
  for (const hit of byWords) add(hit, 1)
  for (const hit of byVector) add(hit, meaningCounts)
  return [...fused.values()].sort((a, b) => b.score - a.score)
}
