// Time and quality of a search for the nearest vectors in a large bot, beside another one. The floor is
// reading as many vectors by their keys as a search compares.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { pino } from 'pino'
import type { Db } from '../../../packages/server/dist/core/db/database.js'
import { migrate } from '../../../packages/server/dist/core/db/migrating/migrate.js'
import { openDatabase } from '../../../packages/server/dist/core/db/open.js'
import { maintainIndex } from '../../../packages/server/dist/features/knowledge/vectors/vector-indexer.js'
import { findByVector } from '../../../packages/server/dist/features/knowledge/vectors/vector-search.js'
import {
  createDatabase,
  type DatabaseSettings,
  type findCluster,
  withClient,
} from '../database.ts'
import { digits, printTable, progress, quantile, ratio } from '../report.ts'
import {
  similarity,
  simulateVectors,
  type VectorSimulation,
} from './simulated-vectors.ts'
import { fillBot, model, rareTag } from './vector-rows.ts'

const botId = 'bot_bench'
const compared = 500
const nearest = 10

interface Plan {
  /** Passages of the bot. */
  sizes: number[]
  questions: number
  /** Real paragraphs of which the vectors are mixed. */
  paragraphs: number
}

export async function measureVectorScale(
  cluster: Awaited<ReturnType<typeof findCluster>>,
  { sizes, questions, paragraphs }: Plan,
) {
  const simulation = await simulateVectors(paragraphs)
  const rows = []
  for (const size of sizes) {
    progress(`storing ${size} vectors`)
    const settings = await createDatabase(cluster, `vectors_${size}`)
    const log = pino({ level: 'error' })
    await migrate(settings, log)
    const asked = await fill(settings, simulation, { size, questions })
    const { db, close } = openDatabase(settings, { log })
    rows.push([digits(size), ...(await measure(db, settings, asked))])
    await close()
  }
  printTable(
    `Nearest vectors of ${simulation.dimensions} dimensions`,
    [
      'passages of the bot',
      'floor: 500 vectors by key, ms p50',
      'all compared, ms p50',
      'search, ms p50',
      'p95',
      'p50 / floor',
      `recall@${nearest}`,
      'rare tag, ms p95',
      'making the index, s',
      'longest delay of the event loop meanwhile, ms',
      'index, MB',
    ],
    rows,
  )
}

interface Asked {
  vector: Float32Array
  /** The ten nearest passages, compared exactly, the nearest first. */
  nearest: { key: string; similarity: number }[]
}

/** Stores the passages of two bots. Returns questions, with the passages that a search should find. */
async function fill(
  settings: DatabaseSettings,
  simulation: VectorSimulation,
  { size, questions }: { size: number; questions: number },
): Promise<Asked[]> {
  const answering = Array.from({ length: questions }, simulation.passage)
  const asked = answering.map((passage) => ({
    vector: simulation.questionTo(passage),
    nearest: [] as Asked['nearest'],
  }))
  await withClient(settings, async (client) => {
    await fillBot(client, 'bot_other', Math.min(size, 100_000), simulation.passage)
    await fillBot(client, botId, size, (key) => {
      const passage = answering.pop() ?? simulation.passage()
      for (const one of asked) keepNearest(one, key, similarity(one.vector, passage))
      return passage
    })
    await client.query('vacuum analyze')
  })
  return asked
}

function keepNearest({ nearest: best }: Asked, key: string, value: number) {
  if (best.length === nearest && value <= best.at(-1)!.similarity) return
  best.push({ key, similarity: value })
  best.sort((a, b) => b.similarity - a.similarity)
  best.length = Math.min(best.length, nearest)
}

async function measure(db: Db, settings: DatabaseSettings, asked: Asked[]) {
  const floor = await timeAll(asked.slice(0, 20), () => readByKey(settings))
  const search = (tags: 'all' | 'rare') => async (one: Asked) => {
    const question = {
      query: '',
      viewer: null,
      tags: tags === 'rare' ? rareTag : [],
      limit: 50,
    }
    const meaning = { model, vector: one.vector }
    const hits = await findByVector(db, botId, question, meaning)
    const found = new Set(
      hits.slice(0, nearest).map(({ fileId, position }) => `${fileId} ${position}`),
    )
    return one.nearest.filter(({ key }) => found.has(key)).length / nearest
  }
  progress('comparing all vectors')
  const all = await timeAll(asked.slice(0, 10), search('all'))
  progress('making the index')
  const made = await timeIndex(db)
  await withClient(settings, (client) => client.query('vacuum analyze'))
  progress('searching')
  await timeAll(asked.slice(0, 5), search('all'))
  const found = await timeAll(asked, search('all'))
  const rare = await timeAll(asked.slice(0, 20), search('rare'))
  return [
    digits(quantile(floor.ms, 0.5)),
    digits(quantile(all.ms, 0.5)),
    digits(quantile(found.ms, 0.5)),
    digits(quantile(found.ms, 0.95)),
    ratio(quantile(found.ms, 0.5), quantile(floor.ms, 0.5)),
    mean(found.results).toFixed(3),
    digits(quantile(rare.ms, 0.95)),
    digits(made.seconds),
    digits(made.maxDelayMs),
    digits(await readIndexMb(settings)),
  ]
}

const mean = (values: number[]) =>
  values.reduce((sum, one) => sum + one, 0) / values.length

async function timeAll<T>(asked: Asked[], work: (one: Asked) => Promise<T>) {
  const ms: number[] = []
  const results: T[] = []
  for (const one of asked) {
    const from = performance.now()
    results.push(await work(one))
    ms.push(performance.now() - from)
  }
  return { ms, results }
}

async function timeIndex(db: Db) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const from = performance.now()
  await maintainIndex(db, { botId, model, minVectors: 0 })
  delay.disable()
  return { seconds: (performance.now() - from) / 1_000, maxDelayMs: delay.max / 1e6 }
}

/** Reads vectors of passages that are spread over the table. */
async function readByKey(settings: DatabaseSettings) {
  return withClient(settings, async (client) => {
    const { rows: keys } = await client.query(
      `select array_agg(id) as ids from (select id from file where bot_id = $1 order by random() limit $2) f`,
      [botId, compared],
    )
    const from = performance.now()
    await client.query(
      'select vector from passage_vector where bot_id = $1 and file_id = any($2) and position = 1',
      [botId, keys[0].ids],
    )
    return performance.now() - from
  })
}

async function readIndexMb(settings: DatabaseSettings): Promise<number> {
  const { rows } = await withClient(settings, (client) =>
    client.query("select pg_total_relation_size('vector_index_entry') / 1e6 as mb"),
  )
  return Number(rows[0].mb)
}
