// How a table changes after it was made. What its rows hold goes by the ids of columns, so a name changes without touching them; a column that goes, or
// becomes another one, leaves its values behind for a job to remove (jobs.ts).
import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import { isConflict } from '../db/conflicts.ts'
import type { Db } from '../db/open.ts'
import { type Column, type Columns, changeColumns, columnNamed, renameColumn } from './columns.ts'
import { createJob } from './jobs.ts'
import { followersOf } from './row-followers.ts'
import {
  checkTableName,
  findTable,
  keyColumnId,
  type NewTable,
  refuseLongKeys,
  type TableRow,
  type TableViewer,
} from './tables.ts'

export type TableChange = { [Setting in keyof NewTable]?: NewTable[Setting] | undefined }

export interface ChangedTable {
  table: TableRow
  /** Names of computed columns whose values are to be made anew. */
  staleColumns: string[]
}

/** Throws ResourceNotFound, ResourceLockedConflict for what a frozen table does not allow, and what making one throws. */
export function updateTable(
  db: Db,
  viewer: TableViewer,
  idOrName: string,
  change: TableChange,
): Promise<ChangedTable> {
  return changing(db, viewer, idOrName, async (trx, table) => {
    const before = columnsOf(table)
    const after = change.schema ? changeColumns(before, change.schema) : before
    const named = { ...table, name: change.name ?? table.name, frozen: change.frozen ?? table.frozen }
    if (table.frozen && (named.name !== table.name || !named.frozen || !isDeepStrictEqual(before, after)))
      throw frozen()
    if (named.name !== table.name) checkTableName(named.name)
    if ((change.factor ?? table.factor) < table.factor)
      throw new ApiError('InvalidPayload', '`factor` can only be increased')
    const key_column = keyAfter(table, after, change.keyColumn)
    if (key_column !== table.key_column) await rekey(trx, table, key_column)
    const stale = staleAfter(table, after)
    await markStale(trx, table, stale)
    const settings = {
      ...{ name: named.name, frozen: named.frozen, key_column },
      ...(change.factor !== undefined && { factor: change.factor }),
      ...(change.isComputeEnabled !== undefined && { compute_enabled: change.isComputeEnabled }),
      ...(change.tags && { tags: JSON.stringify(change.tags) as never }),
    }
    return { table: await save(trx, table, after, settings), staleColumns: stale.map(({ name }) => name) }
  })
}

/** Throws ResourceNotFound for no such table or column, AlreadyExists, InvalidIdentifier, and ResourceLockedConflict for a frozen table. */
export function renameTableColumn(
  db: Db,
  viewer: TableViewer,
  idOrName: string,
  { name, newName }: { name: string; newName: string },
): Promise<TableRow> {
  return changing(db, viewer, idOrName, async (trx, table) => {
    if (!columnNamed(table.columns, name)) throw new ApiError('ResourceNotFound', 'Column not found')
    if (table.frozen) throw frozen()
    return save(trx, table, renameColumn(columnsOf(table), name, newName), {})
  })
}

/** Its rows and jobs go with it. Throws ResourceNotFound. */
export async function deleteTable(db: Db, viewer: TableViewer, idOrName: string): Promise<void> {
  const { bot_id, bot_table_id } = await findTable(db, viewer, idOrName)
  await db
    .deleteFrom('bot_table')
    .where('bot_id', '=', bot_id)
    .where('bot_table_id', '=', bot_table_id)
    .execute()
}

/** One change after the other; who adds rows meanwhile waits (rows.ts). */
async function changing<T>(
  db: Db,
  viewer: TableViewer,
  idOrName: string,
  work: (trx: Db, table: TableRow) => Promise<T>,
): Promise<T> {
  const { bot_id, bot_table_id } = await findTable(db, viewer, idOrName)
  return db.transaction().execute(async (trx) => {
    await sql`select from bot_table where bot_id = ${bot_id} and bot_table_id = ${bot_table_id} for no key update`.execute(
      trx,
    )
    return work(trx, await findTable(trx, viewer, bot_table_id))
  })
}

async function save(
  trx: Db,
  table: TableRow,
  { document, columns, next }: Columns,
  settings: object,
): Promise<TableRow> {
  const written = {
    schema: JSON.stringify(document),
    columns: JSON.stringify(columns),
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
      throw isConflict(error) ? new ApiError('AlreadyExists', 'A table with this name already exists') : error
    })
  const gone = (isThere: (column: Column) => unknown) => {
    const kept = new Set(columns.filter(isThere).map(({ id }) => id))
    return table.columns.filter((column) => isThere(column) && !kept.has(column.id)).map(({ id }) => id)
  }
  const task = { values: gone(() => true), marks: gone(({ computed }) => computed) }
  if (task.values.length + task.marks.length > 0) await createJob(trx, table, { type: 'clear_column', task })
  const searched = (all: Column[]) => all.filter(({ searchable }) => searchable).map(({ id }) => id)
  if (searched(table.columns).join() !== searched(columns).join())
    await createJob(trx, table, { type: 'clear_vectors', task: {} })
  return saved as TableRow
}

/** Undefined leaves it as it is, by name: where the column becomes another one, that is the key, and where it goes, there is none. */
function keyAfter(
  table: TableRow,
  { columns }: Columns,
  keyColumn: string | null | undefined,
): string | null {
  if (keyColumn !== undefined) return keyColumnId(columns, keyColumn)
  const name = table.columns.find(({ id }) => id === table.key_column)?.name
  return name && columnNamed(columns, name) ? keyColumnId(columns, name) : null
}

/** Throws RelationConflict where two rows have the same value. In two steps: a row's old key may be another one's new key. */
async function rekey(trx: Db, { bot_id, bot_table_id }: TableRow, key: string | null) {
  const here = sql`bot_id = ${bot_id} and bot_table_id = ${bot_table_id}`
  await sql`select from table_counter where ${here} for update`.execute(trx)
  await sql`update table_row set key_value = null where ${here} and key_value is not null`.execute(trx)
  if (key === null) return
  await refuseLongKeys(trx, { bot_id, bot_table_id }, key)
  await sql`update table_row set key_value = data ->> ${key} where ${here} and data ? ${key}`
    .execute(trx)
    .catch((error) => {
      throw isConflict(error)
        ? new ApiError('RelationConflict', 'Two rows have the same value in `keyColumn`')
        : error
    })
}

/** Columns that are computed otherwise now, and those that depend on them, or on what became another column. */
function staleAfter(table: TableRow, { columns }: Columns): Column[] {
  const before = new Map(table.columns.map((column) => [column.id, column]))
  const changed = columns.filter(({ id, name, computed }) =>
    before.has(id) || computed
      ? !isDeepStrictEqual(computed, before.get(id)?.computed)
      : columnNamed(table.columns, name),
  )
  const reached = new Set(changed.flatMap(({ id }) => [id, ...followersOf({ ...table, columns }, id)]))
  return columns.filter(({ id, computed }) => computed && reached.has(id))
}

async function markStale(trx: Db, { bot_id, bot_table_id }: TableRow, columns: Column[]) {
  if (columns.length === 0) return
  const ids = columns.map(({ id }) => id)
  await sql`
    update table_row set stale = array(select unnest(stale) union select unnest(${ids}::text[]))
    where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}`.execute(trx)
}

const columnsOf = ({ schema, columns, next_column }: TableRow): Columns => ({
  document: schema,
  columns,
  next: next_column,
})
const frozen = () =>
  new ApiError('ResourceLockedConflict', 'The table is frozen: its name and columns cannot be changed')
