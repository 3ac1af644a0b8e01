// Makes the indexes of large bots' vectors (vector-indexes.ts) in the background: centroids of a sample, then
// the place of each vector. Threads of low priority compute both, one job of a server at a time. An
// index for twice as many vectors replaces the former one.

import { PeriodicTask } from '@botstead/lib'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { compute } from '../../../core/compute/index.ts'
import type { Db } from '../../../core/db/index.ts'
import { isAwake } from '../../../core/queue/index.ts'
import {
  createIndex,
  enterFiles,
  findNewestIndex,
  getCentroids,
  isOutside,
  type Place,
  removeUnusedIndexes,
  type VectorIndex,
} from './vector-indexes.ts'
import {
  findDimensions,
  readVectors,
  sampleVectors,
  toVector,
  type VectorSpace,
} from './vectors.ts'

interface VectorIndexer {
  /** Call it when a bot has more vectors. */
  soon(botId: string): void
  close(): Promise<void>
}

export interface IndexerOptions {
  db: Db
  log: Logger
  /** The model whose vectors have indexes. */
  model: string
  /** Bots with fewer vectors need no index: comparing all takes no longer. Default: 20,000. */
  minVectors?: number
  /** Default: 10,000. */
  paceMs?: number
}

const defaultMinVectors = 20_000
/** Other servers may have stored vectors before they ended, and so may those of the previous version. */
const listingMs = 3_600_000

export function openVectorIndexer(options: IndexerOptions): VectorIndexer {
  const { db, log, model, minVectors = defaultMinVectors, paceMs = 10_000 } = options
  const due = new Set<string>()
  const closing = new AbortController()
  let listAt = 0
  const task = new PeriodicTask({
    paceMs,
    task: async () => {
      if (performance.now() >= listAt) {
        for (const botId of await listLargeBots(db, model, minVectors)) due.add(botId)
        listAt = performance.now() + listingMs
      }
      for (const botId of [...due]) {
        due.delete(botId)
        const work = maintainIndex(db, {
          botId,
          model,
          minVectors,
          signal: closing.signal,
        })
        await work.catch((error) => {
          due.add(botId)
          throw error
        })
      }
    },
    failed: (error) => {
      if (!closing.signal.aborted)
        log.warn({ err: error }, 'cannot index vectors; retrying')
    },
  })
  return {
    soon: (botId) => void due.add(botId),
    close() {
      closing.abort()
      return task.stop()
    },
  }
}

async function listLargeBots(
  db: Db,
  model: string,
  minVectors: number,
): Promise<string[]> {
  const { rows } = await sql<{ bot_id: string }>`
    select i.bot_id from file_index i where i.model = ${model} and ${sql.raw(isAwake('i.bot_id'))}
    group by i.bot_id having sum(coalesce(i.vectors, i.passages)) >= ${minVectors}`.execute(
    db,
  )
  return rows.map(({ bot_id }) => bot_id)
}

interface Maintenance {
  botId: string
  model: string
  minVectors?: number
  /** Ends the work between two steps, and does not wait for a computation. */
  signal?: AbortSignal
}

const never = new AbortController().signal

/** Makes the bot's index if it needs a new one, and enters all files. */
export async function maintainIndex(
  db: Db,
  { botId, model, minVectors = defaultMinVectors, signal = never }: Maintenance,
): Promise<void> {
  const vectors = await countVectors(db, botId, model)
  const former = await findNewestIndex(db, { botId, model })
  const isNeeded = vectors >= Math.max(minVectors, 2 * (former?.vectors ?? 0))
  const made = isNeeded
    ? await makeIndex(db, { botId, model, vectors, signal }, former)
    : null
  const index = made ?? (await findNewestIndex(db, { botId, model }))
  if (!index) return
  while ((await enterNextFiles(db, index, signal)) > 0);
  await removeUnusedIndexes(db, index)
}

async function countVectors(db: Db, botId: string, model: string): Promise<number> {
  const { rows } = await sql<{ vectors: number }>`
    select coalesce(sum(coalesce(vectors, passages)), 0)::float8 as vectors from file_index
    where bot_id = ${botId} and model = ${model}`.execute(db)
  return rows[0]!.vectors
}

/** Reading more from the database would stop the main thread for longer than 25 ms. */
const maxCentroidBytes = 4 * 2 ** 20
const maxSampleBytes = 64 * 2 ** 20
const sampledPerList = 32
/** Signs of more dimensions do not fit into PostgreSQL's indexes. */
const maxDimensions = 8_192

interface Work {
  vectors: number
  signal: AbortSignal
}

/** Returns null if no index is possible, or if another server has made one. */
async function makeIndex(
  db: Db,
  { botId, model, vectors, signal }: Pick<VectorSpace, 'botId' | 'model'> & Work,
  former: VectorIndex | null,
): Promise<VectorIndex | null> {
  const dimensions = await findDimensions(db, botId, model)
  if (dimensions === null || dimensions > maxDimensions) return null
  const space = { botId, model, dimensions }
  const bytes = 4 * dimensions
  const count = Math.floor(Math.min(Math.sqrt(vectors), maxCentroidBytes / bytes))
  const size = Math.floor(Math.min(count * sampledPerList, maxSampleBytes / bytes))
  const values = await sampleVectors(db, space, {
    size,
    every: Math.ceil(vectors / size),
  })
  const centroids = await orAborted(
    compute.run(
      toTenant(botId),
      'clusterVectors',
      { values, dimensions, count },
      { deadlineMs: 300_000 },
    ),
    signal,
  )
  if (centroids.length === 0) return null
  return createIndex(db, space, { vectors, centroids }, former)
}

/** A step computes for less than a second. */
const maxFiles = 200
const maxVectors = 1_000

/** Returns the number of files that it entered. */
async function enterNextFiles(
  db: Db,
  index: VectorIndex,
  signal: AbortSignal,
): Promise<number> {
  signal.throwIfAborted()
  const { botId, dimensions } = index
  const files = await findFilesOutside(db, index)
  const centroids = await getCentroids(db, index)
  const places: Place[] = []
  for await (const rows of readVectors(db, index, files)) {
    const values = new Float32Array(new SharedArrayBuffer(4 * dimensions * rows.length))
    for (const [at, { vector }] of rows.entries())
      values.set(toVector(vector), at * dimensions)
    const nearest = compute.run(toTenant(botId), 'findNearest', {
      values,
      dimensions,
      centroids,
    })
    const lists = await orAborted(nearest, signal)
    for (const [at, { fileId, passageId }] of rows.entries())
      places.push({ fileId, passageId, list: lists[at]! })
  }
  return files.length === 0 ? 0 : enterFiles(db, index, files, places)
}

/** Returns files with vectors, together as many as a step may have, or a larger one alone. */
async function findFilesOutside(
  db: Db,
  { botId, id, model }: VectorIndex,
): Promise<string[]> {
  const { rows } = await sql<{ file_id: string; vectors: number }>`
    select i.file_id, coalesce(i.vectors, i.passages) as vectors from file_index i
    where i.bot_id = ${botId} and i.model = ${model} and i.embed_at is null and ${isOutside([id])}
    limit ${maxFiles}`.execute(db)
  let sum = 0
  return rows
    .filter(({ vectors }, at) => {
      sum += vectors
      return at === 0 || sum <= maxVectors
    })
    .map(({ file_id }) => file_id)
}

/** Its own turn in the threads, so that computations for requests of the bot do not wait. */
const toTenant = (botId: string) => `vectors of ${botId}`

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
