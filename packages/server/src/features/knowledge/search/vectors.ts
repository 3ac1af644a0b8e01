// Owns the table passage_vector. Finds nearest vectors without an extension: the signs of all
// dimensions select a few hundred candidates, which are then compared exactly. For a bot with no
// more passages than that, the search is exact.
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import { type Hit, isSearched, type SearchQuery } from './search.ts'

const compared = 500

/**
 * Returns the nearest first. Vectors have length 1. A score is how far a vector stands out from the
 * other candidates.
 */
export async function findByVector(
  db: Db,
  botId: string,
  question: SearchQuery,
  { model, vector }: { model: string; vector: Float32Array },
): Promise<Hit[]> {
  const signs = signsOf(vector)
  const { rows } = await sql<{ file_id: string; position: number; vector: Buffer }>`
    select v.file_id, v.position, v.vector
    from passage_vector v join file on file.bot_id = v.bot_id and file.id = v.file_id
    where v.bot_id = ${botId} and v.model = ${model} and length(v.signs) = ${vector.length}
      and ${isSearched(question)}
    -- of another length, a vector cannot be compared
    order by case when length(v.signs) = ${vector.length} then bit_count(v.signs # ${signs}::varbit) end,
      v.file_id, v.position
    limit ${compared}`.execute(db)
  const scores = standingOut(rows.map(({ vector: bytes }) => likeness(vector, bytes)))
  return rows
    .map(({ file_id, position }, at) => ({ fileId: file_id, position, score: scores[at]! }))
    .sort((a, b) => b.score - a.score)
    .slice(0, question.limit)
}

/** Number of standard deviations above the mean that give a score of 1. */
const fullScoreDeviations = 8

/**
 * Converts similarities to scores. Absolute similarities depend on the model: unrelated texts have
 * 0.1 with one and 0.8 with another. The distance above the mean is comparable. Returns 0 (the mean
 * or less) to 1; of n numbers none is more than the root of n - 1 standard deviations from the
 * mean.
 */
export function standingOut(likenesses: number[]): number[] {
  const count = likenesses.length
  const mean = likenesses.reduce((sum, one) => sum + one, 0) / count
  const deviation = Math.sqrt(likenesses.reduce((sum, one) => sum + (one - mean) ** 2, 0) / count)
  const most = deviation * Math.min(fullScoreDeviations, Math.sqrt(count - 1))
  // rounding differences of equal similarities in 32-bit numbers are not significant
  return likenesses.map((one) => (most < 1e-6 ? 0 : Math.min(1, Math.max(0, (one - mean) / most))))
}

interface NewVector {
  /** Id of the passage; vectors of deleted passages are not written. */
  id: string
  /**
   * Null marks a passage for which the source has no vector. It is stored with another length than
   * any question, so no search finds it.
   */
  vector: Float32Array | null
}

export async function storeVectors(
  db: Db,
  { botId, fileId, model }: { botId: string; fileId: string; model: string },
  vectors: NewVector[],
): Promise<void> {
  await sql`
    insert into passage_vector (bot_id, file_id, position, model, signs, vector)
    select p.bot_id, p.file_id, p.position, ${model}, given.signs::varbit, given.vector
    from unnest(${vectors.map(({ id }) => id)}::uuid[],
      ${vectors.map(({ vector }) => signsOf(vector ?? none))}::text[],
        ${vectors.map(({ vector }) => bytesOf(vector ?? none))}::bytea[])
      as given (id, signs, vector)
    join passage p on p.bot_id = ${botId} and p.file_id = ${fileId} and p.id = given.id
    on conflict (bot_id, file_id, position) do update set model = excluded.model, signs = excluded.signs,
      vector = excluded.vector`.execute(db)
}

const none = new Float32Array(0)
const signsOf = (vector: Float32Array) =>
  Array.from(vector, (value) => (value > 0 ? '1' : '0')).join('')

function bytesOf(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4)
  return bytes
}

/** Returns the similarity, from -1 to 1. */
function likeness(vector: Float32Array, bytes: Buffer): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let sum = 0
  for (let at = 0; at < vector.length; at += 1) sum += vector[at]! * view.getFloat32(at * 4, true)
  return sum
}
