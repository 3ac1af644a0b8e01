// Time to find the nearest vectors. There is no vector index, so the time grows with the passages
// of a bot. The baseline is reading the same rows.
import { pino } from 'pino'
import { migrate } from '../../../packages/server/dist/core/db/migrating/migrate.js'
import { openDatabase } from '../../../packages/server/dist/core/db/open.js'
import { findByVector } from '../../../packages/server/dist/features/knowledge/search/vectors.js'
import { createDatabase, type DatabaseSettings, type findCluster, withClient } from '../database.ts'
import { digits, median, printTable, progress } from '../report.ts'

const botId = 'bot_bench'
const model = 'random'
const dimensions = 768
const passagesOfFile = 100
/** Number of distinct vectors; repeating them does not change the time. */
const different = 1_000

export async function measureVectorScale(
  cluster: Awaited<ReturnType<typeof findCluster>>,
  { sizes, rounds }: { sizes: number[]; rounds: number },
) {
  const rows = []
  for (const size of sizes) {
    progress(`searching ${size} vectors`)
    const settings = await createDatabase(cluster, `vectors_${size}`)
    const log = pino({ level: 'error' })
    await migrate(settings, log)
    await fill(settings, size)
    const { db, close } = openDatabase(settings, { log })
    const read: number[] = []
    const found: number[] = []
    const before = process.cpuUsage()
    for (let round = 0; round < rounds; round += 1) {
      const question = { query: '', viewer: null, tags: [], limit: 50 }
      found.push(
        await timed(() => findByVector(db, botId, question, { model, vector: randomVector() })),
      )
    }
    const { user, system } = process.cpuUsage(before)
    await withClient(settings, async (client) => {
      for (let round = 0; round < rounds; round += 1)
        read.push(
          await timed(() =>
            client.query(
              'select count(*) from passage_vector where bot_id = $1 and length(signs) = $2',
              [botId, dimensions],
            ),
          ),
        )
    })
    await close()
    rows.push([
      String(size),
      digits(median(read)),
      digits(median(found)),
      digits((user + system) / 1_000 / rounds),
    ])
  }
  printTable(
    `Nearest vectors of ${dimensions} dimensions`,
    [
      'passages of the bot',
      'baseline: reading the rows, ms',
      'search, ms',
      'of that CPU in the server process, ms',
    ],
    rows,
  )
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

const fill = (settings: DatabaseSettings, size: number) =>
  withClient(settings, async (client) => {
    const files = size / passagesOfFile
    const vectors = Array.from({ length: different }, randomVector)
    await client.query("insert into workspace (id, name) values ('bench', 'bench')")
    await client.query(
      "insert into bot (id, workspace_id, name, signing_secret) values ($1, 'bench', 'bench', '')",
      [botId],
    )
    await client.query(
      `insert into file (bot_id, id, key, content_type, status, owner)
      select $1, n::text, n::text, 'text/plain', 'indexing_completed', '{}'
      from generate_series(1, $2::int) n`,
      [botId, files],
    )
    await client.query(
      `insert into file_index (bot_id, file_id, language, passages, tokens, model, embed_at)
      select $1, n::text, 'english', $3, $3, $4, null from generate_series(1, $2::int) n`,
      [botId, files, passagesOfFile, model],
    )
    await client.query(
      `insert into passage (bot_id, file_id, position, id, subtype, content, tokens, words)
      select $1, n::text, position, gen_random_uuid(), 'paragraph', '', 1, ''
      from generate_series(1, $2::int) n, generate_series(1, $3::int) position`,
      [botId, files, passagesOfFile],
    )
    await client.query(
      `with given as (
        select signs, vector, at
        from unnest($2::text[], $3::bytea[]) with ordinality as given (signs, vector, at)
      )
      insert into passage_vector (bot_id, file_id, position, model, signs, vector)
      select bot_id, file_id, position, $4, given.signs::varbit, given.vector
      from (
        select bot_id, file_id, position, 1 + (row_number() over () % $5::int) as at
        from passage where bot_id = $1
      ) passage join given using (at)`,
      [
        botId,
        vectors.map(toSigns),
        vectors.map(({ buffer }) => Buffer.from(buffer)),
        model,
        different,
      ],
    )
    await client.query('analyze')
  })

const toSigns = (vector: Float32Array) =>
  Array.from(vector, (value) => (value > 0 ? '1' : '0')).join('')

function randomVector(): Float32Array {
  const vector = Float32Array.from(
    { length: dimensions },
    () => Math.random() + Math.random() + Math.random() - 1.5,
  )
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
