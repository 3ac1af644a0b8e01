// Rows per second of imports (from an uploaded file to the last commit), of exports, and of upserts
// with 1,000 rows per call. Compared with SQL inserts into a table with real columns, without
// indexes and with the indexes that filters and sorting would need.
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import type { RunningServer } from '../botstead-server.ts'
import { type DatabaseSettings, withClient } from '../database.ts'
import { digits, median, printTable, progress, ratio, spread } from '../report.ts'

const inATransaction = 4_000
const inACall = 1_000

interface Job {
  id: string
  status: string
  failureReason?: string
}

const createRows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    code: `code ${i}`,
    price: i / 4,
    open: i % 3 === 0,
    at: new Date(i * 1_000).toISOString(),
    note: 'x'.repeat(60),
  }))

export async function measureImports(
  server: RunningServer,
  database: DatabaseSettings,
  { rows: count, rounds }: { rows: number; rounds: number },
) {
  const rows = createRows(count)
  const csv = [
    'code,price,open,at,note',
    ...rows.map((row) => Object.values(row).join(',')),
  ].join('\n')
  const files = {
    csv: await upload(server, 'bench.csv', csv),
    json: await upload(server, 'bench.json', JSON.stringify(rows)),
  }
  const speeds = {
    csv: [],
    json: [],
    export: [],
    added: [],
    changed: [],
    byHand: [],
    indexed: [],
  } as Record<string, number[]>
  for (let round = 0; round < rounds; round++) {
    progress(`importing ${count} rows, round ${round + 1}`)
    for (const format of ['csv', 'json'] as const) {
      const name = `Import${round}${format}Table`
      await call(server, 'POST', '/v1/tables', { name, schema: {} })
      speeds[format]!.push(
        await speed(count, () =>
          finished(server, name, 'POST', '/import', { fileId: files[format] }),
        ),
      )
      if (format === 'csv')
        speeds.export!.push(
          await speed(count, () => finished(server, name, 'GET', '/export')),
        )
      await call(server, 'DELETE', `/v1/tables/${name}`)
    }
    await call(server, 'POST', '/v1/tables', {
      name: 'CallTable',
      schema: columns,
      keyColumn: 'code',
    })
    const inCalls = rows.slice(0, 10 * inACall)
    speeds.added!.push(await speed(inCalls.length, () => upsert(server, inCalls)))
    speeds.changed!.push(await speed(inCalls.length, () => upsert(server, inCalls)))
    await call(server, 'DELETE', '/v1/tables/CallTable')
    speeds.byHand!.push(await speed(count, () => insertByHand(database, rows, false)))
    speeds.indexed!.push(await speed(count, () => insertByHand(database, rows, true)))
  }
  printSpeeds(speeds, count)
}

function printSpeeds(speeds: Record<string, number[]>, count: number) {
  const [floor, indexed] = [median(speeds.byHand!), median(speeds.indexed!)]
  const line = (name: string, values: number[] = []) => [
    name,
    spread(values),
    ratio(median(values), floor),
    ratio(median(values), indexed),
  ]
  printTable(
    `Rows of a table imported and exported, ${digits(count)} with five columns`,
    ['', 'rows per second', 'relative to SQL', 'relative to SQL with indexes'],
    [
      line('import of CSV, types inferred', speeds.csv),
      line('import of JSON', speeds.json),
      line('export to CSV, compressed', speeds.export),
      line(`upsertTableRows by key, ${digits(inACall)} per call: new rows`, speeds.added),
      line('the same: existing rows', speeds.changed),
      line(`SQL, ${digits(inATransaction)} per transaction`, speeds.byHand),
      line('SQL, with an index for each column and time', speeds.indexed),
    ],
  )
}

const columns = {
  code: { type: 'string' },
  price: { type: 'number' },
  open: { type: 'boolean' },
  at: { type: 'string', format: 'date-time' },
  note: { type: 'string' },
}

async function upsert(server: RunningServer, rows: object[]): Promise<void> {
  for (let from = 0; from < rows.length; from += inACall)
    await call(server, 'POST', '/v1/tables/CallTable/rows/upsert', {
      rows: rows.slice(from, from + inACall),
      keyColumn: 'code',
    })
}

async function speed(count: number, work: () => Promise<void>): Promise<number> {
  const from = performance.now()
  await work()
  return count / ((performance.now() - from) / 1_000)
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const call = <Reply>(
  { http, credentials: { token, botId } }: RunningServer,
  method: Method,
  path: string,
  body?: unknown,
): Promise<Reply> =>
  http.call(method, path, { authorization: `Bearer ${token}`, 'x-bot-id': botId }, body)

async function upload(
  server: RunningServer,
  key: string,
  content: string,
): Promise<string> {
  const { file } = await call<{ file: { id: string; uploadUrl: string } }>(
    server,
    'PUT',
    '/v1/files',
    {
      key,
      size: Buffer.byteLength(content),
      contentType: 'text/plain',
    },
  )
  const reply = await request(file.uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
    body: content,
  })
  await reply.body.dump()
  return file.id
}

async function finished(
  server: RunningServer,
  name: string,
  method: Method,
  path: string,
  body?: object,
): Promise<void> {
  const { job } = await call<{ job: Job }>(
    server,
    method,
    `/v1/tables/${name}${path}`,
    body,
  )
  for (;;) {
    const { jobs } = await call<{ jobs: Job[] }>(server, 'GET', `/v1/tables/${name}/jobs`)
    const now = jobs.find(({ id }) => id === job.id)
    if (now?.status === 'completed') return
    if (now?.status === 'failed') throw new Error(`A job failed: ${now.failureReason}`)
    await pause(20)
  }
}

function insertByHand(
  database: DatabaseSettings,
  rows: object[],
  isIndexed: boolean,
): Promise<void> {
  return withClient(database, async (client) => {
    await client.query('drop table if exists bench_import')
    await client.query(
      `create table bench_import (id bigint generated always as identity primary key, code text, price float8,
        open boolean, at timestamptz, note text, made_at timestamptz default now(),
          changed_at timestamptz default now())`,
    )
    if (isIndexed)
      for (const column of [...Object.keys(columns), 'made_at', 'changed_at'])
        await client.query(`create index on bench_import (${column}, id)`)
    for (let from = 0; from < rows.length; from += inATransaction)
      await client.query(
        `insert into bench_import (code, price, open, at, note)
         select * from jsonb_to_recordset($1::jsonb)
           as r (code text, price float8, open boolean, at timestamptz, note text)`,
        [JSON.stringify(rows.slice(from, from + inATransaction))],
      )
  })
}
