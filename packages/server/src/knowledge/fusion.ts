// One list out of two: what stands high in either stands high (reciprocal rank fusion), since scores of words and of vectors cannot be compared.
import type { Db } from '../db/open.ts'
import type { Embedder } from './embedder.ts'
import { findByWords, type Hit, type Question } from './search.ts'
import { findByVector } from './vectors.ts'

/** How much the first ranks stand out. */
const flatness = 60
/** Of each list: who is far down in one may be first in the other. */
const leastLooked = 50

export async function find(db: Db, botId: string, question: Question, embedder: Pick<Embedder, 'question'>): Promise<Hit[]> {
  const wide = { ...question, limit: Math.max(question.limit, leastLooked) }
  const [byWords, meaning] = await Promise.all([findByWords(db, botId, wide), embedder.question(question.query)])
  const byVector = meaning ? await findByVector(db, botId, wide, meaning) : []
  // what has no vectors yet is found by words, as it is where there are none
  return (byVector.length === 0 ? byWords : fuse([byWords, byVector])).slice(0, question.limit)
}

/** A score of 1 is the first of all lists. */
export function fuse(lists: Hit[][]): Hit[] {
  const fused = new Map<string, Hit>()
  for (const list of lists) {
    for (const [rank, { fileId, position }] of list.entries()) {
      const key = `${position} ${fileId}`
      const known = fused.get(key) ?? { fileId, position, score: 0 }
      fused.set(key, { ...known, score: known.score + (flatness + 1) / (flatness + rank + 1) / lists.length })
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score)
}
