// Owns the tables table_text_column and table_row_text: the texts of searchable text columns, with
// an index of their trigrams for patterns. The database's triggers write them (migration 0055);
// here, a column of a table with rows is filled in the background.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import type { FoundTable } from '../tables.ts'

export type TableWithTexts = Pick<FoundTable, 'bot_id' | 'bot_table_id' | 'text_columns'>

const maxLiterals = 4

/**
 * Returns the literals that the index can find: they contain three letters or digits. Patterns and
 * `ilike` compare letters outside of ASCII differently when they ignore case, and PostgreSQL writes
 * a small sigma in two ways.
 */
export function indexableLiterals(literals: string[], ignoreCase: boolean): string[] {
  return literals
    .flatMap((literal) => literal.split(ignoreCase ? /[^\p{ASCII}]+/u : /[Σσς]+/))
    .filter((literal) => /[\p{L}\p{N}]{3}/u.test(literal))
    .sort((one, other) => other.length - one.length)
    .slice(0, maxLiterals)
}

/** Condition on rows: the column's text contains the literals. */
export function hasLiterals(
  { bot_id, bot_table_id }: TableWithTexts,
  columnId: string,
  literals: string[],
  ignoreCase: boolean,
): RawBuilder<boolean> {
  const like = ignoreCase ? sql`ilike` : sql`like`
  const each = literals.map(
    (literal) => sql`text ${like} ${`%${literal.replaceAll(/[\\%_]/g, '\\$&')}%`}`,
  )
  return sql`row_id in (
    select row_id from table_row_text where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}
      and column_id = ${columnId}
      and hashtext(bot_table_id || column_id) = hashtext(${bot_table_id}::text || ${columnId}::text)
      and ${sql.join(each, sql` and `)})`
}

interface TextColumn {
  bot_id: string
  bot_table_id: string
  column_id: string
  since: string | null
  filled_to: string
}

const batchSize = 2_000

/**
 * Fills a batch of one column. Returns false if there is none to fill. A server that stops between
 * two batches leaves the rest to the next one.
 */
export async function fillTexts(db: Db): Promise<boolean> {
  const step = await db.transaction().execute(async (trx) => {
    const column = await lockColumn(trx)
    return column && { column, isDone: await fillColumn(trx, column) }
  })
  if (step?.isDone) await complete(db, step.column)
  return step !== undefined
}

async function lockColumn(trx: Db): Promise<TextColumn | undefined> {
  // A restored column may have the number of a transaction of another database.
  const { rows } = await sql<TextColumn>`
    select * from table_text_column where filled_to is not null and (since is null
      or since < pg_snapshot_xmin(pg_current_snapshot())
      or since > pg_snapshot_xmax(pg_current_snapshot()))
    limit 1 for no key update skip locked`.execute(trx)
  return rows[0]
}

/**
 * Returns true at the end of the table. It locks the rows, so that a concurrent change writes its
 * text afterwards.
 */
async function fillColumn(trx: Db, column: TextColumn): Promise<boolean> {
  const { bot_id, bot_table_id, column_id, since, filled_to } = column
  if (since === null) {
    await sql`update table_text_column set since = pg_current_xact_id()
      where ${isColumn(column)}`.execute(trx)
    return false
  }
  const { rows } = await sql<{ last: string | null }>`
    with batch as materialized (
      select row_id, data from table_row
      where bot_id = ${bot_id} and bot_table_id = ${bot_table_id} and row_id > ${filled_to}::bigint
      order by row_id limit ${batchSize} for no key update
    ), filled as (
      insert into table_row_text (bot_id, bot_table_id, column_id, row_id, text)
      select ${bot_id}, ${bot_table_id}, ${column_id}, row_id, data ->> ${column_id} from batch
      where jsonb_typeof(data -> ${column_id}) = 'string'
      on conflict (bot_id, bot_table_id, column_id, row_id) do update set text = excluded.text
    ), saved as (
      update table_text_column set filled_to = coalesce((select max(row_id) from batch), filled_to)
      where ${isColumn(column)}
    )
    select max(row_id) as last from batch`.execute(trx)
  return rows[0]!.last === null
}

/**
 * Gives the table a new version, so that caches find the complete column. Locks the table first, as
 * changes of tables do.
 */
const complete = (db: Db, column: TextColumn) =>
  db.transaction().execute(async (trx) => {
    const { bot_id, bot_table_id, since } = column
    await sql`update bot_table set updated_at = updated_at
      where bot_id = ${bot_id} and bot_table_id = ${bot_table_id}`.execute(trx)
    await sql`update table_text_column set filled_to = null
      where ${isColumn(column)} and since = ${since}::xid8`.execute(trx)
  })

const isColumn = ({ bot_id, bot_table_id, column_id }: TextColumn) =>
  sql`bot_id = ${bot_id} and bot_table_id = ${bot_table_id} and column_id = ${column_id}`
