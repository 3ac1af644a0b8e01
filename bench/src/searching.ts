// Quality of search and speed of indexing, with documents of this project and questions that one
// passage answers (bench/retrieval). The ranking was developed with the set `questions`; `held-out`
// is only for evaluation, so do not tune for it. The baseline is PostgreSQL's ranking of the same
// passages.
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { openExtraction } from '@botstead/extraction'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { Db } from '../../packages/server/dist/core/db/database.js'
import { migrate } from '../../packages/server/dist/core/db/migrating/migrate.js'
import { openDatabase } from '../../packages/server/dist/core/db/open.js'
import type { Hit } from '../../packages/server/dist/features/knowledge/search/coverage.js'
import {
  type Embedder,
  openEmbedder,
} from '../../packages/server/dist/features/knowledge/search/embedder.js'
import { findHits } from '../../packages/server/dist/features/knowledge/search/fusion.js'
import { replacePassages } from '../../packages/server/dist/features/knowledge/search/passages.js'
import {
  findByWords,
  type SearchQuery,
} from '../../packages/server/dist/features/knowledge/search/search.js'
import { findByVector } from '../../packages/server/dist/features/knowledge/vectors/vector-search.js'
import { openIncludedEmbeddings } from '../../packages/server/dist/features/models/local/included-embeddings.js'
import {
  type Embeddings,
  openEmbeddings,
} from '../../packages/server/dist/features/models/providers/embeddings.js'
import {
  createDatabase,
  type DatabaseSettings,
  type findCluster,
  withClient,
} from './database.ts'
import { digits, median, note, printTable, progress, quantile } from './report.ts'

const botId = 'bot_bench'
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'flows.md',
]
const sets = ['questions', 'held-out']
const cutoff = 10
/** Characters of a printed page. */
const page = 2_000

interface Question {
  question: string
  /** Text that only the answering passage contains. */
  passage: string
}
type Search = (question: SearchQuery) => Promise<Hit[]>

export async function measureSearching(
  cluster: Awaited<ReturnType<typeof findCluster>>,
  rounds: number,
) {
  progress('searching')
  const settings = await createDatabase(cluster, 'searching')
  const log = pino({ level: 'error' })
  await migrate(settings, log)
  const database = openDatabase(settings, { log })
  const embeddings =
    source() ?? openIncludedEmbeddings({ memoryMb: 2_048, timeoutMs: 60_000, log })
  let embedder: Embedder | undefined
  try {
    await makeBot(settings)
    await measureIndexing(database.db, rounds)
    if (embeddings) {
      progress(`embedding by ${embeddings.model}`)
      embedder = openEmbedder({ db: database.db, embeddings, log })
      await measureEmbedding(settings)
    }
    for (const set of sets) await measureQuality(database.db, settings, embeddings, set)
  } finally {
    await (embedder ?? embeddings)?.close()
    await database.close()
  }
}

/** Returns the embeddings endpoint from the settings of the server; null without one. */
function source(): Embeddings | null {
  const {
    BOTSTEAD_EMBEDDINGS_URL: url,
    BOTSTEAD_EMBEDDINGS_MODEL: model,
    BOTSTEAD_EMBEDDINGS_KEY: key = null,
  } = process.env
  return url && model ? openEmbeddings({ url, model, key }) : null
}

const makeBot = (settings: DatabaseSettings) =>
  withClient(settings, async (client) => {
    await client.query("insert into workspace (id, name) values ('bench', 'bench')")
    await client.query(
      "insert into bot (id, workspace_id, name, signing_secret) values ($1, 'bench', 'bench', '')",
      [botId],
    )
    await client.query(
      `insert into file (bot_id, id, key, content_type, status, owner) select $1, key, key, 'text/markdown',
        'indexing_completed', '{}' from unnest($2::text[]) key`,
      [botId, documents],
    )
  })

async function measureIndexing(db: Db, rounds: number) {
  const extraction = openExtraction()
  const contents = await Promise.all(
    documents.map((name) =>
      readFile(fileURLToPath(new URL(`../retrieval/documents/${name}`, import.meta.url))),
    ),
  )
  const pages = contents.reduce((sum, { length }) => sum + length, 0) / page
  const read: number[] = []
  const stored: number[] = []
  // The first round starts the extraction process and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    let [reading, keeping] = [0, 0]
    for (const [at, title] of documents.entries()) {
      const content = contents[at]!
      const from = performance.now()
      const extracted = await extraction.extract(
        { format: 'markdown', size: content.length, title, configuration: null },
        Readable.from([content]),
      )
      const between = performance.now()
      await db
        .transaction()
        .execute((trx) => replacePassages(trx, { botId, fileId: title }, extracted, null))
      reading += between - from
      keeping += performance.now() - between
    }
    if (round > 0) read.push(pages / (reading / 1000))
    if (round > 0) stored.push(pages / ((reading + keeping) / 1000))
  }
  await extraction.close()
  printTable(
    'Indexing',
    ['', 'pages of 2,000 characters per second'],
    [
      ['baseline: extract and split, without storing', digits(median(read))],
      ['extract, split and store', digits(median(stored))],
    ],
  )
}

async function measureEmbedding(settings: DatabaseSettings) {
  const from = performance.now()
  await waitForVectors(settings)
  const { rows } = await withClient(settings, (client) =>
    client.query(
      'select count(*)::int as count, avg(length(content))::int as length from passage',
    ),
  )
  const { count, length } = rows[0]
  const perSecond = count / ((performance.now() - from) / 1_000)
  note(
    `${count} passages of ${length} characters got vectors: ${digits(perSecond)} per second`,
  )
}

