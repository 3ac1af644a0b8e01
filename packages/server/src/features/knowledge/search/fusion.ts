// Finds passages by words and by meaning, and merges both by how likely a passage answers the question
// (relevance.ts).
import type { Db } from '../../../core/db/index.ts'
import { findByVector, type VectorHit } from '../vectors/vector-search.ts'
import type { Hit, WordHit } from './coverage.ts'
import type { Embedder } from './embedder.ts'
import { estimateRelevance, type Lack, toEvidence } from './relevance.ts'
import { noReranker, type Reranker } from './reranker.ts'
import { findByWords, type SearchQuery, type WordHits } from './search.ts'

/** Minimum length of each list: a low result in one may be first in the other. */
const minCandidates = 100

export interface Rankers {
  embedder: Pick<Embedder, 'embedQuery'>
  /** None by default. */
  reranker?: Reranker
}

/** The result of each step. */
export interface SearchSteps {
  byWords: WordHits
  /** Null without a vector of the question. */
  byVector: VectorHit[] | null
  merged: Hit[]
  /** Equals `merged` without a reranking model. */
  final: Hit[]
}

export const findHits = async (
  ...search: Parameters<typeof findInSteps>
): Promise<Hit[]> => (await findInSteps(...search)).final

export async function findInSteps(
  db: Db,
  botId: string,
  question: SearchQuery,
  { embedder, reranker = noReranker }: Rankers,
): Promise<SearchSteps> {
  const wide = {
    ...question,
    limit: Math.max(question.limit, minCandidates, reranker.count),
  }
  const [byWords, meaning] = await Promise.all([
    findByWords(db, botId, wide),
    embedder.embedQuery(question.query, botId),
  ])
  const byVector = meaning ? await findByVector(db, botId, wide, meaning) : null
  const merged = fuse(byWords.hits, byVector ?? [], byWords.lacks)
  const final = (await reranker.reorder(question.query, merged, botId)).slice(
    0,
    question.limit,
  )
  return { byWords, byVector, merged, final }
}

/** Returns the most likely first; among equals, the best by words. */
export function fuse(
  byWords: WordHit[],
  byVector: VectorHit[],
  lacks: Lack = null,
): Hit[] {
  const found = new Map<string, { words?: WordHit; vector?: VectorHit }>()
  const toKey = ({ fileId, position }: Hit) => `${position} ${fileId}`
  for (const hit of byWords) found.set(toKey(hit), { words: hit })
  for (const hit of byVector)
    found.set(toKey(hit), { ...found.get(toKey(hit)), vector: hit })
  return [...found.values()]
    .map(({ words, vector }) => {
      const { fileId, position } = (words ?? vector)!
      const evidence = toEvidence(words, vector, lacks)
      const hit: Hit = { fileId, position, score: estimateRelevance(evidence), evidence }
      return { hit, tie: words?.score ?? 0 }
    })
    .sort((a, b) => b.hit.score - a.hit.score || b.tie - a.tie)
    .map(({ hit }) => hit)
}
