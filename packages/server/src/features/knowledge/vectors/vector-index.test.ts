// Indexes of large bots' vectors: searches find the same as without one, while files come, change and go.
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import type { Db } from '../../../core/db/index.ts'
import { openDatabase } from '../../../core/db/open.ts'
import { deleteFile } from '../../../core/files/files.ts'
import type { FileFilter } from '../../../core/files/index.ts'
import { openEmbedder } from '../search/embedder.ts'
import { replacePassages } from '../search/passages.ts'
import { estimateSimilarity } from './sign-estimate.ts'
import { maintainIndex, openVectorIndexer } from './vector-indexer.ts'
import { enterFiles, findNewestIndex, removeUnusedIndexes } from './vector-indexes.ts'
import { findByVector } from './vector-search.ts'
import { storeVectors } from './vectors.ts'

const model = 'numbers'
const dimensions = 48
const passagesOfFile = 50
const log = pino({ level: 'silent' })

let scene: Scene
let db: Db
let botId: string
beforeAll(async () => {
  scene = await openScene()
  db = scene.app.services.db
})
afterAll(() => scene?.close())

let bots = 0
beforeEach(async () => {
  botId = `bot_vectors_${++bots}`
  await sql`insert into bot (id, workspace_id, name, signing_secret)
    values (${botId}, ${scene.workspaceId}, ${botId}, '')`.execute(db)
})

/** A generator of equal numbers in each run, from -1 to 1. */
let seed = 7
const random = () => {
  seed = (seed * 48_271) % 2_147_483_647
  return (seed / 2_147_483_647) * 2 - 1
}
function toUnit(values: number[]): Float32Array {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
}
const topics = Array.from({ length: 40 }, () =>
  Array.from({ length: dimensions }, random),
)
const near = (topic: number) =>
  toUnit(topics[topic % topics.length]!.map((value) => value + random() * 0.9))

const passage = (content: string) => ({
  subtype: 'paragraph' as const,
  content,
  bodyStart: 0,
  headings: [],
  searchable: { outer: '', heading: '', body: content },
  tokens: 1,
})

/** Stores passages as the embedder does after it has embedded all of a file. */
async function storeFile(
  fileId: string,
  vectors: Float32Array[],
  { of = model, tags = {} } = {},
) {
  await sql`insert into file (bot_id, id, key, content_type, status, owner, tags)
    values (${botId}, ${fileId}, ${fileId}, 'text/plain', 'indexing_completed', '{}',
      ${JSON.stringify(tags)}::jsonb)
    on conflict do nothing`.execute(db)
  const passages = vectors.map((vector, n) => passage(`${fileId} ${n} ${vector[0]}`))
  const place = { botId, fileId }
  await db
    .transaction()
    .execute((trx) =>
      replacePassages(trx, place, { passages, language: 'simple', words: [] }, null),
    )
  await embedAgain(fileId, vectors, of)
}

async function embedAgain(fileId: string, vectors: Float32Array[], of = model) {
  const { rows } = await sql<{ id: string }>`select id from passage
    where bot_id = ${botId} and file_id = ${fileId} order by position`.execute(db)
  const given = rows.map(({ id }, at) => ({ id, vector: vectors[at]! }))
  await storeVectors(db, { botId, fileId, model: of }, given)
  await sql`update file_index set embed_at = null, model = ${of}, vectors = ${vectors.length}
    where bot_id = ${botId} and file_id = ${fileId}`.execute(db)
}

async function storeFiles(from: number, to: number, options = {}) {
  for (let n = from; n < to; n += 1)
    await storeFile(
      `file_${n}`,
      Array.from({ length: passagesOfFile }, (_, at) => near(n + at)),
      options,
    )
}

const all = Number.POSITIVE_INFINITY
interface Search {
  of?: string
  tags?: FileFilter['tags']
  probes?: number
}
async function find(
  vector: Float32Array,
  { of = model, tags = [], probes }: Search = {},
) {
  const question = { query: '', viewer: null, tags, limit: 10 }
  const hits = await findByVector(
    db,
    botId,
    question,
    { model: of, vector },
    probes === undefined ? {} : { probes },
  )
  return hits.map(({ fileId, position }) => `${fileId} ${position}`)
}

