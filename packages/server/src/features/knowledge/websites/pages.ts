// Owns the table knowledge_page: the pages of sources, each with its file. A trigger deletes the
// file of a page that is deleted or loses it.
import type { KnowledgePage } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import type { Db, Schema } from '../../../core/db/index.ts'
import type { SourceRow } from './sources.ts'

type PageRow = Selectable<Schema['knowledge_page']>

interface PageListing {
  status?: PageRow['status'] | undefined
  /** URL of the last row of the page before. */
  position: string | null
  limit: number
}

export function listPages(
  db: Db,
  botId: string,
  sourceId: string,
  { status, position, limit }: PageListing,
): Promise<PageRow[]> {
  let query = db
    .selectFrom('knowledge_page')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('source_id', '=', sourceId)
  if (status !== undefined) query = query.where('status', '=', status)
  if (position !== null) query = query.where('url', '>', position)
  return query.orderBy('url').limit(limit).execute()
}

/** Makes the URLs pages of this refresh, and removes the other pages unless `keepsOthers`. */
export async function replacePages(
  db: Db,
  { bot_id, id }: SourceRow,
  { urls, run, keepsOthers }: { urls: string[]; run: number; keepsOthers: boolean },
): Promise<void> {
  await sql`
    insert into knowledge_page (bot_id, source_id, url, run)
      select ${bot_id}, ${id}, url, ${run} from unnest(${urls}::text[]) url
    on conflict (bot_id, source_id, url) do update set run = excluded.run, is_pending = true`.execute(
    db,
  )
  if (keepsOthers) return
  await sql`delete from knowledge_page
    where bot_id = ${bot_id} and source_id = ${id} and run < ${run}`.execute(db)
}

export interface PendingPage {
  url: string
  etag: string | null
  last_modified: string | null
  file_id: string | null
  /** SHA-256 of the file's content; null without content. */
  checksum: string | null
}

/** Returns the next page of the current refresh; null after the last one. */
export async function nextPage(
  db: Db,
  { bot_id, id }: Pick<SourceRow, 'bot_id' | 'id'>,
): Promise<PendingPage | null> {
  const { rows } = await sql<PendingPage>`
    select p.url, p.etag, p.last_modified, f.id as file_id, f.checksum
    from (select * from knowledge_page where bot_id = ${bot_id} and source_id = ${id} and is_pending
      order by url limit 1) p
    left join file f on f.bot_id = p.bot_id and f.id = p.file_id`.execute(db)
  return rows[0] ?? null
}

export interface PageResult {
  status: 'fetched' | 'unchanged' | 'blocked' | 'failed' | 'gone'
  reason?: string
  fileId?: string | null
  etag?: string | null
  lastModified?: string | null
}

export async function savePage(
  db: Db,
  { bot_id, id }: Pick<SourceRow, 'bot_id' | 'id'>,
  url: string,
  { status, reason, fileId, etag, lastModified }: PageResult,
): Promise<void> {
  await db
    .updateTable('knowledge_page')
    .set({
      status,
      reason: reason ?? null,
      is_pending: false,
      checked_at: sql`now()`,
      ...(fileId !== undefined && { file_id: fileId }),
      ...(etag !== undefined && { etag }),
      ...(lastModified !== undefined && { last_modified: lastModified }),
    })
    .where('bot_id', '=', bot_id)
    .where('source_id', '=', id)
    .where('url', '=', url)
    .execute()
}

export const toPage = (row: PageRow): KnowledgePage => ({
  url: row.url,
  status: row.status,
  ...(row.reason !== null && { reason: row.reason }),
  ...(row.file_id !== null && { fileId: row.file_id }),
  ...(row.checked_at !== null && { checkedAt: row.checked_at.toISOString() }),
})
