// Finds rows by a filter, sorted by row number or by columns and then by number. Rows without a
// value come last in both directions. Texts are sorted by their first 64 characters, which the
// index contains.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import type { Column } from '../columns.ts'
import { readRows } from '../table-cache.ts'
import type { FoundTable } from '../tables.ts'
import { type Condition, type FieldPath, parseFilter, parsePath } from './filter.ts'
import {
  cellAt,
  conditionSql,
  keyAt,
  keyLength,
  ofTable,
  textAt,
  timeAt,
} from './filter-sql.ts'
import type { OutputRow } from './row-types.ts'

export interface RowWindow {
  limit: number
  offset: number
}
export interface Order {
  by: FieldPath
  direction: 'asc' | 'desc'
}

type ValuePath = Exclude<FieldPath, { kind: 'system' }>
type OrderByValue = Order & { by: ValuePath }

export const orderBy = (
  path: string,
  direction: 'asc' | 'desc',
  columns: Column[],
): Order => ({
  by: parsePath(path, columns, 'orderBy'),
  direction,
})

/** Of an `OutputRow`. The null for an empty object or list is faster to parse. */
export const outputColumns = sql`row_id, data, created_at, updated_at,
  nullif(computed, '{}') as computed, nullif(stale, '{}') as stale`

/** Returns one row more than the limit if there are more. `orders` is not empty. */
export const findRows = (
  db: Db,
  table: FoundTable,
  condition: Condition,
  orders: Order[],
  window: RowWindow,
): Promise<OutputRow[]> => readRows(db, table, rowsSql(table, condition, orders, window))

/** Returns the latest rows that match the filter. Throws InvalidQuery for a filter that does not fit the table. */
export async function findLatestRows(
  db: Db,
  table: FoundTable,
  filter: Record<string, unknown>,
  limit: number,
): Promise<OutputRow[]> {
  const latest = orderBy('id', 'desc', table.columns)
  const condition = parseFilter(filter, table.columns)
  return findRows(db, table, condition, [latest], { limit, offset: 0 })
}

function rowsSql(
  table: FoundTable,
  condition: Condition,
  orders: Order[],
  { limit, offset }: RowWindow,
): RawBuilder<OutputRow> {
  const most = limit + 1
  const [{ by, direction }] = orders as [Order]
  const to = sql.raw(direction)
  const found = sql`select ${outputColumns} from table_row
    where ${ofTable(table)} and ${conditionSql(condition, table)}`
  if (by.kind === 'system' && by.name === 'id' && isEvery(condition) && offset > 0) {
    // Only the index is read up to the offset.
    const { bot_id, bot_table_id } = table
    return sql`${found} and row_id ${sql.raw(direction === 'asc' ? '>=' : '<=')} (
        select row_id from table_row where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}
          order by row_id ${to} limit 1 offset ${offset}
      ) order by row_id ${to} limit ${most}`
  }
  if (by.kind === 'system')
    return sql`${found} order by ${orderSql(orders, keyOrder)} limit ${most} offset ${offset}`
  const parts = orderedParts(table, condition, orders, offset + most)
  return sql`${parts} limit ${most} offset ${offset}`
}

/**
 * Rows with a value in the first column, which its index contains in their order, then the others.
 * PostgreSQL reads the second part only after the first: the limits keep it from reading both in
 * parallel.
 */
function orderedParts(
  table: FoundTable,
  condition: Condition,
  orders: Order[],
  end: number,
): RawBuilder<unknown> {
  const [{ by, direction }, ...others] = orders as [OrderByValue, ...Order[]]
  const to = sql.raw(direction)
  const found = sql`select ${outputColumns} from table_row
    where ${ofTable(table)} and ${conditionSql(condition, table)}`
  const terms = others.flatMap((order) => toTerms(order, keyOrder))
  const rest = sql.join([...terms, sql`row_id ${to}`])
  return sql`
    (${found} and ${hasValue(by)} order by ${keyOrder(by, to)}, ${rest} limit ${end}) union all
    (${found} and ${hasValue(by)} is not true order by ${rest} limit ${end})`
}

/**
 * Selects the numbers of all rows in an order. Sorted as values of their type: the keys of the index, which
 * give the same order, take longer to make and to compare.
 */
export const orderedIdsSql = (
  table: FoundTable,
  condition: Condition,
  orders: Order[],
): RawBuilder<unknown> => sql`select row_id from table_row
  where ${ofTable(table)} and ${conditionSql(condition, table)}
  order by ${orderSql(orders, typedOrder)}`

/** An order without ties: the number is last, in the direction of the first column. */
function orderSql(orders: Order[], toOrder: ValueOrder): RawBuilder<unknown> {
  const to = sql.raw(orders[0]?.direction ?? 'asc')
  const isById = orders[0]?.by.kind === 'system' && orders[0].by.name === 'id'
  if (isById) return sql`row_id ${to}`
  const terms = orders.flatMap((order) => toTerms(order, toOrder))
  return sql.join([...terms, sql`row_id ${to}`])
}

function toTerms({ by, direction }: Order, toOrder: ValueOrder): RawBuilder<unknown>[] {
  const to = sql.raw(direction)
  if (by.kind !== 'system') return [sql`(${hasValue(by)} is not true)`, toOrder(by, to)]
  return [by.name === 'id' ? sql`row_id ${to}` : sql`${timeAt(by.name)} ${to}`]
}

const isEvery = (condition: Condition) =>
  condition.op === 'all' && condition.of.length === 0

const hasValue = (at: ValuePath): RawBuilder<boolean> =>
  at.kind === 'plain'
    ? conditionSql({ op: 'exists', at })
    : sql`(cell_key(${cellAt(at)}) is not null)`

type ValueOrder = (at: ValuePath, to: RawBuilder<unknown>) => RawBuilder<unknown>

/** Orders the mixed types inside objects: numbers, then texts, then false and true. */
const keyOrder: ValueOrder = (at, to) => {
  if (at.kind === 'plain') return sql`${keyAt(at.id)} ${to}`
  const type = sql`case jsonb_typeof(${cellAt(at)}) when 'number' then 1 when 'string' then 2 else 3 end`
  return sql`${type} ${to}, cell_key(${cellAt(at)}) collate "C" ${to}`
}

/** All cells of a column have its type: a change of the type makes a new column. */
const typedOrder: ValueOrder = (at, to) => {
  if (at.kind === 'deep') return keyOrder(at, to)
  if (at.type === 'number') return sql`${cellAt(at)}::float8 ${to}`
  if (at.type === 'boolean') return sql`${cellAt(at)}::boolean ${to}`
  return sql`left(${textAt(at)}, ${sql.lit(keyLength)}) collate "C" ${to}`
}