/** Returns what a search compares without an index. */
async function findWithout(vector: Float32Array, search: Search = {}) {
  const saved = sql`vector_index where bot_id = ${botId}`
  return await db
    .transaction()
    .execute(async (trx) => {
      await sql`delete from ${saved}`.execute(trx)
      const question = { query: '', viewer: null, tags: search.tags ?? [], limit: 10 }
      const meaning = { model: search.of ?? model, vector }
      const hits = await findByVector(trx, botId, question, meaning)
      throw new RolledBack(hits.map(({ fileId, position }) => `${fileId} ${position}`))
    })
    .catch((error) => {
      if (error instanceof RolledBack) return error.found
      throw error
    })
}
class RolledBack extends Error {
  constructor(readonly found: string[]) {
    super()
  }
}

const index = (minVectors = 2_000) => maintainIndex(db, { botId, model, minVectors })
async function state() {
  const { rows } = await sql<{ indexes: number; entries: number; outside: number }>`
    select (select count(*) from vector_index where bot_id = ${botId})::int as indexes,
      (select count(*) from vector_index_entry where bot_id = ${botId})::int as entries,
      (select count(*) from file_index i where bot_id = ${botId} and not exists (
        select from vector_index x where x.bot_id = i.bot_id and x.id = i.vector_index
      ))::int as outside`.execute(db)
  return rows[0]!
}

test('estimates similarities by the dimensions in which a vector is positive', async () => {
  const question = Float32Array.of(0.8, 0.1, -0.2, -0.5)
  const estimate = estimateSimilarity(sql.ref('signs'), question)
  const signs = ['0000', '1000', '0100', '0010', '0001', '1100', '1111']
  const { rows } = await sql<{ signs: string }>`
    select signs from unnest(${signs}::varbit[]) given (signs) order by ${estimate} desc, signs`.execute(
    db,
  )
  expect(rows.map((row) => row.signs)).toEqual([
    '1100',
    '1000',
    '1111',
    '0100',
    '0000',
    '0010',
    '0001',
  ])
})

test('finds the same as a comparison of all vectors if it reads all lists', async () => {
  await storeFiles(0, 60)
  await index()
  expect(await state()).toEqual({ indexes: 1, entries: 3_000, outside: 0 })
  for (let n = 0; n < 10; n += 1) {
    const question = near(n)
    expect(await find(question, { probes: all })).toEqual(await findWithout(question))
  }
})

test('finds 95 % of the ten nearest in the lists near the question, and reads no others', async () => {
  await storeFiles(0, 120)
  await index()
  let found = 0
  for (let n = 0; n < 40; n += 1) {
    const question = near(n)
    const nearest = (await findWithout(question)).slice(0, 10)
    const hits = new Set((await find(question)).slice(0, 10))
    found += nearest.filter((hit) => hits.has(hit)).length
  }
  expect(found / 400).toBeGreaterThanOrEqual(0.95)

  const question = near(1)
  const [best] = await find(question)
  const [fileId, position] = best!.split(' ')
  await sql`update vector_index_entry set list = -1
    where bot_id = ${botId} and file_id = ${fileId} and position = ${position}::int`.execute(
    db,
  )
  expect(await find(question)).not.toContain(best)
}, 60_000)

test('indexes a file of more passages than one statement stores', async () => {
  await storeFile(
    'file_large',
    Array.from({ length: 4_500 }, (_, at) => near(at)),
  )
  await index()
  expect(await state()).toEqual({ indexes: 1, entries: 4_500, outside: 0 })
  const question = near(6)
  expect(await find(question, { probes: all })).toEqual(await findWithout(question))
})

test('finds new vectors at once, and enters them later', async () => {
  await storeFiles(0, 50)
  await index()
  const question = near(3)
  await storeFile('file_new', [question])
  expect((await find(question))[0]).toBe('file_new 0')
  expect(await state()).toMatchObject({ entries: 2_500, outside: 1 })
  await index()
  expect(await state()).toEqual({ indexes: 1, entries: 2_501, outside: 0 })
  expect((await find(question))[0]).toBe('file_new 0')
})

