// Job that adds the rows of a file to a table: some thousands per transaction, together with the
// job's position, so an interrupted import resumes where it was. First it adds missing columns,
// with types inferred from the first records. It skips invalid records and reports their location.
import { ApiError } from '@botstead/contract'
import { storableText } from '@botstead/lib'
import type { Database, Db } from '../../db/index.ts'
import { fileStore } from '../../files/index.ts'
import { quotas } from '../../usage/index.ts'
import { isTaken } from '../column-names.ts'
import { columnNamed, maxColumns } from '../columns.ts'
import type { JobDeps } from '../jobs/job-deps.ts'
import {
  advance,
  type JobRow,
  listed,
  percent,
  type RejectedRow,
  type TableTasks,
} from '../jobs/jobs.ts'
import { parseRows } from '../rows/row-input.ts'
import { insertRows, lockTable } from '../rows/rows.ts'
import { updateTable } from '../table-changes.ts'
import { findTable, type TableRow, wholeBot } from '../tables.ts'
import {
  type ColumnSelection,
  type FileRecord,
  openRecords,
  type RecordFile,
} from './file-records.ts'
import { inferColumns } from './inference.ts'
import { parseExactJson } from './json-records.ts'
import type { Workbooks } from './workbooks.ts'

type ImportJob = JobRow<TableTasks['import']>

/** Per transaction. The types of new columns are inferred from the first batch. */
const maxRecords = 4_000
const maxCharacters = 1_048_576

export async function importFile(
  deps: JobDeps & { workbooks: Pick<Workbooks, 'read'> },
  job: ImportJob,
): Promise<null> {
  const { key, blob, size, contentType } = await requireContent(deps.db, job)
  const tenant = await findWorkspace(deps.db, job)
  const selection = await selectColumns(deps.db, job)
  let bytes = 0
  const content = await deps.blobs.read(blob)
  const counted = async function* () {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      bytes += chunk.length
      yield chunk
    }
  }
  let file: RecordFile | undefined
  try {
    file = await openRecords({
      content: counted(),
      key,
      contentType,
      ...selection,
      readWorkbook: (whole) =>
        deps.workbooks.read({ content: whole, size, tenant }, 'import'),
    })
    await importRecords(deps, job, file, () => percent(bytes, size))
    return null
  } finally {
    content.destroy()
    await file?.close()
  }
}

async function selectColumns(db: Db, job: ImportJob): Promise<ColumnSelection> {
  const { columns } = job.task
  if (columns) return { chosen: new Set(Object.keys(columns)) }
  const table = await findTable(db, wholeBot(job.bot_id), job.bot_table_id)
  return { known: new Set(table.columns.map(({ name }) => name)) }
}

async function importRecords(
  deps: JobDeps,
  job: ImportJob,
  file: RecordFile,
  progressNow: () => number,
): Promise<void> {
  const state = { skipped: job.task.left ?? 0, number: 0 }
  const seen = new Set<string>()
  const batches = readBatches(mapped(file, job.task.columns), progressNow)
  for await (const { records, progress } of prefetched(batches)) {
    deps.checkStopped()
    if (!job.task.columns) await addColumns(deps, job, file, records, seen)
    await addWarnings(deps, job, file.notes)
    const from = state.number
    state.number += records.length
    const rest = records.slice(Math.max(0, Number(job.position) - from))
    if (rest.length > 0) await addRows(deps, job, file, rest, state, progress)
  }
  if (state.number === 0)
    throw new ApiError('InvalidDataFormat', 'The file has no rows below its column names')
  await addWarnings(deps, job, file.notes)
}

/** Adds those that the job does not have yet: it may have been interrupted. */
async function addWarnings({ db }: JobDeps, job: ImportJob, texts: Iterable<string>) {
  const warnings = [...texts].filter((text) => !job.warnings.includes(text))
  if (warnings.length === 0) return
  job.warnings = [...job.warnings, ...warnings]
  await advance(db, job, { warnings })
}

async function findWorkspace(db: Db, { bot_id }: ImportJob): Promise<string> {
  const bot = await db
    .selectFrom('bot')
    .select('workspace_id')
    .where('id', '=', bot_id)
    .executeTakeFirst()
  return bot?.workspace_id ?? bot_id
}

async function requireContent(db: Db, job: ImportJob) {
  const found = await fileStore
    .findContent(db, job.bot_id, job.input_file_id ?? '', {
      publicOnly: false,
    })
    .catch(() => null)
  if (!found) throw new ApiError('ResourceNotFound', 'The file has no content')
  return found
}

interface Batch {
  records: FileRecord[]
  /** In percent, at the end of the batch. */
  progress: number
}

/** Limits batches by count and by size, so that a hostile file cannot fill the memory. */
async function* readBatches(
  { records }: RecordFile,
  progress: () => number,
): AsyncGenerator<Batch> {
  let batch: FileRecord[] = []
  let size = 0
  for await (const record of records) {
    batch.push(record)
    size += record.size
    if (batch.length < maxRecords && size < maxCharacters) continue
    yield { records: batch, progress: progress() }
    batch = []
    size = 0
  }
  if (batch.length > 0) yield { records: batch, progress: progress() }
}

