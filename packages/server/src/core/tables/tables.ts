// Owns the tables bot_table and table_counter: the tables of a bot and their columns. Their rows
// are in rows.ts. Invariant: table_row stores values by column id (columns.ts), so that a name is
// never part of a statement.
import { ApiError } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import { type Db, isConflict, type Schema } from '../db/index.ts'
import { newId } from '../lib/index.ts'
import {
  type Column,
  changeColumns,
  columnNamed,
  noColumns,
  type TableDocument,
} from './columns.ts'

/** A database row, with its columns. */
export type TableRow = Omit<Selectable<Schema['bot_table']>, 'schema' | 'columns'> & {
  schema: TableDocument
  columns: Column[]
}

/** A table for reads. */
export type FoundTable = TableRow & {
  /** Differs after each change of the database row. */
  version: string
  /** Ids of the columns with patterns that can use an index. */
  text_columns: string[]
}

/**
 * The viewer of a bot's tables. An integration, named by its alias, sees only the tables that it
 * created.
 */
export interface TableViewer {
  botId: string
  integration: string | null
}

/** Returns the viewer for the bot itself and for background jobs, who see all tables. */
export const wholeBot = (botId: string): TableViewer => ({ botId, integration: null })

export interface NewTable {
  name: string
  schema: Record<string, unknown>
  factor?: number | undefined
  frozen?: boolean | undefined
  keyColumn?: string | null | undefined
  tags?: Record<string, string> | undefined
  isComputeEnabled?: boolean | undefined
}

/** In characters. */
export const maxTableNameLength = 50

export const noTable = (idOrName: string) =>
  new ApiError('ResourceNotFound', `Table "${idOrName}" was not found`)

/** Finds a table by its id or its name, which cannot look like an id. Throws ResourceNotFound. */
export async function findTable(
  db: Db,
  viewer: TableViewer,
  idOrName: string,
): Promise<FoundTable> {
  const found = await lookUpTable(db, viewer, idOrName)
  if (!found) throw noTable(idOrName)
  return found
}

export async function lookUpTable(
  db: Db,
  viewer: TableViewer,
  idOrName: string,
): Promise<FoundTable | undefined> {
  const found = await selectTables(db, viewer)
    .where((is) => is.or([is('bot_table_id', '=', idOrName), is('name', '=', idOrName)]))
    .executeTakeFirst()
  return found as FoundTable | undefined
}

/** Returns the tables that have all these tags, by name. */
export function listTables(
  db: Db,
  viewer: TableViewer,
  tags: Record<string, string>,
): Promise<TableRow[]> {
  const found = selectTables(db, viewer).where(
    sql<boolean>`tags @> ${JSON.stringify(tags)}::jsonb`,
  )
  return found.orderBy('name').execute() as Promise<TableRow[]>
}

/** Ids of the columns of a `bot_table` row with complete texts. */
const textColumns = sql<string[]>`array(
  select column_id from table_text_column c
  where c.bot_id = bot_table.bot_id and c.bot_table_id = bot_table.bot_table_id
    and c.filled_to is null)`

function selectTables(db: Db, { botId, integration }: TableViewer) {
  const all = db
    .selectFrom('bot_table')
    .selectAll()
    .select([sql<string>`xmin::text`.as('version'), textColumns.as('text_columns')])
    .where('bot_id', '=', botId)
  return integration === null ? all : all.where('integration', '=', integration)
}

/** Throws AlreadyExists, InvalidIdentifier, and the errors of `changeColumns`. */
export async function createTable(
  db: Db,
  { botId, integration }: TableViewer,
  given: NewTable,
): Promise<TableRow> {
  const made = changeColumns(noColumns, given.schema)
  return insertTable(db, {
    bot_id: botId,
    integration,
    name: given.name,
    factor: given.factor ?? 1,
    frozen: given.frozen ?? false,
    compute_enabled: given.isComputeEnabled ?? true,

    schema: made.document,
    columns: made.columns,
    next_column: made.next,
    key_column: keyColumnId(made.columns, given.keyColumn),
    tags: given.tags ?? {},
  })
}

/** Inserts a table and its row counter. Throws AlreadyExists, InvalidIdentifier. */
export async function insertTable(
  db: Db,
  table: Omit<TableRow, 'bot_table_id' | 'created_at' | 'updated_at'>,
): Promise<TableRow> {
  checkTableName(table.name)
  const {
    bot_id,
    name,
    factor,
    frozen,
    compute_enabled,
    schema,
    columns,
    next_column,
    key_column,
    tags,
  } = table
  const { integration } = table
  const { rows } = await sql<TableRow>`
    with made as (
      insert into bot_table (bot_id, bot_table_id, name, factor, frozen, compute_enabled, schema, columns,
        next_column, key_column, tags,
        integration)
      values (${bot_id}, ${newId('table')}, ${name}, ${factor}, ${frozen}, ${compute_enabled},
        ${JSON.stringify(schema)}::json, ${JSON.stringify(columns)}::jsonb, ${next_column}, ${key_column},
          ${JSON.stringify(tags)}::jsonb,
        ${integration})
      returning *
    ), counter as (
      insert into table_counter (bot_id, bot_table_id) select bot_id, bot_table_id from made
    )
    select * from made`
    .execute(db)
    .catch((error) => {
      throw isConflict(error)
        ? new ApiError('AlreadyExists', `A table named "${name}" already exists`)
        : error
    })
  return rows[0]!
}