test('finds no vectors of deleted files and of former contents', async () => {
  await storeFiles(0, 50)
  const [gone, former, fresh] = [near(1), near(2), near(2)]
  await storeFile('file_gone', [gone])
  await storeFile('file_changed', [former, near(3)])
  await index()
  await deleteFile(db, botId, 'file_gone')
  await storeFile('file_changed', [fresh])
  for (const isEntered of [false, true]) {
    if (isEntered) await index()
    expect(await find(gone, { probes: all })).not.toContain('file_gone 0')
    expect((await find(fresh))[0]).toBe('file_changed 0')
    expect(await find(former, { probes: all })).toEqual(await findWithout(former))
  }
  expect(await state()).toEqual({ indexes: 1, entries: 2_501, outside: 0 })
})

test('enters no vectors of content that was replaced after their places were found', async () => {
  await storeFiles(0, 40)
  await index()
  await storeFile('file_a', [near(1), near(2)])
  const { rows } = await sql<{ id: string }>`select id from passage
    where bot_id = ${botId} and file_id = 'file_a' order by position`.execute(db)
  const places = rows.map(({ id }) => ({ fileId: 'file_a', passageId: id, list: 0 }))
  await storeFile('file_a', [near(5), near(6)])
  const newest = (await findNewestIndex(db, { botId, model }))!
  expect(await enterFiles(db, newest, ['file_a'], places)).toBe(0)
  expect(await state()).toEqual({ indexes: 1, entries: 2_000, outside: 1 })
})

test('searches the vectors of another model, also in files whose earlier vectors are indexed', async () => {
  await storeFiles(0, 50)
  await index()
  const question = near(4)
  expect(await find(question, { of: 'other' })).toEqual([])
  await embedAgain(
    'file_7',
    Array.from({ length: passagesOfFile }, () => question),
    'other',
  )
  expect(new Set(await find(question, { of: 'other' }))).toEqual(
    new Set(Array.from({ length: passagesOfFile }, (_, at) => `file_7 ${at}`)),
  )
  expect(
    (await find(question, { probes: all })).filter((hit) => /^file_7 /.test(hit)),
  ).toEqual([])

  for (let n = 0; n < 50; n += 1)
    await embedAgain(
      `file_${n}`,
      Array.from({ length: passagesOfFile }, () => near(n)),
      'other',
    )
  await maintainIndex(db, { botId, model: 'other', minVectors: 2_000 })
  expect(await state()).toEqual({ indexes: 1, entries: 2_500, outside: 0 })
  expect(await find(question, { of: 'other', probes: all })).toEqual(
    await findWithout(question, { of: 'other' }),
  )
})

test('finds passages whose tags exclude most others', async () => {
  await storeFiles(0, 50)
  await storeFile('file_tagged', [near(11), near(12)], { tags: { lang: 'de' } })
  await storeFiles(50, 70, { tags: { lang: 'fr' } })
  await index()
  const tags = (lang: string): FileFilter['tags'] => [['lang', { in: [lang] }]]
  const question = near(30)
  expect((await find(question, { tags: tags('de') })).sort()).toEqual([
    'file_tagged 0',
    'file_tagged 1',
  ])
  expect(await find(question, { tags: tags('fr') })).toEqual(
    await findWithout(question, { tags: tags('fr') }),
  )
})

test('makes an index of a bot that grows, and a new one when it has twice as many vectors', async () => {
  await storeFiles(0, 30)
  await index()
  expect(await state()).toEqual({ indexes: 0, entries: 0, outside: 30 })
  await storeFiles(30, 45)
  await index()
  const first = await findNewestIndex(db, { botId, model })
  expect(first!.vectors).toBe(2_250)
  await storeFiles(45, 89)
  await index()
  expect((await findNewestIndex(db, { botId, model }))!.id).toBe(first!.id)
  await storeFiles(89, 90)

  // while files move, both indexes are searched
  const question = near(9)
  const expected = await findWithout(question)
  const isWrong: unknown[] = []
  let isMoving = true
  const moving = index().finally(() => {
    isMoving = false
  })
  while (isMoving) {
    const found = await find(question, { probes: all })
    if (found.join() !== expected.join()) isWrong.push(found)
  }
  await moving
  expect(isWrong).toEqual([])
  expect(await state()).toEqual({ indexes: 1, entries: 4_500, outside: 0 })
  expect((await findNewestIndex(db, { botId, model }))!.vectors).toBe(4_500)
}, 60_000)

