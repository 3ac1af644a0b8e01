// Inserts and reads rows of a table directly in the database.
import { sql } from 'kysely'
import { findTable, wholeBot } from '../../src/core/tables/tables.ts'
import type { Scene } from './scene.ts'

/** `make` returns the values of row `n`, starting at 1, by column id. */
export async function fillTable(
  { app, botId }: Scene,
  name: string,
  count: number,
  make: (n: number) => Record<string, unknown>,
) {
  const { db } = app.services
  const { bot_table_id } = await findTable(db, wholeBot(botId), name)
  const data = Array.from({ length: count }, (_, i) => make(i + 1))
  await sql`
    insert into table_row (bot_id, bot_table_id, row_id, data)
    select ${botId}, ${bot_table_id}, n, value
    from jsonb_array_elements(${JSON.stringify(data)}::jsonb) with ordinality as given (value, n)`.execute(
    db,
  )
  await sql`
    update table_counter set last_row_id = ${count}
    where bot_id = ${botId} and bot_table_id = ${bot_table_id}`.execute(db)
}

export async function findRows({ app, botId }: Scene, name: string) {
  const { db } = app.services
  const { bot_table_id } = await findTable(db, wholeBot(botId), name)
  const rows = db
    .selectFrom('table_row')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('bot_table_id', '=', bot_table_id)
  return rows.orderBy('row_id').execute()
}
