// `botstead tables query`, `import` and `export`.
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, RequestError } from '@botstead/client'
import { CliError, UsageError } from '../failure.ts'
import type { Context } from '../server/context.ts'
import { downloadFile, uploadFile } from '../server/file-transfer.ts'
import { retry } from '../server/server-client.ts'
import { writeBody } from '../server/streamed-file.ts'
import { type Columns, printDone, printList, toJson } from '../terminal/printing.ts'
import { openProgress } from '../terminal/progress.ts'

export interface ExportOptions {
  format: 'csv' | 'json'
  escapeFormulas?: boolean
  filter?: string
  output?: string
}

export interface QueryOptions {
  filter?: string
  search?: string
  order?: string
  columns?: string
}

type Row = Record<string, unknown>

const pageSize = 500
const pollMs = 300

export async function query(
  { client, options }: Context<QueryOptions>,
  table: string,
): Promise<void> {
  const { table: found } = await client.tables.getTable({ params: { table } })
  const names = options.columns?.split(',').map((name) => name.trim()) ?? [
    'id',
    ...Object.keys(found.schema.properties),
  ]
  const cells = names.map((name) => [name, (row: Row) => toCell(row[name])])
  const columns = Object.fromEntries(cells) as Columns<Row>
  await printList(readRows(client, table, options), { columns }, options)
}

const toCell = (value: unknown) =>
  typeof value === 'object' && value !== null
    ? toJson(value)
    : (value as string | undefined)

async function* readRows(
  client: Client,
  table: string,
  { filter, search, order, columns }: QueryOptions,
): AsyncGenerator<Row> {
  const [, orderBy, orderDirection] = /^(.+?)(?::(asc|desc))?$/.exec(order ?? '') ?? []
  const condition = toFilter(filter)
  const body = {
    ...(condition && { filter: condition }),
    ...(search !== undefined && { search }),
    ...(orderBy !== undefined && { orderBy }),
    ...(orderDirection !== undefined && {
      orderDirection: orderDirection as 'asc' | 'desc',
    }),
    ...(columns !== undefined && {
      select: columns.split(',').map((name) => name.trim()),
    }),
  }
  for (let offset = 0; ; offset += pageSize) {
    const request = { params: { table }, body: { ...body, limit: pageSize, offset } }
    const { rows, hasMore } = await retry(3, () => client.tables.findTableRows(request))
    yield* rows as Row[]
    if (!hasMore) return
  }
}

/** Parses a filter option. Throws UsageError for a text that is not JSON. */
function toFilter(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    throw new UsageError(`--filter must be a JSON object, not "${text}"`)
  }
}

export async function importRows(
  { client, options }: Context<{ create?: boolean }>,
  table: string,
  file: string,
): Promise<void> {
  await findTable(client, table, options.create === true)
  const stored = await uploadFile(client, file, {
    key: `imports/${table}/${basename(file)}`,
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' || error.code === 'ERR_INVALID_ARG_VALUE'
      ? new CliError(`file ${file} does not exist`)
      : error
  })
  try {
    const request = { params: { table }, body: { fileId: stored.id } }
    const { job } = await client.tables.importTable(request)
    const { warnings = [], leftOut = 0 } = await ended(client, table, job.id)
    for (const warning of warnings) process.stderr.write(`${warning}\n`)
    const { rows } = await client.tables.getTable({ params: { table } })
    const rest = leftOut > 0 ? `; ${leftOut} rows of the file were left out` : ''
    printDone(`${table} has ${rows} rows${rest}`, { rows, leftOut, warnings }, options)
  } finally {
    await client.files.deleteFile({ params: { id: stored.id } }).catch(() => {})
  }
}

async function findTable(client: Client, table: string, creates: boolean): Promise<void> {
  try {
    await client.tables.getTable({ params: { table } })
  } catch (error) {
    if (!creates || !(error instanceof RequestError) || error.status !== 404) throw error
    const schema = { type: 'object', properties: {} }
    await client.tables.createTable({ body: { name: table, schema } })
  }
}

export async function exportRows(
  { client, options }: Context<ExportOptions>,
  table: string,
): Promise<void> {
  const { format, escapeFormulas, output, json } = options
  if (json && output === undefined)
    throw new UsageError(
      '--json describes the file: pass -o <file>; "--format json" exports JSON',
    )
  const filter = toFilter(options.filter)
  const body = {
    format,
    ...(escapeFormulas && { escapeFormulas }),
    ...(filter && { filter }),
  }
  const { job } = await client.platform.exportTableRows({ params: { table }, body })
  const { outputFileId } = await ended(client, table, job.id)
  try {
    await writeBody(await downloadFile(client, outputFileId!), output)
  } finally {
    await client.files.deleteFile({ params: { id: outputFileId! } }).catch(() => {})
  }
  if (output !== undefined) printDone(`Wrote ${output}`, { file: output }, options)
}

async function ended(client: Client, table: string, jobId: string) {
  const progress = openProgress()
  try {
    for (;;) {
      const read = () => client.platform.listTableJobs({ params: { table } })
      const job = (await retry(5, read)).jobs.find(({ id }) => id === jobId)
      if (!job) throw new CliError(`the job ${jobId} of ${table} no longer exists`)
      if (job.status === 'completed') return job
      if (job.status === 'failed')
        throw new CliError(
          `the job failed: ${job.failureReason ?? 'the server gave no reason'}`,
        )
      progress.show(`${job.type} of ${table}, ${Math.round(job.progress ?? 0)} %`)
      await pause(pollMs)
    }
  } finally {
    progress.end()
  }
}