test('makes one index when two servers work on a bot', async () => {
  const second = openDatabase(scene.connection, { log })
  try {
    await storeFiles(0, 60)
    await Promise.all([
      index(),
      maintainIndex(second.db, { botId, model, minVectors: 2_000 }),
      index(),
    ])
    await index()
    expect(await state()).toEqual({ indexes: 1, entries: 3_000, outside: 0 })
    const question = near(2)
    expect(await find(question, { probes: all })).toEqual(await findWithout(question))
  } finally {
    await second.close()
  }
})

test('searches only the own bot', async () => {
  await storeFiles(0, 50)
  await index()
  const first = botId
  const question = near(8)
  botId = `${first}_b`
  await sql`insert into bot (id, workspace_id, name, signing_secret)
    values (${botId}, ${scene.workspaceId}, ${botId}, '')`.execute(db)
  await storeFiles(0, 45)
  await index()
  await storeFile('file_own', [question])
  botId = first
  expect(await find(question, { probes: all })).not.toContain('file_own 0')
  expect(await find(question, { probes: all })).toEqual(await findWithout(question))
})

test('indexes bots in the background that had many vectors before the server started', async () => {
  await storeFiles(0, 50)
  const indexer = openVectorIndexer({ db, log, model, minVectors: 2_000, paceMs: 50 })
  try {
    const done = (entries: number) =>
      vi.waitFor(
        async () => expect(await state()).toEqual({ indexes: 1, entries, outside: 0 }),
        {
          timeout: 20_000,
          interval: 50,
        },
      )
    await done(2_500)
    await storeFile('file_more', [near(1)])
    indexer.soon(botId)
    await done(2_501)
  } finally {
    await indexer.close()
  }
})

test('indexes the vectors that the embedder stores', async () => {
  await storeFiles(0, 40)
  await sql`update file_index set embed_at = now(), model = null where bot_id = ${botId}`.execute(
    db,
  )
  await sql`delete from passage_vector where bot_id = ${botId}`.execute(db)
  const embed = async (texts: string[]) => texts.map((_, at) => near(at))
  const embeddings = { model, embed, close: async () => {} }
  const indexing = { minVectors: 1_500, paceMs: 50 }
  const embedder = openEmbedder({ db, log, embeddings, indexing })
  try {
    await vi.waitFor(
      async () =>
        expect(await state()).toEqual({ indexes: 1, entries: 2_000, outside: 0 }),
      { timeout: 30_000, interval: 50 },
    )
  } finally {
    await embedder.close()
  }
})

test('searches and indexes files that servers of the previous version stored', async () => {
  await storeFiles(0, 50)
  const asBefore = (from: number) =>
    sql`update file_index set vector_index = default
      where bot_id = ${botId} and substr(file_id, 6)::int >= ${from}`.execute(db)
  await asBefore(0)
  await index()
  expect(await state()).toEqual({ indexes: 1, entries: 2_500, outside: 0 })
  await storeFiles(50, 52)
  await asBefore(50)
  const question = near(51)
  expect(await find(question, { probes: all })).toEqual(await findWithout(question))
  await index()
  expect(await state()).toEqual({ indexes: 1, entries: 2_600, outside: 0 })
})

test('deletes an index with its bot', async () => {
  await storeFiles(0, 45)
  await index()
  await removeUnusedIndexes(db, (await findNewestIndex(db, { botId, model }))!)
  expect(await state()).toMatchObject({ indexes: 1, entries: 2_250 })
  await sql`delete from bot where id = ${botId}`.execute(db)
  expect(await state()).toMatchObject({ indexes: 0, entries: 0 })
})
