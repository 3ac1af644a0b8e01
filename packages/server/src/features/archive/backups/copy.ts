// Copies all rows of a database into another one with the same schema and without rows, in one
// transaction, and compares the numbers of rows.
import type pg from 'pg'
import type { Database } from '../../../core/db/index.ts'
import { ArchiveError } from '../format/archive-error.ts'
import {
  type CatalogTable,
  quoted,
  readTables,
  storedColumns,
  toColumnList,
} from '../format/catalog.ts'
import { openSession, readTableRows } from '../format/rows.ts'
import { takeTable } from './restore.ts'

type Source = Pick<Database, 'connect'>

/**
 * Nothing else may use the databases. `onProgress` gets a table with the bytes that were copied
 * just now.
 */
export async function copyRows(
  from: Source,
  to: Source,
  onProgress: (table: string, bytes: number) => void,
): Promise<{ tables: number; rows: number }> {
  const source = await openSession(from)
  const target = await openSession(to)
  try {
    const tables = (await readTables(target)).filter(({ name }) => name !== 'migration')
    await target.query('begin')
    let rows = 0
    for (const table of tables) {
      await copyTable(source, target, table, onProgress)
      rows += await compare(source, target, table)
    }
    await target.query('commit')
    await target.query('analyze')
    return { tables: tables.length, rows }
  } finally {
    await Promise.all([source, target].map((session) => session.end()))
  }
}

async function copyTable(
  source: pg.Client,
  target: pg.Client,
  table: CatalogTable,
  onProgress: (table: string, bytes: number) => void,
) {
  const columns = storedColumns(table)
  async function* content() {
    for await (const chunk of readTableRows(
      source,
      quoted(table.name),
      toColumnList(columns),
    )) {
      onProgress(table.name, chunk.length)
      yield chunk
    }
  }
  await takeTable(target, table, columns, { content: content() })
}

async function compare(source: pg.Client, target: pg.Client, { name }: CatalogTable) {
  const count = async (session: pg.Client) =>
    Number(
      (await session.query(`select count(*) as count from ${quoted(name)}`)).rows[0]
        .count,
    )
  const [before, after] = [await count(source), await count(target)]
  if (before !== after)
    throw new ArchiveError(`The copy of ${name} has ${after} rows in place of ${before}`)
  return after
}
