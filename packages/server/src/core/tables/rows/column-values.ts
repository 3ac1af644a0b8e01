// Writes the values of a column in many rows, for jobs of tables. A row that is changed meanwhile keeps the
// values that others wrote: each statement sets only its columns.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import type { StoredRow } from './row-types.ts'

interface TableKey {
  bot_id: string
  bot_table_id: string
}

const isIn = ({ bot_id, bot_table_id }: TableKey) =>
  sql`bot_id = ${bot_id} and bot_table_id = ${bot_table_id}`

/** Stores a value in the column of each of these rows, in ascending order of ids. */
export async function storeColumn(
  trx: Db,
  table: TableKey,
  column: string,
  values: (readonly [id: number, value: unknown])[],
): Promise<void> {
  const ids = values.map(([id]) => id)
  await sql`
      update table_row set data = data || jsonb_build_object(${column}::text,
        ${JSON.stringify(Object.fromEntries(values))}::jsonb -> row_id::text)
      where ${isIn(table)}
        and row_id between ${ids[0]!}::bigint and ${ids.at(-1)!}::bigint
        and row_id = any(${ids}::bigint[])`.execute(trx)
}

/** Removes the values of `column` in these rows. Returns those of `other`, by id. */
export async function emptyColumn(
  trx: Db,
  table: TableKey,
  ids: number[],
  { column, other }: { column: string; other: string },
): Promise<{ id: number; value: unknown }[]> {
  const { rows } = await sql<{ id: number; value: unknown }>`
    with emptied as (
      update table_row set data = data - ${column}::text
      where ${isIn(table)} and row_id = any(${ids}::bigint[])
      returning row_id, data
    )
    select row_id::float8 as id, data -> ${other}::text as value from emptied
    order by row_id`.execute(trx)
  return rows
}

interface ClearedColumns {
  /** Columns that lose their values. */
  values: string[]
  /** Columns that lose the results of their computations. */
  marks: string[]
}

/** Clears the columns in the next rows after an id. Returns the last id; null without further rows. */
export async function clearNextRows(
  trx: Db,
  table: TableKey,
  { values, marks }: ClearedColumns,
  { after, limit }: { after: number; limit: number },
): Promise<number | null> {
  const here = isIn(table)
  const { rows } = await sql<{ row_id: string | null }>`
        with piece as (
          select row_id from table_row where ${here} and row_id > ${after} order by row_id
            limit ${limit}
        ), cleared as (
          update table_row r set data = r.data - ${values}::text[], computed = r.computed - ${marks}::text[],
            stale = array(select unnest(r.stale) except select unnest(${marks}::text[]))
          where ${here} and r.row_id = any(array(select row_id from piece))
            and (r.data ?| ${values}::text[] or r.computed ?| ${marks}::text[] or r.stale && ${marks}::text[])
        )
        select max(row_id) as row_id from piece`.execute(trx)
  const last = rows[0]?.row_id
  return last ? Number(last) : null
}

interface SameValues {
  data: Record<string, unknown>
  /** Columns without a value. */
  cleared: string[]
  stale: RawBuilder<unknown>
  /** Rows that would be longer stay as they are. */
  maxBytes: number
}

/** Sets the same values in these rows, in ascending order of ids. Returns the changed rows. */
export async function setSameValues(
  trx: Db,
  table: TableKey,
  ids: number[],
  { data, cleared, stale, maxBytes }: SameValues,
): Promise<StoredRow[]> {
  const { bot_id, bot_table_id } = table
  const { rows } = await sql<StoredRow>`
    update table_row t set data = (t.data || p.data) - p.cleared, updated_at = now(),
      stale = ${stale}
    from (select ${JSON.stringify(data)}::jsonb as data, ${cleared}::text[] as cleared) p
    where t.bot_id = ${bot_id} and t.bot_table_id = ${bot_table_id}
      and t.row_id between ${ids[0]!}::bigint and ${ids.at(-1)!}::bigint
      and t.row_id = any(${ids}::bigint[])
      and octet_length(((t.data || p.data) - p.cleared)::text) <= ${maxBytes}::int
    returning t.*`.execute(trx)
  return rows
}
