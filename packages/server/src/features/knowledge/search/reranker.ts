// Reorders the best passages by a model that reads question and passage together (a cross-encoder),
// if one is configured.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../../core/db/index.ts'
import type { Rerank } from '../../models/index.ts'
import type { Hit } from './coverage.ts'

export interface Reranker {
  /** The number of hits that are read; 0 without a model. */
  count: number
  /** Returns the hits unchanged while the model fails, and if the bot's budget is used up. */
  reorder(question: string, hits: Hit[], botId: string): Promise<Hit[]>
}

export const noReranker: Reranker = { count: 0, reorder: async (_, hits) => hits }

const timeoutMs = 3_000
/** Text after it hardly changes the score. */
const maxCharacters = 4_000

interface RerankerOptions {
  db: Db
  rerank: Rerank
  count: number
  log: Logger
}

export const openReranker = ({ db, rerank, count, log }: RerankerOptions): Reranker => ({
  count,
  async reorder(question, hits, botId) {
    if (hits.length < 2) return hits
    const best = hits.slice(0, count)
    try {
      const texts = await findTexts(db, botId, best)
      const scores = await rerank({ question, texts, timeoutMs }, botId)
      return merged(best, scores, hits.slice(count))
    } catch (error) {
      if (!(error instanceof ApiError && error.type === 'QuotaExceeded'))
        log.warn({ err: error, botId }, 'cannot rerank passages; keeping their order')
      return hits
    }
  },
})

/** The hits that the model did not read stay behind the others, in their order. */
function merged(best: Hit[], scores: number[], rest: Hit[]): Hit[] {
  const read = best
    .map((hit, at) => ({ ...hit, score: scores[at]! }))
    .sort((a, b) => b.score - a.score)
  const least = read.at(-1)!.score
  return [...read, ...rest.map((hit) => ({ ...hit, score: hit.score * least }))]
}

/** Returns the texts of passages with their headings; empty for one that was deleted meanwhile. */
async function findTexts(db: Db, botId: string, hits: Hit[]): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select coalesce(array_to_string(p.headings || p.content, E'\n'), '') as text
    from unnest(${hits.map(({ fileId }) => fileId)}::text[], ${hits.map(({ position }) => position)}::int[])
      with ordinality hit (file_id, position, n)
    left join passage p on p.bot_id = ${botId} and p.file_id = hit.file_id
      and p.position = hit.position
    order by hit.n`.execute(db)
  return rows.map(({ text }) => text.slice(0, maxCharacters).toWellFormed())
}