/** Waits until the passages have their vectors; polls twice per second. */
async function waitForVectors(settings: DatabaseSettings) {
  for (;;) {
    const { rows } = await withClient(settings, (client) =>
      client.query(
        'select count(*)::int as left from file_index where embed_at is not null',
      ),
    )
    if (rows[0].left === 0) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

async function measureQuality(
  db: Db,
  settings: DatabaseSettings,
  embeddings: Embeddings | null,
  set: string,
) {
  const all = JSON.parse(
    await readFile(new URL(`../retrieval/${set}.json`, import.meta.url), 'utf8'),
  ) as Question[]
  const answers = await answersTo(settings, all)
  const questions = all.filter((_, at) => answers[at]!.length > 0)
  const expected = answers.filter((ids) => ids.length > 0)
  const rows = []
  for (const [name, search] of searches(db, embeddings))
    rows.push([name, ...(await measureScores(search, questions, expected))])
  printTable(
    `Search: ${questions.length} questions (bench/retrieval/${set}.json), ${documents.length} documents`,
    [
      '',
      `nDCG@${cutoff}`,
      'first is right',
      `nDCG@${cutoff}, misspelled`,
      'ms, median',
      'ms, 95 %',
    ],
    rows,
    ['Misspelled: the longest word of each question lacks its middle letter.'],
  )
  if (questions.length < all.length)
    note(
      `Without ${all.length - questions.length} questions: the documents no longer contain their passages.`,
    )
  if (!embeddings)
    note(
      'Without vectors: the packages of the included model are not installed, and BOTSTEAD_EMBEDDINGS_URL ' +
        'and BOTSTEAD_EMBEDDINGS_MODEL are not set.',
    )
}

/** Returns the ways to search by name, the baseline first. */
function searches(db: Db, embeddings: Embeddings | null): [string, Search][] {
  const byWords: [string, Search][] = [
    ['baseline: ts_rank_cd of PostgreSQL', (question) => rankedByDatabase(db, question)],
    ['words', async (question) => (await findByWords(db, botId, question)).hits],
  ]
  if (!embeddings) return byWords
  const embedQuery = async (text: string) => {
    const [vector] = await embeddings.embed([text], { timeoutMs: 60_000, botId: null })
    return vector ? { model: embeddings.model, vector } : null
  }
  const byVector: Search = async (question) => {
    const meaning = await embedQuery(question.query)
    return meaning ? findByVector(db, botId, question, meaning) : []
  }
  return [
    ...byWords,
    [`vectors of ${embeddings.model}`, byVector],
    ['fused', (question) => findHits(db, botId, question, { embedder: { embedQuery } })],
  ]
}

async function measureScores(search: Search, questions: Question[], answers: string[][]) {
  const right = await quality(search, questions, answers)
  const misspelled = await quality(
    search,
    questions.map((one) => ({ ...one, question: misspell(one.question) })),
    answers,
  )
  return [
    right.ndcg.toFixed(3),
    right.first.toFixed(2),
    misspelled.ndcg.toFixed(3),
    digits(quantile(right.ms, 0.5)),
    digits(quantile(right.ms, 0.95)),
  ]
}

/** Returns the ids of the passages that answer each question. */
async function answersTo(
  settings: DatabaseSettings,
  questions: Question[],
): Promise<string[][]> {
  const { rows } = await withClient(settings, (client) =>
    client.query("select file_id || ' ' || position as id, content from passage"),
  )
  return questions.map(({ passage }) =>
    rows
      .filter(({ content }) => content.replaceAll(/\s+/g, ' ').includes(passage))
      .map(({ id }) => id as string),
  )
}

async function quality(search: Search, questions: Question[], answers: string[][]) {
  const scores: number[] = []
  const ms: number[] = []
  let first = 0
  for (const [at, { question }] of questions.entries()) {
    const from = performance.now()
    const hits = await search({ query: question, viewer: null, tags: [], limit: cutoff })
    ms.push(performance.now() - from)
    const right = hits.map(({ fileId, position }) =>
      answers[at]!.includes(`${fileId} ${position}`),
    )
    first += right[0] ? 1 : 0
    scores.push(gain(right) / gain(answers[at]!.slice(0, cutoff).map(() => true)))
  }
  return {
    ndcg: scores.reduce((sum, score) => sum + score, 0) / scores.length,
    first: first / questions.length,
    ms,
  }
}

const gain = (right: boolean[]) =>
  right.reduce((sum, isRight, rank) => sum + (isRight ? 1 / Math.log2(rank + 2) : 0), 0)

function misspell(question: string): string {
  const longest = question
    .split(' ')
    .reduce((max, word) => (word.length > max.length ? word : max), '')
  const middle = Math.floor(longest.length / 2)
  return question.replace(longest, longest.slice(0, middle) + longest.slice(middle + 1))
}

/** Searches with PostgreSQL's text search. */
async function rankedByDatabase(db: Db, { query, limit }: SearchQuery): Promise<Hit[]> {
  const { rows } = await sql<Hit>`
    with search_terms as (
      select string_agg(quote_literal(lexeme), ' | ')::tsquery as any
      from unnest(tsvector_to_array(to_tsvector('english', ${query}))) lexeme
    )
    select file_id as "fileId", position,
      ts_rank_cd(to_tsvector('english', content), search_terms.any, 1)::float8 as score
    from passage, search_terms where to_tsvector('english', content) @@ search_terms.any
    order by score desc, file_id, position limit ${limit}`.execute(db)
  return rows
}
