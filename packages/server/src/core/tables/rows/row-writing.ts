// The statement that writes rows (rows.ts decides when): it updates the rows that it finds, inserts
// the others, and reports those that it can neither update nor insert.
//
// The statistics of a growing table are outdated, and the planner expects one row or none. So the
// joins take the table's id from the input rows and not as a constant: the planner then uses the
// size of all tables, and looks each row up. The columns `changes` and `adds` are booleans for the
// same reason: the planner expects half of the rows for a boolean, and one in two hundred for an
// unknown text.
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import type { Column } from '../columns.ts'
import { bytesPerFactor, maxKeyBytes, type TableRow } from '../tables.ts'
import { idLiteral } from './filter-sql.ts'
import { computedIds, staleAfter } from './row-followers.ts'
import type { RowInput } from './row-input.ts'
import type { StoredRow } from './row-types.ts'

/** How existing rows are found: by number, by the value of a column, or not at all. */
export type RowKey = 'id' | Column | null

export interface WriteOptions {
  by: RowKey
  /** Whether rows that are not found are inserted. */
  adds: boolean
  /** Returns only the numbers of written rows. */
  unseen?: boolean
}

export type RowOutcome =
  | 'inserted'
  | 'updated'
  | 'missing'
  | 'lacks'
  | 'large'
  | 'long'
  | 'taken'
  | 'moved'
type WrittenInput = StoredRow & { n: number; outcome: RowOutcome }

/**
 * Locks the table and checks that its key column is still the expected one. Take this lock before
 * the counter's: changes of a table lock in the same order.
 */
export const asKnown = ({ bot_id, bot_table_id, key_column }: TableRow) =>
  sql`select from bot_table where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}
    and key_column is not distinct from ${key_column} for share`

export const mentions = ({ data, cleared }: RowInput, id: string) =>
  Object.hasOwn(data, id) || cleared.includes(id)
export const getRowKey = (row: RowInput, by: 'id' | Column) =>
  by === 'id' ? row.id : (row.data[by.id] ?? null)

/** In the order of the input. */
export async function writeInput(
  db: Db,
  table: TableRow,
  given: RowInput[],
  { by, adds, unseen = false }: WriteOptions,
): Promise<WrittenInput[]> {
  const { bot_id, bot_table_id, key_column } = table
  const input = given.map((row) => toRecord(row, by, key_column))
  const byKey = by !== null && by !== 'id' && by.id === key_column
  const looksForOthers = key_column !== null && !byKey
  const shown = (row: 't' | 'a' | 'none') => {
    const of = row === 'none' ? sql`(null::table_row)` : sql.raw(row)
    return unseen ? sql`${of}.row_id` : sql`${of}.*`
  }
  const { rows } = await sql<WrittenInput>`
    with as_known as materialized (${asKnown(table)}),
    input as materialized (
      select i.*, ${bot_id}::text as bot_id, ${bot_table_id}::text as bot_table_id,
        data ->> ${key_column} as key_value
        from jsonb_to_recordset(${JSON.stringify(input)}::jsonb) as i (n int, id bigint, data jsonb,
          cleared text[], lacks boolean, key jsonb, sets_key boolean)
    ), judged as (
      select i.*, f.row_id as found, case
        when f.row_id is null and not ${adds}::boolean then 'missing'
        when f.row_id is null and i.lacks then 'lacks'
        when octet_length(((coalesce(f.data, '{}') || i.data) - i.cleared)::text) >
          ${Math.floor(bytesPerFactor * table.factor)}::int then 'large'
        when octet_length(i.key_value) > ${maxKeyBytes}::int then 'long'
        when i.key_value is not null
          and (i.n > min(i.n) over (partition by i.key_value)
            or ${looksForOthers ? isOthers : sql`false`}) then 'taken'
        when f.row_id is null then 'inserted' else 'updated' end as outcome
      from input i left join lateral (${found(byKey ? 'key' : by)}) f on true
        ${looksForOthers ? others : sql``}
    ), planned as materialized (
      select *, outcome = 'updated' as changes, outcome = 'inserted' as adds from judged
    ), changed as (
      update table_row t set data = (t.data || p.data) - p.cleared, updated_at = now(),
        stale = ${staleAfter(table)},
        key_value = case when p.sets_key then p.key_value else t.key_value end
      from planned p where exists (select from as_known) and p.changes and t.bot_id = p.bot_id
        and t.bot_table_id = p.bot_table_id and t.row_id = p.found
      returning p.n, 'updated'::text as outcome, ${shown('t')}
    ), fresh as (
      select *, row_number() over (order by n) as place from planned where adds
    ), counter as (
      update table_counter set last_row_id = last_row_id + (select count(*) from fresh)
      where bot_id = ${bot_id} and bot_table_id = ${bot_table_id} and exists (select from as_known)
        and exists (select from fresh)
      returning last_row_id - (select count(*) from fresh) as before
    ), added as (
      insert into table_row (bot_id, bot_table_id, row_id, data, stale, key_value)
      select fresh.bot_id, fresh.bot_table_id, counter.before + fresh.place, fresh.data,
        ${computedIds(table)}::text[], fresh.key_value
        from fresh, counter order by fresh.place
      on conflict (bot_id, bot_table_id, key_value) do nothing
      returning ${unseen ? sql`row_id` : sql`*`}
    )
    select * from changed
    union all
    select f.n, case when c.before is null then 'moved' when a.row_id is null then 'taken'
      else 'inserted' end, ${shown('a')}
      from fresh f left join counter c on true left join added a on a.row_id = c.before + f.place
    union all
    select p.n, p.outcome, ${shown('none')} from planned p where not p.changes and not p.adds
    union all
    select null, 'moved', ${shown('none')} where not exists (select from as_known)
    order by n`.execute(db)
  return rows
}

/** A row of the statement's input. */
const toRecord = (row: RowInput, by: RowKey, keyColumn: string | null) => ({
  n: row.n,
  id: row.id,
  data: row.data,
  cleared: row.cleared,
  lacks: row.lacks !== null,
  key: by === null ? null : getRowKey(row, by),
  sets_key: keyColumn !== null && mentions(row, keyColumn),
})

/** Finds at most one row: of several with one value in a non-key column, the oldest. */
function found(by: RowKey | 'key') {
  if (by === null) return sql`select null::bigint as row_id, null::jsonb as data`
  return sql`select t.row_id, t.data from table_row t where t.bot_id = i.bot_id
    and t.bot_table_id = i.bot_table_id and ${matches(by)} order by t.row_id limit 1`
}

function matches(by: NonNullable<RowKey> | 'key') {
  if (by === 'id') return sql`t.row_id = i.id`
  return by === 'key' ? sql`t.key_value = i.key_value` : holds(by.id)
}

function holds(columnId: string) {
  const cell = sql`t.data -> ${idLiteral(columnId)}`
  return sql`hashtext(t.bot_table_id) = hashtext(i.bot_table_id) and ${cell} is not null
    and cell_key(${cell}) collate "C" = cell_key(i.key) and ${cell} = i.key`
}

/** Finds the current holder of a key. A row that was found by its key holds it. */
const others = sql`left join table_row o on o.bot_id = i.bot_id and o.bot_table_id = i.bot_table_id
  and o.key_value = i.key_value`
const isOthers = sql`(o.row_id is not null and o.row_id is distinct from f.row_id)`
