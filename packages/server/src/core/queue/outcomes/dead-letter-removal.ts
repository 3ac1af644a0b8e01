import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import type { Removed, Selected } from '../../table-rules/index.ts'
import { discardDeliveries } from './outcome-statements.ts'

/** Discards old dead letters. Their events stay failed, as after discarding one by hand. */
export async function discardOldDeadLetters(
  db: Db,
  _botId: string,
  { where }: Selected,
): Promise<Removed> {
  const { rows } = await sql`
    with picked as (select t.* from delivery t where ${where} for update skip locked),
    ${sql.raw(discardDeliveries('picked'))}
    select id from picked`.execute(db)
  return { count: rows.length }
}
