// Pages of rows at any position of a filtered and sorted table. PostgreSQL would read all rows before
// the page. So the numbers of all rows of a view are kept in their order, four bytes each, and a page
// reads only its own rows. The numbers are read again after a change of the table, at most a fifth of
// the time: until then, a page shows the current rows at their earlier positions. Reading them may take
// longer than a page, because all pages of the view wait for it together.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Database, Db } from '../../db/index.ts'
import { readRows } from '../table-cache.ts'
import type { FoundTable } from '../tables.ts'
import type { Condition } from './filter.ts'
import { ofTable } from './filter-sql.ts'
import { queryTimeouts, withTimeout } from './query-timeouts.ts'
import {
  findRows,
  type Order,
  orderedIdsSql,
  outputColumns,
  type RowWindow,
} from './row-finder.ts'
import type { OutputRow } from './row-types.ts'

interface RowView {
  condition: Condition
  orders: Order[]
}

export interface RowViews {
  /** Returns one row more than the limit if there are more. Throws the errors of `readRows`. */
  find(table: FoundTable, view: RowView, window: RowWindow): Promise<OutputRow[]>
}

interface Numbers {
  /** Big-endian integers. */
  ids: Buffer
  /** Equal as long as the table has the same rows with the same values. */
  stamp: string
  readAt: number
  tookMs: number
}

/** PostgreSQL finds the rows before this position quickly. */
const nearRows = 2_000
const maxRows = 5_000_000
const maxKeptBytes = 64_000_000
const maxKeptMs = 60_000
/** Views that are read at a time. The pages of others are found without their numbers. */
const maxReading = 2
const maxSlow = 1_000

export function createRowViews({ db, finds }: Pick<Database, 'db' | 'finds'>): RowViews {
  const kept = new Map<string, Numbers>()
  /** Views that took too long, with the time of the next attempt. */
  const slow = new Map<string, number>()
  const reading = new Map<string, Promise<Numbers | undefined>>()

  const keep = (key: string, numbers: Numbers) => {
    kept.delete(key)
    kept.set(key, numbers)
    let bytes = [...kept.values()].reduce((sum, { ids }) => sum + ids.length, 0)
    for (const [oldest, { ids }] of kept) {
      if (bytes <= maxKeptBytes) return
      kept.delete(oldest)
      bytes -= ids.length
    }
  }
  const markSlow = (key: string) => {
    if (slow.size >= maxSlow) slow.clear()
    slow.set(key, performance.now() + maxKeptMs)
  }
  /** Returns undefined for a view with numbers that cannot be kept now. */
  const getNumbers = async (
    table: FoundTable,
    view: RowView,
  ): Promise<Numbers | undefined> => {
    const key = JSON.stringify([table.bot_id, table.bot_table_id, table.version, view])
    const { stamp, rows } = await findState(finds, table)
    const known = kept.get(key)
    if (known && isCurrent(known, stamp)) return known
    const running = reading.get(key)
    if (running) return running
    const isSlow = (slow.get(key) ?? 0) > performance.now()
    if (isSlow || rows > maxRows || reading.size >= maxReading) return undefined
    const next = readNumbers(db, table, view, stamp)
      .then(
        (numbers) => {
          keep(key, numbers)
          return numbers
        },
        (error) => {
          if (!isTimeout(error)) throw error
          markSlow(key)
          return undefined
        },
      )
      .finally(() => reading.delete(key))
    reading.set(key, next)
    return next
  }
  return {
    async find(table, view, window) {
      const { limit, offset } = window
      const direct = () => findRows(finds, table, view.condition, view.orders, window)
      if (offset + limit <= nearRows) {
        // The next page may be anywhere. An error occurs again there, where it is reported.
        if (offset === 0) getNumbers(table, view).catch(() => {})
        return direct()
      }
      const numbers = await getNumbers(table, view)
      return numbers ? rowsAt(finds, table, numbers.ids, window) : direct()
    },
  }
}

const isTimeout = (error: unknown) =>
  error instanceof ApiError && error.type === 'OperationTimeout'

function isCurrent({ stamp, readAt, tookMs }: Numbers, current: string): boolean {
  const age = performance.now() - readAt
  return age < maxKeptMs && (stamp === current || age < tookMs * 5)
}

/** Triggers count the rows; the latest change is the first entry of an index. */
async function findState(
  db: Db,
  table: FoundTable,
): Promise<{ stamp: string; rows: number }> {
  const { bot_id, bot_table_id } = table
  const { rows } = await sql<{ rows: number; last: string; changed: string | null }>`
    select row_count::float8 as rows, last_row_id::text as last, (
      select updated_at::text from table_row where ${ofTable(table)}
        order by table_row.updated_at desc, row_id desc limit 1) as changed
    from table_counter where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}`.execute(
    db,
  )
  return { stamp: JSON.stringify(rows[0] ?? null), rows: rows[0]?.rows ?? 0 }
}

async function readNumbers(
  db: Db,
  table: FoundTable,
  view: RowView,
  stamp: string,
): Promise<Numbers> {
  const begun = performance.now()
  const ids = await withTimeout(db, queryTimeouts.order, (trx) =>
    orderedIds(trx, table, view),
  )
  const readAt = performance.now()
  return { ids, stamp, readAt, tookMs: readAt - begun }
}

/** Returns the numbers of all rows of a view as big-endian integers of four bytes. */
export async function orderedIds(
  db: Db,
  table: FoundTable,
  { condition, orders }: RowView,
): Promise<Buffer> {
  const [found] = await readRows(
    db,
    table,
    sql<{ ids: Buffer | null }>`
      select string_agg(int4send(row_id::int4), ''::bytea) as ids
      from (${orderedIdsSql(table, condition, orders)}) r`,
  )
  return found?.ids ?? Buffer.alloc(0)
}

/** Rows that were deleted meanwhile are left out. */
export function rowsAt(
  db: Db,
  table: FoundTable,
  ids: Buffer,
  { limit, offset }: RowWindow,
): Promise<OutputRow[]> {
  const end = Math.min(ids.length / 4, offset + limit + 1)
  const page = Array.from({ length: Math.max(0, end - offset) }, (_, i) =>
    ids.readInt32BE((offset + i) * 4),
  )
  const { bot_id, bot_table_id } = table
  return readRows(
    db,
    table,
    sql<OutputRow>`select ${outputColumns} from table_row
      where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}
        and row_id = any(${page}::bigint[])
      order by array_position(${page}::bigint[], row_id)`,
  )
}
