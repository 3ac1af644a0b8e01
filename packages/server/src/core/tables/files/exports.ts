// Streams the rows of a table into a file of the bot: CSV or JSON, optionally compressed. An
// interrupted export restarts from the beginning.
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Db } from '../../db/index.ts'
import { storeFile } from '../../files/index.ts'
import type { Column } from '../columns.ts'
import type { JobDeps } from '../jobs/job-deps.ts'
import { advance, type JobRow, percent, type TableTasks } from '../jobs/jobs.ts'
import { parseFilter } from '../rows/filter.ts'
import { queryTimeouts, withTimeout } from '../rows/query-timeouts.ts'
import { orderBy } from '../rows/row-finder.ts'
import type { OutputRow } from '../rows/row-types.ts'
import { orderedIds, rowsAt } from '../rows/row-views.ts'
import { streamRows } from '../rows/rows.ts'
import { through, withSpool } from '../streams.ts'
import { type FoundTable, findTable, rowCount, wholeBot } from '../tables.ts'
import { csvLine, withoutFormula } from './csv.ts'

type ExportJob = JobRow<TableTasks['export']>
type ExportedRow = Pick<OutputRow, 'row_id' | 'data' | 'created_at' | 'updated_at'>

/** Rows per statement of a filtered or sorted export. */
const pageSize = 1_000

export async function exportTable(deps: JobDeps, job: ExportJob): Promise<string> {
  const table = await findTable(deps.db, wholeBot(job.bot_id), job.bot_table_id)
  const { format, compress, owner = { type: 'bot', id: job.bot_id } } = job.task
  const textType = format === 'csv' ? 'text/csv' : 'application/json'
  const contentType = compress ? 'application/gzip' : textType
  const day = job.created_at.toISOString().slice(0, 10)
  const key = `tables/${job.job_id}/${table.name}-${day}.${format}${compress ? '.gz' : ''}`
  const file = { key, contentType, owner, tags: { table: table.name } }
  const text = Readable.from(
    format === 'csv' ? toCsv(deps, job, table) : toJson(deps, job, table),
    {
      objectMode: false,
    },
  )
  return withSpool(compress ? through(text, createGzip()) : text, async (whole, size) => {
    await advance(deps.db, job, { status: 'finalizing' })
    // Throws JobLost if another worker has restarted the export.
    return storeFile(deps, job.bot_id, { ...file, size }, whole, (save) =>
      deps.database.inTransaction(async (inside) => {
        await advance(inside.db, job, {})
        return save(inside)
      }),
    )
  })
}

async function* toCsv(
  deps: JobDeps,
  job: ExportJob,
  table: FoundTable,
): AsyncGenerator<string> {
  const names = ['id', ...table.columns.map(({ name }) => name), 'createdAt', 'updatedAt']
  const line = job.task.escapesFormulas
    ? (values: unknown[]) => csvLine(values.map(withoutFormula))
    : csvLine
  const cell = toCellFormat(job.task.shortDates ? table.columns : [])
  yield line(names)
  for await (const rows of readPages(deps, job, table))
    yield rows
      .map((row) =>
        line(toValues(table.columns, row).map(([name, value]) => cell(name, value))),
      )
      .join('')
}

const midnight = 'T00:00:00.000Z'

/** Returns the cell of a value. Imports read the short form of a date as the same time. */
function toCellFormat(columns: Column[]) {
  const dates = new Set(
    columns.filter(({ type }) => type === 'date').map(({ name }) => name),
  )
  return (name: string, value: unknown) =>
    dates.has(name) && typeof value === 'string' && value.endsWith(midnight)
      ? value.slice(0, -midnight.length)
      : value
}

async function* toJson(
  deps: JobDeps,
  job: ExportJob,
  table: FoundTable,
): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const rows of readPages(deps, job, table)) {
    yield separator +
      rows
        .map((row) => JSON.stringify(Object.fromEntries(toValues(table.columns, row))))
        .join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

const toValues = (columns: Column[], row: ExportedRow): [string, unknown][] => [
  ['id', Number(row.row_id)],
  ...columns.map(({ id, name }): [string, unknown] => [name, row.data[id] ?? null]),
  ['createdAt', row.created_at.toISOString()],
  ['updatedAt', row.updated_at.toISOString()],
]

async function* readPages(
  deps: JobDeps,
  job: ExportJob,
  table: FoundTable,
): AsyncGenerator<ExportedRow[]> {
  const { rows: source, total } = await readRows(deps.db, table, job.task)
  let done = 0
  for await (const rows of source) {
    deps.checkStopped()
    yield rows
    done += rows.length
    await advance(deps.db, job, { progress: percent(done, total) })
  }
}

const byNumber = [{ by: 'id', direction: 'asc' as const }]

/** All rows by number, or those of a filter in their order, each batch in its current state. */
async function readRows(
  db: Db,
  table: FoundTable,
  { filter, sort }: TableTasks['export'],
) {
  if (!filter && !sort?.length)
    return { rows: streamRows(db, table), total: await rowCount(db, table) }
  const view = {
    condition: parseFilter(filter ?? {}, table.columns),
    orders: (sort?.length ? sort : byNumber).map(({ by, direction }) =>
      orderBy(by, direction, table.columns),
    ),
  }
  const ids = await withTimeout(db, queryTimeouts.order, (trx) =>
    orderedIds(trx, table, view),
  )
  return { rows: pagesAt(db, table, ids), total: ids.length / 4 }
}

async function* pagesAt(
  db: Db,
  table: FoundTable,
  ids: Buffer,
): AsyncGenerator<ExportedRow[]> {
  for (let offset = 0; offset * 4 < ids.length; offset += pageSize)
    yield await rowsAt(db, table, ids, { offset, limit: pageSize - 1 })
}
