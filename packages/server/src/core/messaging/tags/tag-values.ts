// Lists the distinct values of a tag. Triggers maintain the table tag_value (migration 0012); this
// module only reads it.
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { tagKey } from '../../lib/index.ts'
import { storedName, type Viewer } from './tags.ts'

interface TagValueListing {
  key: string
  kind: 'user' | 'conversation' | 'message'
  /** Last value of the previous page. */
  position: string | null
  limit: number
}

/**
 * `key` is in the viewer's form. Steps from each value to the next, so the cost does not depend on
 * duplicates.
 */
export async function listTagValues(
  db: Db,
  botId: string,
  viewer: Viewer,
  { key, kind, position, limit }: TagValueListing,
): Promise<string[]> {
  const next = (after: ReturnType<typeof sql>) => sql`(
    select t.value from tag_value t
    where t.bot_id = ${botId} and t.kind = ${kind} and t.key = ${tagKey(storedName(key, viewer))}
      and t.value > ${after} order by t.value limit 1
  )`
  const { rows } = await sql<{ value: string }>`
    with recursive found (value) as (
      select ${next(sql`${position ?? ''}::text`)}
      union all
      select ${next(sql`found.value`)} from found where found.value is not null
    )
    select value from found where value is not null limit ${limit}`.execute(db)
  return rows.map(({ value }) => value)
}