/** Throws InvalidIdentifier. */
export function checkTableName(name: string) {
  if (
    /^[A-Za-z_$]\w*$/.test(name) &&
    name.endsWith('Table') &&
    name.length <= maxTableNameLength
  )
    return
  const rule =
    `use at most ${maxTableNameLength} letters, digits and underscores, begin with a letter and end with ` +
    '"Table"'
  throw new ApiError(
    'InvalidIdentifier',
    `Invalid table name "${name.slice(0, 100)}": ${rule}`,
  )
}

export const keyTypes: readonly string[] = ['string', 'number', 'boolean', 'date']

/** Throws InvalidPayload. */
export function keyColumnId(
  columns: Column[],
  name: string | null | undefined,
): string | null {
  if (name === null || name === undefined) return null
  const column = columnNamed(columns, name)
  if (!column || column.computed || !keyTypes.includes(column.type))
    throw new ApiError(
      'InvalidPayload',
      `\`keyColumn\` must name a stored string, number, boolean or date column; "${name}" is not one`,
    )
  return column.id
}

/** Maximum bytes of a row, per unit of the table's factor. */
export const bytesPerFactor = 4_096

/** In bytes: index entries have a limited size. */
export const maxKeyBytes = 1_024

/** Throws LimitExceeded if a row's value in this column is too long for a key. */
export async function rejectLongKeys(
  db: Db,
  { bot_id, bot_table_id }: Pick<TableRow, 'bot_id' | 'bot_table_id'>,
  columnId: string,
) {
  const { rows } = await sql`
    select from table_row where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}
      and octet_length(data ->> ${columnId}) > ${maxKeyBytes} limit 1`.execute(db)
  if (rows.length > 0)
    throw new ApiError(
      'LimitExceeded',
      `A value of the key column may have at most ${maxKeyBytes} bytes`,
    )
}

/** Returns the row count, which triggers keep exact. */
export async function rowCount(
  db: Db,
  { bot_id, bot_table_id }: Pick<TableRow, 'bot_id' | 'bot_table_id'>,
): Promise<number> {
  const counter = db
    .selectFrom('table_counter')
    .select('row_count')
    .where('bot_id', '=', bot_id)
    .where('bot_table_id', '=', bot_table_id)
  return Number((await counter.executeTakeFirst())?.row_count ?? 0)
}

/** Returns the row counts of all tables of a bot. */
export async function rowCounts(
  db: Db,
  botId: string,
): Promise<{ id: string; rows: number }[]> {
  const { rows } = await sql<{ id: string; rows: number }>`
    select bot_table_id as id, row_count::float8 as rows
    from table_counter where bot_id = ${botId}`.execute(db)
  return rows
}

/**
 * Creates the table if no table has this id or name. Throws the errors of `createTable`; also
 * AlreadyExists if the table is hidden from the viewer, because names are unique within a bot.
 */
export async function getOrCreateTable(
  db: Db,
  viewer: TableViewer,
  { name, ...given }: NewTable,
): Promise<{ table: TableRow; created: boolean }> {
  const found = await lookUpTable(db, viewer, name)
  if (found) return { table: found, created: false }
  try {
    return { table: await createTable(db, viewer, { name, ...given }), created: true }
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== 'AlreadyExists') throw error
    // A concurrent request has created it.
    const table = await lookUpTable(db, viewer, name)
    if (!table) throw error
    return { table, created: false }
  }
}

interface TableCounts {
  rows: number
  /** Rows with stale computed values. */
  stale: number
  /** Rows that await new search terms. */
  indexing: number
}

export async function countRows(
  db: Db,
  { bot_id, bot_table_id }: Pick<TableRow, 'bot_id' | 'bot_table_id'>,
): Promise<TableCounts> {
  const { rows } = await sql<TableCounts>`
    select c.row_count::float8 as rows,
      (select count(*)::float8 from table_row r where r.bot_id = c.bot_id and r.bot_table_id = c.bot_table_id
        and r.stale <> '{}') as stale,
      (select count(*)::float8 from table_row r where r.bot_id = c.bot_id and r.bot_table_id = c.bot_table_id
        and r.row_id > (
        select min(j.position) from table_job j
        where j.bot_id = c.bot_id and j.bot_table_id = c.bot_table_id and j.type = 'clear_vectors'
          and j.status in ('pending', 'in_progress')
      )) as indexing
    from table_counter c
    where c.bot_id = ${bot_id} and c.bot_table_id = ${bot_table_id}`.execute(db)
  return rows[0] ?? { rows: 0, stale: 0, indexing: 0 }
}

/** Returns the id of a column that the table gets later. The caller holds the lock of the table. */
export async function reserveColumn(trx: Db, table: TableRow): Promise<string> {
  await trx
    .updateTable('bot_table')
    .set({ next_column: table.next_column + 1 })
    .where('bot_id', '=', table.bot_id)
    .where('bot_table_id', '=', table.bot_table_id)
    .execute()
  return `c${table.next_column}`
}
