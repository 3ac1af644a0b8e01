// Finds nearest vectors without an extension: estimates by the signs of their dimensions (sign-estimate.ts)
// select a thousand candidates, which are then compared exactly. For a bot with no more passages than
// that, the search is exact. In a large bot, it reads the lists of its index that are near the question
// (vector-indexes.ts), and all vectors outside.
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import { fileStore } from '../../../core/files/index.ts'
import { includedModel } from '../../models/index.ts'
import type { Hit } from '../search/coverage.ts'
import type { SearchQuery } from '../search/search.ts'
import { estimateSimilarity } from './sign-estimate.ts'
import { findIndexes, isOutside } from './vector-indexes.ts'

/** The 500 best estimates among a million passages about few topics had 95 % of the ten nearest. */
const compared = 1_000
/** With fewer candidates, the lists near the question may not have the nearest that it may find. */
const enough = 500
/**
 * Lists of an index that a search reads: of 1,000, 8 had as many of the ten nearest as 48. Of an index with
 * few lists, 8 may have fewer than `enough`.
 */
const countProbes = (lists: number) => (lists > 500 ? 8 : 16)

export interface VectorHit extends Hit {
  /** On the scale of the default model: unrelated texts have less than 0.3, right ones 0.4 to 0.8. */
  similarity: number
}

interface Meaning {
  model: string
  vector: Float32Array
}

/** Returns the nearest first. Vectors have length 1. */
export async function findByVector(
  db: Db,
  botId: string,
  question: SearchQuery,
  meaning: Meaning,
  { probes }: { probes?: number } = {},
): Promise<VectorHit[]> {
  const { model, vector } = meaning
  const indexes = await findIndexes(db, { botId, model, dimensions: vector.length })
  const near = indexes.map(({ id, centroids }) => ({
    id,
    lists: nearestLists(centroids, vector, probes),
  }))
  const found = await findNearest(db, botId, question, meaning, near)
  if (found.length >= enough || indexes.length === 0) return toHits(found, meaning)
  // Tags may exclude the passages of these lists.
  const whole = indexes.map(({ id }) => ({ id, lists: null }))
  return toHits(await findNearest(db, botId, question, meaning, whole), meaning)
}

function toHits(rows: Candidate[], { model, vector }: Meaning): VectorHit[] {
  const similarities = rows.map(({ vector: bytes }) => likeness(vector, bytes))
  const scale = (model === includedModel ? shifted : standardized)(similarities)
  return rows
    .map(({ file_id, position }, at) => ({
      fileId: file_id,
      position,
      similarity: scale[at]!,
      score: Math.min(1, Math.max(0, scale[at]!)),
    }))
    .sort((a, b) => b.similarity - a.similarity)
}

function nearestLists(
  centroids: Float32Array,
  vector: Float32Array,
  count?: number,
): number[] {
  const lists = Array.from({ length: centroids.length / vector.length }, (_, list) => {
    let similarity = 0
    const from = list * vector.length
    for (let at = 0; at < vector.length; at += 1)
      similarity += vector[at]! * centroids[from + at]!
    return { list, similarity }
  })
  lists.sort((a, b) => b.similarity - a.similarity)
  return lists.slice(0, count ?? countProbes(lists.length)).map(({ list }) => list)
}

interface Candidate {
  file_id: string
  position: number
  vector: Buffer
}

/** An index, and the lists to read; null for all. */
interface ReadIndex {
  id: string
  lists: number[] | null
}

async function findNearest(
  db: Db,
  botId: string,
  question: SearchQuery,
  { model, vector }: Meaning,
  indexes: ReadIndex[],
): Promise<Candidate[]> {
  const isComparable = sql`v.bot_id = ${botId} and v.model = ${model} and length(v.signs) = ${vector.length}`
  const listed = indexes.map(
    ({ id, lists }) => sql`
      select file_id, position, signs from vector_index_entry where bot_id = ${botId}
        and vector_index = ${id} and ${lists === null ? sql`true` : sql`list = any(${lists}::int[])`}`,
  )
  const unlisted = sql`select v.file_id, v.position, v.signs
    from passage_vector v ${indexes.length === 0 ? sql`` : sql`join file_index i using (bot_id, file_id)`}
    where ${isComparable} and ${indexes.length === 0 ? sql`true` : isOutside(indexes.map(({ id }) => id))}`
  const estimate = estimateSimilarity(sql.ref('c.signs'), vector)
  const { rows } = await sql<Candidate>`
    with candidate as (
      select c.file_id, c.position
      from (${sql.join([...listed, unlisted], sql` union all `)}) c
        join file on file.bot_id = ${botId} and file.id = c.file_id
      where ${fileStore.matchesFilter(question)}
      -- of another length, a vector cannot be compared
      order by case when length(c.signs) = ${vector.length} then ${estimate} end desc, c.file_id, c.position
      limit ${compared}
    )
    select v.file_id, v.position, v.vector
    from candidate c join passage_vector v using (file_id, position) where ${isComparable}`.execute(
    db,
  )
  return rows
}

/** Mean similarity of a question to passages in English, and the share of a larger mean that says nothing. */
const usualMean = 0.2
const meaningless = 0.6

const toMean = (values: number[]) =>
  values.reduce((sum, one) => sum + one, 0) / Math.max(values.length, 1)

/** The default model finds all texts of other languages alike. */
export function shifted(similarities: number[]): number[] {
  const shift = meaningless * Math.max(0, toMean(similarities) - usualMean)
  return similarities.map((one) => one - shift)
}

/** Deviation of a model of unknown quality, on the scale of the default one. */
const usualDeviation = 0.1

/**
 * Converts similarities to the scale of the default model. Absolute similarities depend on the model:
 * unrelated texts have 0.1 with one and 0.8 with another. The distance from the mean is comparable.
 */
export function standardized(similarities: number[]): number[] {
  const mean = toMean(similarities)
  const deviation = Math.sqrt(toMean(similarities.map((one) => (one - mean) ** 2)))
  // rounding differences of equal similarities in 32-bit numbers are not significant
  const scale = deviation < 1e-6 ? 0 : usualDeviation / deviation
  return similarities.map((one) => usualMean + (one - mean) * scale)
}

/** Returns the similarity, from -1 to 1. */
function likeness(vector: Float32Array, bytes: Buffer): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let sum = 0
  for (let at = 0; at < vector.length; at += 1)
    sum += vector[at]! * view.getFloat32(at * 4, true)
  return sum
}
