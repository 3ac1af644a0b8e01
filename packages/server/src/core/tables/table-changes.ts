// Changes tables. Rows store values by column id, so a rename does not touch them. A deleted or
// retyped column leaves its values to a cleanup job (jobs.ts).

import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '@botstead/contract'
import { sql, type Updateable } from 'kysely'
import { type Db, isConflict, type Schema, toJson } from '../db/index.ts'
import {
  type Column,
  type Columns,
  type ConvertibleType,
  changeColumns,
  columnNamed,
  renameColumn,
} from './columns.ts'
import { convertibleColumn, createConversion } from './jobs/conversion-jobs.ts'
import { createJob, type JobRow, type TableTasks } from './jobs/jobs.ts'
import { findFollowers } from './rows/row-followers.ts'
import {
  checkTableName,
  findTable,
  keyColumnId,
  type NewTable,
  rejectLongKeys,
  type TableRow,
  type TableViewer,
} from './tables.ts'

type TableChange = { [Setting in keyof NewTable]?: NewTable[Setting] | undefined }

interface ChangedTable {
  table: TableRow
  /** Names of computed columns that need recomputation. */
  staleColumns: string[]
}

/**
 * Throws ResourceNotFound, ResourceLockedConflict for a forbidden change of a frozen table, and the
 * errors of `createTable`.
 */
export function updateTable(
  db: Db,
  viewer: TableViewer,
  idOrName: string,
  change: TableChange,
): Promise<ChangedTable> {
  return changing(db, viewer, idOrName, async (trx, table) => {
    const before = toColumns(table)
    const after = change.schema ? changeColumns(before, change.schema) : before
    const named = {
      ...table,
      name: change.name ?? table.name,
      frozen: change.frozen ?? table.frozen,
    }
    if (
      table.frozen &&
      (named.name !== table.name || !named.frozen || !isDeepStrictEqual(before, after))
    )
      throw frozen()
    if (named.name !== table.name) checkTableName(named.name)
    if ((change.factor ?? table.factor) < table.factor)
      throw new ApiError('InvalidPayload', '`factor` can only be increased')
    const key_column = keyAfter(table, after, change.keyColumn)
    if (key_column !== table.key_column) await rekey(trx, table, key_column)
    const stale = staleAfter(table, after)
    await markStale(trx, table, stale)
    const settings = {
      name: named.name,
      frozen: named.frozen,
      key_column,
      ...(change.factor !== undefined && { factor: change.factor }),
      ...(change.isComputeEnabled !== undefined && {
        compute_enabled: change.isComputeEnabled,
      }),
      ...(change.tags && { tags: toJson(change.tags) }),
    }
    return {
      table: await save(trx, table, after, settings),
      staleColumns: stale.map(({ name }) => name),
    }
  })
}

/**
 * Throws ResourceNotFound for an unknown table or column, AlreadyExists, InvalidIdentifier, and
 * ResourceLockedConflict for a frozen table.
 */
export function renameTableColumn(
  db: Db,
  viewer: TableViewer,
  idOrName: string,
  { name, newName }: { name: string; newName: string },
): Promise<TableRow> {
  return changing(db, viewer, idOrName, async (trx, table) => {
    if (!columnNamed(table.columns, name))
      throw new ApiError('ResourceNotFound', `Column "${name}" was not found`)
    if (table.frozen) throw frozen()
    return save(trx, table, renameColumn(toColumns(table), name, newName), {})
  })
}

/** Starts a conversion of a column (convert-column.ts). Throws the errors of `renameTableColumn`. */
export function convertTableColumn(
  db: Db,
  viewer: TableViewer,
  idOrName: string,
  { column, type }: { column: string; type: ConvertibleType },
): Promise<JobRow> {
  return changing(db, viewer, idOrName, async (trx, table) => {
    if (table.frozen) throw frozen()
    const before = convertibleColumn(table, column)
    if (before.type === type)
      throw new ApiError('InvalidPayload', `The column "${column}" already has this type`)
    return createConversion(trx, table, before, type)
  })
}

/**
 * Gives a column another type and the id of its converted values. The caller holds the lock of the
 * table. Throws ResourceNotFound if the column was deleted meanwhile, and RelationConflict.
 */
export async function replaceColumn(
  trx: Db,
  table: TableRow,
  { column: id, to, schema }: TableTasks['convert_column'],
): Promise<void> {
  const column = table.columns.find((one) => one.id === id)
  if (!column || table.frozen)
    throw new ApiError(
      'ResourceNotFound',
      'The column was deleted or its table frozen meanwhile',
    )
  const before = toColumns(table)
  const changed = changeColumns(before, { [column.name]: schema })
  const after: Columns = {
    document: changed.document,
    columns: changed.columns.map((one) =>
      one.name === column.name ? { ...one, id: to } : one,
    ),
    next: before.next,
  }
  const key_column = keyAfter(table, after, undefined)
  if (key_column !== table.key_column) await rekey(trx, table, key_column)
  await markStale(trx, table, staleAfter(table, after))
  await save(trx, table, after, { key_column })
}

