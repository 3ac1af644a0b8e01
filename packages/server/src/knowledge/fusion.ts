// One list out of two. A score of words says how much of the question a passage has, one of vectors how far it stands out from the rest: both say how sure
// their list is. Ranks do not, so that a weak model would count as much for its guesses as for what it knows (docs/search.md has the comparison).
import type { Db } from '../db/open.ts'
import type { Embedder } from './embedder.ts'
import { findByWords, type Hit, type Question } from './search.ts'
import { findByVector } from './vectors.ts'

/** What standing out counts beside the words, of which all together count 1. */
const meaningCounts = 0.5
/** Of each list: who is far down in one may be first in the other. */
const leastLooked = 50

export async function find(
  db: Db,
  botId: string,
  question: Question,
  embedder: Pick<Embedder, 'question'>,
): Promise<Hit[]> {
  const wide = { ...question, limit: Math.max(question.limit, leastLooked) }
  const [byWords, meaning] = await Promise.all([
    findByWords(db, botId, wide),
    embedder.question(question.query),
  ])
  const byVector = meaning ? await findByVector(db, botId, wide, meaning) : []
  // what has no vectors yet is found by words, as it is where there are none
  return (byVector.length === 0 ? byWords : fuse(byWords, byVector)).slice(0, question.limit)
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
