// findTableRows in tables of very different sizes, compared with the same query in SQL on a table
// with real columns and suitable indexes. The SQL query has no HTTP, JSON or authentication, so a
// request with an empty result is added to it.

import type { RunningServer } from '../botstead-server.ts'
import { type DatabaseSettings, withClient } from '../database.ts'
import { digits, median, printTable, progress, quantile, ratio } from '../report.ts'

const names = (size: number) => `Bench${size}Table`
const words = `(array['red','blue','green','small','large','heavy','light','wooden','metal','paper'])[1
  + i % 10] || ' ' ||
  (array['shoe','sock','hat','coat','glove','scarf','belt'])[1 + i % 7] || ' ' || md5(i::text)`

interface Question {
  name: string
  body: object
  /** The same query in SQL; ROWS stands for the table `bench_rows_<size>`. */
  byHand: string
}

const questions: Question[] = [
  {
    name: 'newest first',
    body: { orderDirection: 'desc' },
    byHand: 'select * from ROWS order by id desc limit 101',
  },
  {
    name: 'equal text',
    body: { filter: { code: 'code 77' } },
    byHand: "select * from ROWS where code = 'code 77' order by id limit 101",
  },
  {
    name: 'equal, a third of the rows',
    body: { filter: { status: 'open' } },
    byHand: "select * from ROWS where status = 'open' order by id limit 101",
  },
  {
    name: 'range and equal',
    body: { filter: { price: { $gte: 500, $lt: 501 }, status: 'open' } },
    byHand:
      "select * from ROWS where price >= 500 and price < 501 and status = 'open' order by id limit 101",
  },
  {
    name: 'sorted by a column',
    body: { orderBy: 'price', orderDirection: 'desc' },
    byHand: 'select * from ROWS order by price desc, id desc limit 101',
  },
  {
    name: 'filtered, sorted by another column',
    body: { filter: { status: 'open' }, orderBy: 'price' },
    byHand: "select * from ROWS where status = 'open' order by price, id limit 101",
  },
  {
    name: 'grouped',
    body: { group: { status: 'key', price: ['sum', 'max'], code: 'count' } },
    byHand:
      'select status, sum(price), max(price), count(code) from ROWS group by status',
  },
  {
    name: 'pattern without an index',
    body: { filter: { code: { $regex: '99$' } } },
    byHand: "select * from ROWS where code ~ '99$' order by id limit 101",
  },
  {
    name: 'pattern with an index',
    body: { filter: { words: { $regex: '^red .*f00d' } } },
    byHand: "select * from ROWS where text ~ '^red .*f00d' order by id limit 101",
  },
  {
    name: 'two words',
    body: { search: 'wooden scarf', limit: 10 },
    byHand: `select *, ts_rank(words, query) as rank from ROWS, to_tsquery('simple', 'wooden & scarf') query
        where words @@ query order by rank desc limit 10`,
  },
  {
    name: 'a word with a typo, and a filter',
    body: { search: 'wodden', filter: { price: { $lt: 10 } }, limit: 10 },
    byHand: `select *, ts_rank(words, query) as rank from ROWS, to_tsquery('simple', 'wooden') query
        where words @@ query and price < 10 order by rank desc limit 10`,
  },
]