/** Deletes a table with its rows and jobs. Throws ResourceNotFound. */
export async function deleteTable(
  db: Db,
  viewer: TableViewer,
  idOrName: string,
): Promise<void> {
  const { bot_id, bot_table_id } = await findTable(db, viewer, idOrName)
  await db
    .deleteFrom('bot_table')
    .where('bot_id', '=', bot_id)
    .where('bot_table_id', '=', bot_table_id)
    .execute()
}

/** Serialises changes of a table; inserts of rows wait for the change (rows.ts). */
async function changing<T>(
  db: Db,
  viewer: TableViewer,
  idOrName: string,
  work: (trx: Db, table: TableRow) => Promise<T>,
): Promise<T> {
  const { bot_id, bot_table_id } = await findTable(db, viewer, idOrName)
  return db.transaction().execute(async (trx) => {
    await sql`select from bot_table where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}
      for no key update`.execute(trx)
    return work(trx, await findTable(trx, viewer, bot_table_id))
  })
}

async function save(
  trx: Db,
  table: TableRow,
  { document, columns, next }: Columns,
  settings: Updateable<Schema['bot_table']>,
): Promise<TableRow> {
  const written = {
    schema: toJson(document),
    columns: toJson(columns),
    next_column: next,
    updated_at: sql<Date>`now()`,
  }
  const saved = await trx
    .updateTable('bot_table')
    .set({ ...written, ...settings })
    .where('bot_id', '=', table.bot_id)
    .where('bot_table_id', '=', table.bot_table_id)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error) => {
      throw isConflict(error)
        ? new ApiError('AlreadyExists', 'A table with this name already exists')
        : error
    })
  const removed = (isThere: (column: Column) => unknown) => {
    const kept = new Set(columns.filter(isThere).map(({ id }) => id))
    return table.columns
      .filter((column) => isThere(column) && !kept.has(column.id))
      .map(({ id }) => id)
  }
  const task = { values: removed(() => true), marks: removed(({ computed }) => computed) }
  if (task.values.length + task.marks.length > 0)
    await createJob(trx, table, { type: 'clear_column', task })
  const searched = (all: Column[]) =>
    all.filter(({ searchable }) => searchable).map(({ id }) => id)
  if (searched(table.columns).join() !== searched(columns).join())
    await createJob(trx, table, { type: 'clear_vectors', task: {} })
  return saved as TableRow
}

/**
 * Returns the key column after a change. Undefined keeps it by name: a retyped column stays the
 * key, a deleted one leaves none.
 */
function keyAfter(
  table: TableRow,
  { columns }: Columns,
  keyColumn: string | null | undefined,
): string | null {
  if (keyColumn !== undefined) return keyColumnId(columns, keyColumn)
  const name = table.columns.find(({ id }) => id === table.key_column)?.name
  return name && columnNamed(columns, name) ? keyColumnId(columns, name) : null
}

/**
 * Throws RelationConflict if two rows have the same value. Clears the keys first: the old key of
 * one row may be the new key of another.
 */
async function rekey(trx: Db, { bot_id, bot_table_id }: TableRow, key: string | null) {
  const here = sql`bot_id = ${bot_id} and bot_table_id = ${bot_table_id}`
  await sql`select from table_counter where ${here} for update`.execute(trx)
  await sql`update table_row set key_value = null where ${here} and key_value is not null`.execute(
    trx,
  )
  if (key === null) return
  await rejectLongKeys(trx, { bot_id, bot_table_id }, key)
  await sql`update table_row set key_value = data ->> ${key} where ${here} and data ? ${key}`
    .execute(trx)
    .catch((error) => {
      throw isConflict(error)
        ? new ApiError('RelationConflict', 'Two rows have the same value in `keyColumn`')
        : error
    })
}

/**
 * Returns the columns with a changed computation, and the dependents of these and of retyped
 * columns.
 */
function staleAfter(table: TableRow, { columns }: Columns): Column[] {
  const before = new Map(table.columns.map((column) => [column.id, column]))
  const changed = columns.filter(({ id, name, computed }) =>
    before.has(id) || computed
      ? !isDeepStrictEqual(computed, before.get(id)?.computed)
      : columnNamed(table.columns, name),
  )
  const reached = new Set(
    changed.flatMap(({ id }) => [id, ...findFollowers({ ...table, columns }, id)]),
  )
  return columns.filter(({ id, computed }) => computed && reached.has(id))
}

async function markStale(trx: Db, { bot_id, bot_table_id }: TableRow, columns: Column[]) {
  if (columns.length === 0) return
  const ids = columns.map(({ id }) => id)
  await sql`
    update table_row set stale = array(select unnest(stale) union select unnest(${ids}::text[]))
    where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}`.execute(trx)
}

const toColumns = ({ schema, columns, next_column }: TableRow): Columns => ({
  document: schema,
  columns,
  next: next_column,
})
const frozen = () =>
  new ApiError(
    'ResourceLockedConflict',
    'The table is frozen: its name and columns cannot be changed',
  )
