// Lists the tags of a bot's files and their values. Triggers maintain the table file_tag (migration
// 0030); this file only reads it. Each index step jumps to the next distinct entry, so the cost
// does not depend on the number of files. An integration sees only tags of files that it may see.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/index.ts'
import { type FileViewer, present, visibleTo } from './files.ts'

interface TagListing {
  viewer: FileViewer
  /** The last entry of the previous page. */
  position: string | null
  limit: number
}

export const listFileTags = (db: Db, botId: string, listing: TagListing) =>
  each(db, botId, 'tag', sql`true`, listing)

/** Returns no values for a tag that no file has. */
export const listFileTagValues = (
  db: Db,
  botId: string,
  tag: string,
  listing: TagListing,
) => each(db, botId, 'value', sql`t.tag_key = tag_key(${tag})`, listing)

async function each(
  db: Db,
  botId: string,
  column: 'tag' | 'value',
  condition: RawBuilder<unknown>,
  { viewer, position, limit }: TagListing,
): Promise<string[]> {
  const [entry, key] = [sql.ref(`t.${column}`), sql.ref(`t.${column}_key`)]
  const next = (after: RawBuilder<unknown>) => sql`(
    select ${entry} from file_tag t join file on file.bot_id = t.bot_id and file.id = t.file_id
    where t.bot_id = ${botId} and ${condition} and ${after} and ${present} and ${visibleTo(viewer)}
    order by left(${entry}, 200), ${key} limit 1
  )`
  const past = (last: RawBuilder<unknown>) =>
    sql`(left(${entry}, 200), ${key}) > (left(${last}, 200) collate "C", tag_key(${last}))`
  const { rows } = await sql<{ entry: string }>`
    with recursive found (entry) as (
      select ${next(position === null ? sql`true` : past(sql`${position}::text`))}
      union all
      select ${next(past(sql`found.entry`))} from found where found.entry is not null
    )
    select entry from found where entry is not null limit ${limit}`.execute(db)
  return rows.map((row) => row.entry)
}