export async function measureTableRows(
  server: RunningServer,
  database: DatabaseSettings,
  plan: { sizes: number[]; rounds: number },
) {
  const { credentials, http } = server
  const headers = {
    authorization: `Bearer ${credentials.token}`,
    'x-bot-id': credentials.botId,
  }
  const rows: (string | number)[][] = []
  for (const size of plan.sizes) {
    progress(`filling a table with ${size} rows`)
    await fill(server, database, headers, size)
    progress(`findTableRows of ${size}`)
    await withClient(database, async (client) => {
      for (const { name, body, byHand } of questions) {
        const [ours, hand, empty]: number[][] = [[], [], []]
        const find = (body: object) =>
          http.call('POST', `/v1/tables/${names(size)}/rows/find`, headers, body)
        const ask = () => find(body)
        const askNothing = () => find({ filter: { id: 0 } })
        const query = () => client.query(byHand.replaceAll('ROWS', `bench_rows_${size}`))
        for (let round = -1; round < plan.rounds; round++) {
          const times = [
            await timed(ask),
            await timed(query),
            await timed(askNothing),
          ] as const
          if (round < 0) continue
          ours!.push(times[0])
          hand!.push(times[1])
          empty!.push(times[2])
        }
        const [oursMs, handMs, emptyMs] = [median(ours!), median(hand!), median(empty!)]
        rows.push([
          name,
          size.toLocaleString('en'),
          digits(oursMs),
          digits(quantile(ours!, 0.99)),
          digits(handMs),
          digits(emptyMs),
          ratio(oursMs, handMs + emptyMs),
        ])
      }
    })
  }
  printTable(
    'findTableRows, up to 100 rows',
    [
      '',
      'rows',
      'p50 ms',
      'p99 ms',
      'SQL, p50 ms',
      'empty request, p50 ms',
      'relative to both',
    ],
    rows,
  )
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/**
 * Creates the table and its first row with the API, and inserts the other rows in SQL, in the
 * format of the API.
 */
async function fill(
  { http }: RunningServer,
  database: DatabaseSettings,
  headers: Record<string, string>,
  size: number,
) {
  const schema = {
    code: { type: 'string' },
    status: { type: 'string' },
    price: { type: 'number' },
    sold: { type: 'boolean' },
    words: { type: 'string', searchable: true },
  }
  const made = await http.call<{ table: { id: string } }>('POST', '/v1/tables', headers, {
    name: names(size),
    schema,
  })
  const first = { code: 'code 0', words: 'nothing but typo' }
  await http.call('POST', `/v1/tables/${names(size)}/rows`, headers, { rows: [first] })
  await withClient(database, async (client) => {
    const id = [made.table.id]
    const { rows } = await client.query(
      `select split_part((tsvector_to_array(terms))[1], ':', 1) || ':' as mark from table_row_terms
        where bot_table_id = $1`,
      id,
    )
    const mark = rows[0].mark as string
    await client.query(
      `insert into table_row (bot_id, bot_table_id, row_id, data)
       select bot_id, bot_table_id, i, jsonb_build_object(
         'c1', 'code ' || i, 'c2', (array['open','closed','lost'])[1 + i % 3],
         'c3', (i::bigint * 7919 % 100000) / 100.0, 'c4', i % 2 = 0, 'c5', ${words})
       from bot_table, generate_series(2, ${size}) i where bot_table_id = $1`,
      id,
    )
    await client.query(
      `insert into table_row_terms (bot_id, bot_table_id, row_id, terms)
       select r.bot_id, r.bot_table_id, r.row_id, array_to_tsvector(array(
         select distinct term from unnest(string_to_array(r.data ->> 'c5', ' ')) word,
           lateral (
             select $2 || word
             union all select $2 || '~' || word where length(word) between 4 and 16
             union all select $2 || '~' || overlay(word placing '' from n for 1)
               from generate_series(1, length(word)) n where length(word) between 4 and 16
           ) t (term)))
       from table_row r where bot_table_id = $1 and row_id > 1`,
      [...id, mark],
    )
    await client.query(
      `update table_counter set last_row_id = ${size} where bot_table_id = $1`,
      id,
    )
    const hand = `bench_rows_${size}`
    await client.query(`
      create table ${hand} (
        id bigint primary key, code text, status text, price numeric, sold boolean, text text, words tsvector,
        created_at timestamptz default now());
      insert into ${hand} select i, 'code ' || i, (array['open','closed','lost'])[1 + i % 3],
          (i::bigint * 7919 % 100000) / 100.0, i % 2 = 0, ${words}, to_tsvector('simple', ${words})
        from generate_series(1, ${size}) i;
      create index on ${hand} (code); create index on ${hand} (status, id);
      create index on ${hand} (price, id); create index on ${hand} using gin (words);
      create extension if not exists pg_trgm; create index on ${hand} using gin (text gin_trgm_ops);`)
    await client.query(`vacuum analyze ${hand}`)
    await client.query('vacuum analyze table_row')
    await client.query('vacuum analyze table_row_text')
    await client.query('vacuum analyze table_row_terms')
  })
}
