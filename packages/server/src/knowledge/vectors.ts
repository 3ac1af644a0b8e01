// Owns the table passage_vector. What is near to a question is found without an extension: the signs of all dimensions say which few hundred come into
// question, and those are compared exactly. A bot with no more passages than that is searched exactly.
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { type Hit, isSearched, type Question } from './search.ts'

const compared = 500

/** Nearest first. Vectors have length 1. A score says how far one stands out from what else is near. */
export async function findByVector(
  db: Db,
  botId: string,
  question: Question,
  { model, vector }: { model: string; vector: Float32Array },
): Promise<Hit[]> {
  const signs = signsOf(vector)
  const { rows } = await sql<{ file_id: string; position: number; vector: Buffer }>`
    select v.file_id, v.position, v.vector
    from passage_vector v join file on file.bot_id = v.bot_id and file.id = v.file_id
    where v.bot_id = ${botId} and v.model = ${model} and length(v.signs) = ${vector.length} and ${isSearched(question)}
    -- of another length, a vector cannot be compared
    order by case when length(v.signs) = ${vector.length} then bit_count(v.signs # ${signs}::varbit) end, v.file_id, v.position
    limit ${compared}`.execute(db)
  const scores = standingOut(rows.map(({ vector: bytes }) => likeness(vector, bytes)))
  return rows
    .map(({ file_id, position }, at) => ({ fileId: file_id, position, score: scores[at]! }))
    .sort((a, b) => b.score - a.score)
    .slice(0, question.limit)
}

/** So many standard deviations above the mean are a score of 1, and no model says more than that it is sure. */
const surely = 8

/**
 * What a likeness is worth only its own model knows: with one, strangers have 0.1 in common, with another 0.8. How far above the others it is can be
 * compared. From 0 (the mean, and less) to 1; of n numbers none is further away than the root of n - 1.
 */
export function standingOut(likenesses: number[]): number[] {
  const count = likenesses.length
  const mean = likenesses.reduce((sum, one) => sum + one, 0) / count
  const deviation = Math.sqrt(likenesses.reduce((sum, one) => sum + (one - mean) ** 2, 0) / count)
  const most = deviation * Math.min(surely, Math.sqrt(count - 1))
  // what 32-bit numbers make of likenesses that are the same tells nothing apart
  return likenesses.map((one) => (most < 1e-6 ? 0 : Math.min(1, Math.max(0, (one - mean) / most))))
}

export interface NewVector {
  /** Of the passage: one that is not there any more has no vector. */
  id: string
  /** Null is kept, too: nothing more can be had. It is of another length than any question, so nothing finds it. */
  vector: Float32Array | null
}

export async function keepVectors(
  db: Db,
  { botId, fileId, model }: { botId: string; fileId: string; model: string },
  vectors: NewVector[],
): Promise<void> {
  await sql`
    insert into passage_vector (bot_id, file_id, position, model, signs, vector)
    select p.bot_id, p.file_id, p.position, ${model}, given.signs::varbit, given.vector
    from unnest(${vectors.map(({ id }) => id)}::uuid[], ${vectors.map(({ vector }) => signsOf(vector ?? none))}::text[], ${vectors.map(({ vector }) => bytesOf(vector ?? none))}::bytea[])
      as given (id, signs, vector)
    join passage p on p.bot_id = ${botId} and p.file_id = ${fileId} and p.id = given.id
    on conflict (bot_id, file_id, position) do update set model = excluded.model, signs = excluded.signs, vector = excluded.vector`.execute(
    db,
  )
}

const none = new Float32Array(0)
const signsOf = (vector: Float32Array) => Array.from(vector, (value) => (value > 0 ? '1' : '0')).join('')

function bytesOf(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4)
  return bytes
}

/** From -1 to 1. */
function likeness(vector: Float32Array, bytes: Buffer): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let sum = 0
  for (let at = 0; at < vector.length; at += 1) sum += vector[at]! * view.getFloat32(at * 4, true)
  return sum
}
