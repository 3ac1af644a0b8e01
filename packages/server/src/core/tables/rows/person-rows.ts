// Rows that name a person: a column with `"x-zui": { "userId": true }` contains ids of users.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import {
  type Age,
  batchSize,
  isBefore,
  type Person,
  type Removed,
  type RemovedOfPerson,
  type Selected,
} from '../../table-rules/index.ts'

type Condition = RawBuilder<boolean>
type OfBot = Pick<Person, 'botId'>

/** The row `t` names the person. */
export const isDeclaredCell = ({ botId, userId, shownId }: Person): Condition =>
  hasDeclaredCell(
    { botId },
    sql`in (to_jsonb(${userId}::text), to_jsonb(${shownId}::text))`,
  )

/** The condition holds for a cell with the id of a user. */
const hasDeclaredCell = (
  { botId }: OfBot,
  condition: RawBuilder<unknown>,
): Condition => sql`exists (
  select from bot_table b cross join lateral jsonb_array_elements(b.columns) c
  where b.bot_id = ${botId} and b.bot_table_id = t.bot_table_id
    and c -> 'schema' -> 'x-zui' -> 'userId' = 'true'
    and t.data -> (c ->> 'id') ${condition})`

/** Selects the ids of the tables that have columns with ids of users. */
export const hasDeclaredColumns = ({ botId }: OfBot) => sql`
  select b.bot_table_id from bot_table b where b.bot_id = ${botId}
    and jsonb_path_exists(b.columns, '$[*].schema."x-zui".userId ? (@ == true)')`

/** It names a user in a declared column. */
export const isOldRow = (age: Age) => sql`${isBefore('updated_at')(age)}
  and t.bot_table_id in (${hasDeclaredColumns(age)})
  and hashtext(t.bot_table_id) = any(array(
    select hashtext(d.bot_table_id) from (${hasDeclaredColumns(age)}) d))
  and ${hasDeclaredCell(age, sql`is not null`)}`

/** Locks the counters of the tables first, like every writer of rows. */
export async function removeOldRows(
  db: Db,
  botId: string,
  { where }: Selected,
): Promise<Removed> {
  await sql`select from table_counter where bot_id = ${botId}
    and bot_table_id in (${hasDeclaredColumns({ botId })}) order by bot_table_id for update`.execute(
    db,
  )
  const { rows } = await sql<{ count: number }>`
    with removed as (
      delete from table_row where ctid = any(array(select t.ctid from table_row t where ${where}))
        returning bot_table_id, row_id
    ), terms as (
      delete from table_row_terms where bot_id = ${botId}
        and (bot_table_id, row_id) in (select bot_table_id, row_id from removed)
    )
    select count(*)::int as count from removed`.execute(db)
  return { count: rows[0]!.count }
}

/** Locks the counters of the tables first, like every writer of rows. */
export async function removePersonsRows(
  db: Db,
  { botId }: Person,
  belongs: Condition,
): Promise<RemovedOfPerson> {
  const { rows: doomed } = await sql<{ bot_table_id: string; row_id: string }>`
    select t.bot_table_id, t.row_id from table_row t where ${belongs} limit ${batchSize}`.execute(
    db,
  )
  if (doomed.length === 0) return { count: 0 }
  const tables = doomed.map((row) => row.bot_table_id)
  await sql`select from table_counter where bot_id = ${botId} and bot_table_id = any(${tables}::text[])
    order by bot_table_id for update`.execute(db)
  const chosen = sql`(bot_id, bot_table_id, row_id) in (select ${botId}, * from unnest(
    ${tables}::text[], ${doomed.map((row) => row.row_id)}::bigint[]))`
  await sql`delete from table_row_terms where ${chosen}`.execute(db)
  const { numAffectedRows } =
    await sql`delete from table_row t where ${chosen} and ${belongs}`.execute(db)
  return { count: Number(numAffectedRows) }
}
