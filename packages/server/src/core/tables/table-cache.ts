// Caches tables for reads, so that a request needs one round trip. The statement that reads rows
// also checks that its table is unchanged. So a cached table needs no invalidation, also when
// another server changes it.

import { openCache } from '@botstead/lib'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/index.ts'
import { type FoundTable, findTable, type TableViewer } from './tables.ts'

export interface TableCache {
  /**
   * Calls `read` with the table, which may be outdated, and again if it is. So `read` must be
   * repeatable and query with `readRows`. Throws ResourceNotFound.
   */
  use<T>(
    viewer: TableViewer,
    idOrName: string,
    read: (table: FoundTable) => Promise<T>,
  ): Promise<T>
}

const settings = { size: 2_000, ttlMs: 600_000 }
/** Larger tables are not cached; this bounds the memory. */
const maxCachedCharacters = 20_000

export function createTableCache(db: Db): TableCache {
  const load = (key: string) => {
    const [botId, integration, idOrName] = JSON.parse(key) as [
      string,
      string | null,
      string,
    ]
    return findTable(db, { botId, integration }, idOrName)
  }
  const keeps = ({ schema, columns }: FoundTable) =>
    JSON.stringify([schema, columns]).length <= maxCachedCharacters
  const tables = openCache(load, { ...settings, keeps })
  return {
    async use({ botId, integration }, idOrName, read) {
      const key = JSON.stringify([botId, integration, idOrName])
      for (;;) {
        const table = await tables.get(key)
        try {
          return await read(table)
        } catch (error) {
          // An outdated table can cause any error, such as an unknown column.
          const current = await load(key)
          if (current.version === table.version) throw error
          tables.invalidate((other) => other === key)
        }
      }
    },
  }
}

/** Throws TableChanged if the table was changed or deleted after it was read. */
export const checkUnchanged = async (db: Db, table: FoundTable): Promise<void> =>
  void (await readRows(db, table, sql`select`))

class TableChanged extends Error {}

/** Queries a table's rows. Throws TableChanged like `checkUnchanged`. */
export async function readRows<Row>(
  db: Db,
  { bot_id, bot_table_id, version }: FoundTable,
  query: RawBuilder<Row>,
): Promise<Row[]> {
  const { rows } = await sql<Row & { is_row: true | null }>`
    select r.* from (
      select from bot_table where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}
        and xmin::text = ${version}
    ) t left join lateral (select true as is_row, q.* from (${query}) q) r on true`.execute(
    db,
  )
  if (rows.length === 0) throw new TableChanged('The table was changed or deleted')
  return rows[0]!.is_row ? rows : []
}
