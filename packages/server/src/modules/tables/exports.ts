// Streams the rows of a table into a file of the bot: CSV or JSON, optionally compressed. An
// interrupted export restarts from the beginning.
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Upload } from '../files/content-urls.ts'
import { upsertFile } from '../files/files.ts'
import { beginUpload, finishUpload, releaseBlob } from '../files/uploads.ts'
import type { Column } from './columns.ts'
import { csvLine } from './csv.ts'
import type { JobDeps } from './job-runner.ts'
import { advance, JobLost, type JobRow, percent, type TableTasks } from './jobs.ts'
import { type StoredRow, streamRows } from './rows.ts'
import { through, withSpool } from './streams.ts'
import { findTable, rowCount, type TableRow, wholeBot } from './tables.ts'

type ExportJob = JobRow<TableTasks['export']>

export async function exportTable(deps: JobDeps, job: ExportJob): Promise<string> {
  const table = await findTable(deps.db, wholeBot(job.bot_id), job.bot_table_id)
  const { format, compress, owner = { type: 'bot', id: job.bot_id } } = job.task
  const textType = format === 'csv' ? 'text/csv' : 'application/json'
  const contentType = compress ? 'application/gzip' : textType
  const key = `tables/${table.name}-${job.job_id}.${format}${compress ? '.gz' : ''}`
  const file = await upsertFile(deps.db, job.bot_id, {
    key,
    size: 0,
    contentType,
    owner,
    tags: { table: table.name },
  })
  const text = Readable.from(
    format === 'csv' ? csvOf(deps, job, table) : jsonOf(deps, job, table),
    {
      objectMode: false,
    },
  )
  await withSpool(compress ? through(text, createGzip()) : text, async (whole, size) => {
    await advance(deps.db, job, { status: 'finalizing' })
    await store(
      deps,
      { botId: job.bot_id, fileId: file.id, uploadId: file.upload_id, size, contentType },
      whole,
    )
  })
  return file.id
}

/** Throws JobLost if another worker has restarted the export. */
async function store(deps: JobDeps, upload: Upload, content: Readable) {
  const { db, blobs } = deps
  const blob = await beginUpload(db, upload)
  if (blob === null) throw new JobLost()
  try {
    const { sha256 } = await blobs.write(blob, content, upload.size)
    if (!(await finishUpload(deps, upload, blob, sha256))) throw new JobLost()
  } catch (error) {
    await releaseBlob(db, blob)
    throw error
  }
}

async function* csvOf(deps: JobDeps, job: ExportJob, table: TableRow): AsyncGenerator<string> {
  yield csvLine(['id', ...table.columns.map(({ name }) => name), 'createdAt', 'updatedAt'])
  for await (const rows of pagesOf(deps, job, table))
    yield rows
      .map((row) => csvLine(valuesOf(table.columns, row).map(([, value]) => value)))
      .join('')
}

async function* jsonOf(deps: JobDeps, job: ExportJob, table: TableRow): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const rows of pagesOf(deps, job, table)) {
    yield separator +
      rows
        .map((row) => JSON.stringify(Object.fromEntries(valuesOf(table.columns, row))))
        .join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

const valuesOf = (columns: Column[], row: StoredRow): [string, unknown][] => [
  ['id', Number(row.row_id)],
  ...columns.map(({ id, name }): [string, unknown] => [name, row.data[id] ?? null]),
  ['createdAt', row.created_at.toISOString()],
  ['updatedAt', row.updated_at.toISOString()],
]

async function* pagesOf(
  deps: JobDeps,
  job: ExportJob,
  table: TableRow,
): AsyncGenerator<StoredRow[]> {
  const total = await rowCount(deps.db, table)
  let done = 0
  for await (const rows of streamRows(deps.db, table)) {
    deps.checkStopped()
    yield rows
    done += rows.length
    await advance(deps.db, job, { progress: percent(done, total) })
  }
}
