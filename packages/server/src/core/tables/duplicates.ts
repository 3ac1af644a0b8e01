// Duplicates a table: its columns and, by default, its rows with the same ids.

import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'
import { quotas } from '../usage/index.ts'
import { isSearchable } from './columns.ts'
import type { JobDeps } from './jobs/job-deps.ts'
import { advance, createJob, type JobRow, percent, type TableTasks } from './jobs/jobs.ts'
import { saveTerms } from './rows/row-search.ts'
import type { StoredRow } from './rows/row-types.ts'
import {
  findTable,
  insertTable,
  lookUpTable,
  maxTableNameLength,
  rowCount,
  type TableRow,
  type TableViewer,
  wholeBot,
} from './tables.ts'

interface Duplicate {
  table: TableRow
  /** Row count of the source. */
  rows: number
  /** The job that copies the rows; null if there are none to copy. */
  job: JobRow | null
}

/**
 * Creates an unfrozen copy, even of a frozen table. Throws ResourceNotFound, AlreadyExists,
 * InvalidIdentifier.
 */
export async function duplicateTable(
  db: Db,
  viewer: TableViewer,
  idOrName: string,
  {
    tableName,
    schemaOnly = false,
    factor,
  }: { tableName?: string; schemaOnly?: boolean; factor?: number },
): Promise<Duplicate> {
  const source = await findTable(db, viewer, idOrName)
  const rows = await rowCount(db, source)
  return db.transaction().execute(async (trx) => {
    const name = tableName ?? (await freeName(trx, source))
    const table = await insertTable(trx, {
      ...source,
      name,
      factor: factor ?? source.factor,
      frozen: false,
      integration: viewer.integration,
    })
    if (schemaOnly || rows === 0) return { table, rows, job: null }
    return {
      table,
      rows,
      job: await createJob(trx, table, {
        type: 'duplicate_table',
        task: { from: source.bot_table_id },
      }),
    }
  })
}

/** Returns the first free name of OrderCopyTable, OrderCopy2Table … */
async function freeName(db: Db, { bot_id, name }: TableRow): Promise<string> {
  const stem = name
    .slice(0, -'Table'.length)
    .slice(0, maxTableNameLength - 'Copy99999Table'.length)
  const found = await db
    .selectFrom('bot_table')
    .select('name')
    .where('bot_id', '=', bot_id)
    .where(sql<boolean>`starts_with(name, ${`${stem}Copy`})`)
    .execute()
  const taken = new Set(found.map((table) => table.name))
  for (let number = 1; ; number++) {
    const free = `${stem}Copy${number === 1 ? '' : number}Table`
    if (!taken.has(free)) return free
  }
}

const batchSize = 2_000

/** Copies batches of rows; each transaction also saves the job's position. */
export async function copyRows(
  deps: JobDeps,
  job: JobRow<TableTasks['duplicate_table']>,
): Promise<null> {
  const source = await lookUpTable(deps.db, wholeBot(job.bot_id), job.task.from)
  if (!source)
    throw new ApiError(
      'ResourceNotFound',
      'The source table was deleted before the copy finished',
    )
  const total = await rowCount(deps.db, source)
  for (let position = Number(job.position), done = 0; ; done += batchSize) {
    deps.checkStopped()
    const copy = async (trx: Db) => {
      const copied = await copyPiece(trx, source, job, position)
      if (copied !== null)
        await advance(trx, job, { position: copied, progress: percent(done, total) })
      return copied
    }
    const last = await quotas.within(
      deps,
      { botId: job.bot_id, type: 'table_row_count' },
      ({ db }) => db.transaction().execute(copy),
    )
    if (last === null) return null
    position = last
  }
}

/**
 * Returns the id of the last row of the batch; null at the end. Rows that a caller wrote into the
 * copy in the meantime stay unchanged.
 */
async function copyPiece(
  trx: Db,
  source: TableRow,
  { bot_id, bot_table_id }: JobRow,
  after: number,
): Promise<number | null> {
  await sql`select from table_counter where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}
    for update`.execute(trx)
  const searchable = isSearchable(source)
  const { rows } = await sql<
    Pick<StoredRow, 'row_id' | 'data'> & { last: string | null }
  >`
    with piece as (
      select * from table_row where bot_id = ${bot_id} and bot_table_id = ${source.bot_table_id}
        and row_id > ${after} order by row_id limit ${batchSize}
    ), copied as (
      insert into table_row (bot_id, bot_table_id, row_id, data, computed, stale, key_value, created_at,
        updated_at)
      select bot_id, ${bot_table_id}, row_id, data, computed, stale, key_value, created_at,
        updated_at from piece
      on conflict do nothing returning row_id, data
    ), counted as (
      update table_counter set last_row_id = greatest(last_row_id, (select max(row_id) from piece))
        where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}
    )
    select copied.*, last from (select max(row_id) as last from piece) whole
      left join copied on ${searchable}::boolean`.execute(trx)
  if (rows[0]?.last == null) return null
  if (searchable)
    await saveTerms(
      trx,
      { ...source, bot_table_id },
      rows.filter(({ row_id }) => row_id !== null),
    )
  return Number(rows[0].last)
}
