// Owns the table passage_vector: a vector and the signs of its dimensions for a passage (vector-search.ts). A
// file with new vectors is in no index until vector-indexer.ts enters it.
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'

interface NewVector {
  /** Id of the passage; vectors of deleted passages are not written. */
  id: string
  /**
   * Null marks a passage for which the source has no vector. It is stored with another length than
   * any question, so no search finds it.
   */
  vector: Float32Array | null
}

/** Value of file_index.vector_index for a file with vectors that are in no index. */
const noIndex = '00000000-0000-0000-0000-000000000000'

export async function storeVectors(
  db: Db,
  { botId, fileId, model }: { botId: string; fileId: string; model: string },
  vectors: NewVector[],
): Promise<void> {
  await sql`
    with file as (
      update file_index set vector_index = ${noIndex} where bot_id = ${botId} and file_id = ${fileId}
        and vector_index is distinct from ${noIndex}
    ), entry as (
      delete from vector_index_entry where bot_id = ${botId} and file_id = ${fileId}
    )
    insert into passage_vector (bot_id, file_id, position, model, signs, vector)
    select p.bot_id, p.file_id, p.position, ${model}, given.signs::varbit, given.vector
    from unnest(${vectors.map(({ id }) => id)}::uuid[],
      ${vectors.map(({ vector }) => toSigns(vector ?? none))}::text[],
        ${vectors.map(({ vector }) => toBytes(vector ?? none))}::bytea[])
      as given (id, signs, vector)
    join passage p on p.bot_id = ${botId} and p.file_id = ${fileId} and p.id = given.id
    on conflict (bot_id, file_id, position) do update set model = excluded.model, signs = excluded.signs,
      vector = excluded.vector`.execute(db)
}

/** More vectors would take much memory; they are computed again. */
const maxKept = 20_000

/** Returns the vectors of some passages by model; none if there are very many. */
export async function findVectors(
  db: Db,
  { botId, fileId }: { botId: string; fileId: string },
  passageIds: (string | undefined)[],
): Promise<Map<string, NewVector[]>> {
  const ids = passageIds.filter((id) => id !== undefined)
  if (ids.length === 0 || ids.length > maxKept) return new Map()
  const { rows } = await sql<{ id: string; model: string; vector: Buffer }>`
    select p.id, v.model, v.vector
    from passage p join passage_vector v using (bot_id, file_id, position)
    where p.bot_id = ${botId} and p.file_id = ${fileId} and p.id = any(${ids}::uuid[])`.execute(
    db,
  )
  const byModel = new Map<string, NewVector[]>()
  for (const { id, model, vector } of rows) {
    if (!byModel.has(model)) byModel.set(model, [])
    byModel.get(model)!.push({ id, vector: toVector(vector) })
  }
  return byModel
}

const none = new Float32Array(0)
const toSigns = (vector: Float32Array) =>
  Array.from(vector, (value) => (value > 0 ? '1' : '0')).join('')

export function toBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4)
  return bytes
}

/** Copies, because a Float32Array needs an aligned start. */
export const toVector = (bytes: Buffer) => new Float32Array(new Uint8Array(bytes).buffer)

/** Vectors that can be compared with each other. */
export interface VectorSpace {
  botId: string
  model: string
  dimensions: number
}

/** Returns the most frequent length among some vectors of a model. */
export async function findDimensions(
  db: Db,
  botId: string,
  model: string,
): Promise<number | null> {
  const { rows } = await sql<{ dimensions: number }>`
    select length(signs) as dimensions from (
      select signs from passage_vector where bot_id = ${botId} and model = ${model} and length(signs) > 0
      limit 1000
    ) sampled group by 1 order by count(*) desc limit 1`.execute(db)
  return rows[0]?.dimensions ?? null
}

const pageBytes = 2 ** 19

/** Returns one of `every` vectors, chosen by a hash of file and position, in shared memory. */
export async function sampleVectors(
  db: Db,
  { botId, model, dimensions }: VectorSpace,
  { size, every }: { size: number; every: number },
): Promise<Float32Array> {
  const values = new Float32Array(new SharedArrayBuffer(4 * size * dimensions))
  const limit = Math.ceil(pageBytes / (4 * dimensions))
  let after = { file_id: '', position: -1 }
  let filled = 0
  for (;;) {
    const { rows } = await sql<typeof after & { vector: Buffer | null }>`
      select chosen.file_id, chosen.position, v.vector
      from (
        select file_id, position from passage_vector
        where bot_id = ${botId} and (file_id, position) > (${after.file_id}, ${after.position}::int)
          and hashtextextended(file_id, position) % ${every}::int = 0
        order by file_id, position limit ${limit}
      ) chosen left join passage_vector v on v.bot_id = ${botId} and v.file_id = chosen.file_id
        and v.position = chosen.position and v.model = ${model} and length(v.signs) = ${dimensions}
      order by chosen.file_id, chosen.position`.execute(db)
    for (const { vector } of rows)
      if (vector && filled < values.length) {
        values.set(toVector(vector), filled)
        filled += dimensions
      }
    if (rows.length < limit || filled === values.length) return values.subarray(0, filled)
    after = rows.at(-1)!
  }
}

interface VectorRow {
  fileId: string
  passageId: string
  position: number
  vector: Buffer
}

/** Reads all vectors of some files that belong into the index, in pages. */
export async function* readVectors(
  db: Db,
  { botId, model, dimensions }: VectorSpace,
  files: string[],
): AsyncGenerator<VectorRow[]> {
  const limit = Math.ceil(pageBytes / (4 * dimensions))
  let after: Pick<VectorRow, 'fileId' | 'position'> | undefined = {
    fileId: '',
    position: -1,
  }
  while (after) {
    const { rows } = await sql<VectorRow>`
      select v.file_id as "fileId", v.position, v.vector, p.id as "passageId"
      from passage_vector v join passage p using (bot_id, file_id, position)
      where bot_id = ${botId} and file_id = any(${files}::text[]) and v.model = ${model}
        and length(v.signs) = ${dimensions}
        and (file_id, position) > (${after.fileId}, ${after.position}::int)
      order by file_id, position limit ${limit}`.execute(db)
    if (rows.length > 0) yield rows
    after = rows.length < limit ? undefined : rows.at(-1)
  }
}
