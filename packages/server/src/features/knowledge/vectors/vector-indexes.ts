// Owns the tables vector_index and vector_index_entry. An index has the vectors of one length that a model
// computed for a large bot, in lists: each vector is in the list of the nearest centroid. A search reads the
// lists near the question (vector-search.ts). vector-indexer.ts makes the indexes, in the background.
// Invariant: file_index.vector_index names the index that has all vectors of the file. Searches compare the
// vectors of all other files, so they find the same while an index is made or replaced.

import { randomUUID } from 'node:crypto'
import { type Cache, openCache } from '@botstead/lib'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import { toBytes, toVector, type VectorSpace } from './vectors.ts'

export interface VectorIndex extends VectorSpace {
  id: string
  /** Number of vectors when it was made. */
  vectors: number
}

interface SearchableIndex {
  id: string
  centroids: Float32Array
}

interface IndexKey {
  botId: string
  id: string
}

/** Centroids never change. An index has at most 4 MB of them (vector-indexer.ts). */
const cached = { size: 12, ttlMs: 3_600_000 }
const caches = new WeakMap<Db, Cache<Float32Array>>()

export function getCentroids(db: Db, { botId, id }: IndexKey): Promise<Float32Array> {
  const cache = caches.get(db) ?? openCache((key) => loadCentroids(db, key), cached)
  caches.set(db, cache)
  return cache.get(`${botId} ${id}`)
}

async function loadCentroids(db: Db, key: string): Promise<Float32Array> {
  const [botId, id] = key.split(' ')
  const { rows } = await sql<{ centroids: Buffer }>`
    select centroids from vector_index where bot_id = ${botId} and id = ${id}`.execute(db)
  return rows[0] ? toVector(rows[0].centroids) : new Float32Array(0)
}

/** Returns those that a search may use, in the order of their ids; two while one replaces the other. */
export async function findIndexes(
  db: Db,
  { botId, model, dimensions }: VectorSpace,
): Promise<SearchableIndex[]> {
  const { rows } = await sql<{ id: string }>`
    select id from vector_index
    where bot_id = ${botId} and model = ${model} and dimensions = ${dimensions} order by id`.execute(
    db,
  )
  const found = rows.map(async ({ id }) => ({
    id,
    centroids: await getCentroids(db, { botId, id }),
  }))
  return Promise.all(found)
}

/**
 * Condition on file_index `i`: its vectors are in none of these indexes. PostgreSQL's indexes find no values
 * by inequality, so it lists the ranges between the ids.
 */
export function isOutside(ids: string[]): RawBuilder<boolean> {
  const bounds = [null, ...ids, null]
  const ranges = bounds.slice(1).map((to, at) => {
    const from = bounds[at]!
    return sql`(${from === null ? sql`true` : sql`i.vector_index > ${from}`}
      and ${to === null ? sql`true` : sql`i.vector_index < ${to}`})`
  })
  return sql`(i.vector_index is not null and (${sql.join(ranges, sql` or `)}))`
}

/** Returns the newest index of the bot's vectors by a model, and null without one. */
export async function findNewestIndex(
  db: Db,
  { botId, model }: Pick<VectorSpace, 'botId' | 'model'>,
): Promise<VectorIndex | null> {
  const { rows } = await sql<Omit<VectorIndex, 'botId' | 'model'>>`
    select id, dimensions, vectors from vector_index where bot_id = ${botId} and model = ${model}
    order by created_at desc, id limit 1`.execute(db)
  return rows[0] ? { botId, model, ...rows[0] } : null
}