/** Reads the next batch while the caller processes the current one. */
async function* prefetched<T>(all: AsyncGenerator<T>): AsyncGenerator<T> {
  const begin = () => {
    const next = all.next()
    // its error surfaces when it is awaited
    next.catch(() => {})
    return next
  }
  let next = begin()
  for (let one = await next; !one.done; one = await next) {
    next = begin()
    yield one.value
  }
}

/**
 * Adds columns for the names of a batch that no earlier batch has: `seen`. A frozen table gets no columns;
 * values of unknown columns are ignored.
 */
async function addColumns(
  deps: JobDeps,
  job: ImportJob,
  { format }: RecordFile,
  records: FileRecord[],
  seen: Set<string>,
) {
  const given = records.flatMap(({ values, wrong }) =>
    wrong === undefined ? [values] : [],
  )
  const names = new Set(
    given.flatMap((values) => Object.keys(values)).filter((name) => !seen.has(name)),
  )
  if (names.size === 0) return
  for (const name of names) seen.add(name)
  const { db } = deps
  const table = await findTable(db, wholeBot(job.bot_id), job.bot_table_id)
  const isKnown = (name: string) =>
    isTaken(name) || columnNamed(table.columns, name) !== undefined
  const columns = table.frozen
    ? {}
    : inferColumns(given, isKnown, maxColumns - table.columns.length, format !== 'csv')
  if (Object.keys(columns).length > 0)
    await updateTable(db, wholeBot(job.bot_id), job.bot_table_id, {
      schema: { type: 'object', properties: columns },
    })
  const lost = [...names].filter(
    (name) => !isKnown(name) && !Object.hasOwn(columns, name),
  )
  if (lost.length > 0) await addWarnings(deps, job, [ignored(lost)])
}

const ignored = (names: string[]) =>
  `Ignored the values of unknown columns: ${names
    .slice(0, 20)
    .map((name) => `"${name}"`)
    .join(', ')}`

/** Adds the rows and saves the job's position in one transaction. */
async function addRows(
  deps: JobDeps,
  job: ImportJob,
  file: RecordFile,
  records: FileRecord[],
  state: { skipped: number; number: number },
  progress: number,
) {
  const within = { botId: job.bot_id, type: 'table_row_count' as const }
  const add = async ({ db }: Database) => {
    const table = await findTable(db, wholeBot(job.bot_id), job.bot_table_id)
    // before any key is checked, so that no concurrent request takes one
    await lockTable(db, table)
    const rejected = await insertRecords(db, table, file, records)
    const left = state.skipped + rejected.length
    const task = { ...job.task, left, changed: state.number - left }
    await advance(db, job, {
      position: state.number,
      progress,
      task,
      ...listed(rejected, state.skipped),
    })
    return left
  }
  state.skipped = await quotas.within(deps, within, (inside) => inside.inTransaction(add))
}

/** Returns the rejected records in the order of the file. */
async function insertRecords(
  db: Db,
  table: TableRow,
  { format }: RecordFile,
  records: FileRecord[],
): Promise<RejectedRow[]> {
  const usable = records.filter(({ wrong }) => wrong === undefined)
  const read = parseRows(
    table,
    usable.map(({ values }) => (format === 'json' ? values : fromTexts(table, values))),
  )
  const errors = await insertRows(db, table, read.rows)
  const problems = new Map(
    [...read.errors, ...errors].map((error) => {
      const [, n, problem] = /^rows\[(\d+)\]: (.*)$/s.exec(error)!
      return [usable[Number(n)]!, problem!]
    }),
  )
  return records.flatMap((record) => {
    const problem = record.wrong ?? problems.get(record)
    return problem === undefined ? [] : [toRejected(record, problem)]
  })
}

/** Larger records are listed without their values. */
const maxKeptCharacters = 4_000

function toRejected(
  { place, size, values, extra }: FileRecord,
  problem: string,
): RejectedRow {
  const row = { place, problem: storableText(problem, 500) }
  if (size > maxKeptCharacters) return { ...row, values: {} }
  return { ...row, values, ...(extra && { extra }) }
}

/** Renames the columns of a file, and leaves out those without a new name. */
function mapped(
  file: RecordFile,
  columns: Record<string, string> | undefined,
): RecordFile {
  if (!columns) return file
  const renamed = (values: FileRecord['values']) =>
    Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) =>
        Object.hasOwn(columns, name) ? [[columns[name]!, value]] : [],
      ),
    )
  const rename = async function* () {
    for await (const record of file.records)
      yield { ...record, values: renamed(record.values) }
  }
  return { ...file, records: rename() }
}

/**
 * Converts CSV texts for columns of other types. A text that does not convert stays text, and is
 * rejected as such.
 */
function fromTexts(
  { columns }: TableRow,
  values: Record<string, unknown>,
): Record<string, unknown> {
  const entries = Object.entries(values).map(([name, text]) => {
    const type = columnNamed(columns, name)?.type
    if (type === 'boolean') return [name, truths.get(String(text).toLowerCase()) ?? text]
    if (type === 'object' || type === 'array') return [name, parsed(String(text))]
    return [name, text]
  })
  return Object.fromEntries(entries)
}

const truths = new Map([
  ['true', true],
  ['false', false],
])

function parsed(text: string): unknown {
  const result = parseExactJson(text)
  return 'value' in result ? result.value : text
}
