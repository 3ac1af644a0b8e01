// Rows of bots with many vectors, stored in large batches.
import type pg from 'pg'
import type { FileFilter } from '../../../packages/server/dist/core/files/index.js'

export const model = 'simulated'
const passagesOfFile = 100
const batch = 20
/** One file of a hundred has it. */
export const rareTag: FileFilter['tags'] = [['rare', { in: ['yes'] }]]

/** Stores a bot with passages whose vectors `toVector` makes, by the key "<file> <position>". */
export async function fillBot(
  client: pg.Client,
  botId: string,
  passages: number,
  toVector: (key: string) => Float32Array,
) {
  const files = Math.ceil(passages / passagesOfFile)
  await client.query(
    `insert into workspace (id, name) values ('bench', 'bench') on conflict do nothing`,
  )
  await client.query(
    "insert into bot (id, workspace_id, name, signing_secret) values ($1, 'bench', 'bench', '')",
    [botId],
  )
  // Rows of the bench refer to rows of the bench: without this, most of the time is for checking that.
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into file (bot_id, id, key, content_type, status, owner, tags)
    select $1, 'file_' || n, n::text, 'text/plain', 'indexing_completed', '{}',
      case when n % 100 = 0 then '{"rare": "yes"}' else '{}' end::jsonb
    from generate_series(1, $2::int) n`,
    [botId, files],
  )
  await client.query(
    `insert into file_index (bot_id, file_id, language, passages, vectors, tokens, model, embed_at)
    select $1, 'file_' || n, 'english', $3, $3, $3, $4, null from generate_series(1, $2::int) n`,
    [botId, files, passagesOfFile, model],
  )
  for (let first = 1; first <= files; first += batch)
    await storePassages(
      client,
      botId,
      { first, last: Math.min(first + batch - 1, files) },
      toVector,
    )
  await client.query('set session_replication_role = default')
}

async function storePassages(
  client: pg.Client,
  botId: string,
  { first, last }: { first: number; last: number },
  toVector: (key: string) => Float32Array,
) {
  const keys = Array.from({ length: (last - first + 1) * passagesOfFile }, (_, at) => ({
    fileId: `file_${first + Math.floor(at / passagesOfFile)}`,
    position: 1 + (at % passagesOfFile),
  }))
  const vectors = keys.map(({ fileId, position }) => toVector(`${fileId} ${position}`))
  await client.query(
    `with given as (
      select * from unnest($2::text[], $3::int[], $4::text[], $5::bytea[])
        as given (file_id, position, signs, vector)
    ), stored as (
      insert into passage (bot_id, file_id, position, id, subtype, content, tokens, words)
      select $1, file_id, position, gen_random_uuid(), 'paragraph', '', 1, '' from given
    )
    insert into passage_vector (bot_id, file_id, position, model, signs, vector)
    select $1, file_id, position, $6, signs::varbit, vector from given`,
    [
      botId,
      keys.map(({ fileId }) => fileId),
      keys.map(({ position }) => position),
      vectors.map(toSigns),
      vectors.map(({ buffer }) => Buffer.from(buffer)),
      model,
    ],
  )
}

const toSigns = (vector: Float32Array) =>
  Array.from(vector, (value) => (value > 0 ? '1' : '0')).join('')