/** Returns null if another server has made a newer index than `former`. */
export function createIndex(
  db: Db,
  { botId, model, dimensions }: VectorSpace,
  { vectors, centroids }: { vectors: number; centroids: Float32Array },
  former: VectorIndex | null,
): Promise<VectorIndex | null> {
  const id = randomUUID()
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('vector index ' || ${botId}, 0))`.execute(
      trx,
    )
    const newest = await findNewestIndex(trx, { botId, model })
    if (newest?.id !== former?.id) return null
    await sql`
      insert into vector_index (bot_id, id, model, dimensions, vectors, centroids)
      values (${botId}, ${id}, ${model}, ${dimensions}, ${vectors}, ${toBytes(centroids)})`.execute(
      trx,
    )
    return { botId, model, dimensions, id, vectors }
  })
}

/** Where the vector of a passage belongs. */
export interface Place {
  fileId: string
  passageId: string
  list: number
}

/**
 * Moves files into an index. Leaves out those that another server changes, and those whose vectors have
 * changed since their places were found. Returns the number of files that it moved.
 */
export function enterFiles(
  db: Db,
  index: VectorIndex,
  fileIds: string[],
  places: Place[],
): Promise<number> {
  const { botId, id, model } = index
  return db.transaction().execute(async (trx) => {
    const { rows: locked } = await sql<{ file_id: string }>`
      select file_id from file_index where bot_id = ${botId} and file_id = any(${fileIds}::text[])
        and model = ${model} and embed_at is null
      order by file_id for no key update skip locked`.execute(trx)
    const files = locked.map(({ file_id }) => file_id)
    await sql`delete from vector_index_entry
      where bot_id = ${botId} and file_id = any(${files}::text[])`.execute(trx)
    for (let from = 0; from < places.length; from += placesAtOnce)
      await storeEntries(trx, index, files, places.slice(from, from + placesAtOnce))
    const { rows: complete } = await sql<{ file_id: string }>`
      update file_index i set vector_index = ${id}
      where bot_id = ${botId} and file_id = any(${files}::text[]) and (
        select count(*) from vector_index_entry e where e.bot_id = i.bot_id and e.file_id = i.file_id
      ) = (select count(*) from ${selectVectors(index)} and v.file_id = i.file_id)
      returning file_id`.execute(trx)
    const entered = complete.map(({ file_id }) => file_id)
    await sql`delete from vector_index_entry where bot_id = ${botId}
      and file_id = any(${files}::text[]) and file_id <> all(${entered}::text[])`.execute(
      trx,
    )
    return entered.length
  })
}

/** Encoding more for a statement would stop the main thread for longer than some milliseconds. */
const placesAtOnce = 2_000

const storeEntries = (trx: Db, index: VectorIndex, files: string[], places: Place[]) =>
  sql`
    insert into vector_index_entry (bot_id, file_id, position, vector_index, list, signs)
    select v.bot_id, v.file_id, v.position, ${index.id}, place.list, v.signs
    from unnest(${places.map(({ fileId }) => fileId)}::text[],
      ${places.map(({ passageId }) => passageId)}::uuid[], ${places.map(({ list }) => list)}::int[])
      as place (file_id, id, list)
    join passage p on p.bot_id = ${index.botId} and p.file_id = place.file_id and p.id = place.id
    cross join lateral (select v.* from ${selectVectors(index)} and v.file_id = p.file_id
      and v.position = p.position) v
    where p.file_id = any(${files}::text[])`.execute(trx)

/** The vectors that an index may have, as `v`, with a condition. */
const selectVectors = ({ botId, model, dimensions }: VectorSpace) => sql`passage_vector v
  where v.bot_id = ${botId} and v.model = ${model} and length(v.signs) = ${dimensions}`

/** Removes the indexes of the bot that no file uses, except the newest of the model. */
export async function removeUnusedIndexes(
  db: Db,
  { botId, id }: IndexKey,
): Promise<void> {
  await sql`
    delete from vector_index x where bot_id = ${botId} and id <> ${id}
      and not exists (select from file_index i where i.bot_id = ${botId} and i.vector_index = x.id)
      and created_at <= (select created_at from vector_index where bot_id = ${botId} and id = ${id})`.execute(
    db,
  )
}
