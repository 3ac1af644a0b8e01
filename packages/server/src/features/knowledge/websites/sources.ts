// Owns the table knowledge_source: websites with pages that are files of a knowledge base. A source
// with `next_at` is a job. Invariant: its worker holds the lease (queue/workers.ts), and a step is
// committed only while the row names that worker, so two servers never refresh it together.
import { ApiError, type KnowledgeSource } from '@botstead/contract'
import { maxReasonLength, parseTargetUrl, storableText, UrlRejected } from '@botstead/lib'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type Db, isConflict, type Schema } from '../../../core/db/index.ts'
import { newId } from '../../../core/lib/index.ts'
import { isAwake, workers } from '../../../core/queue/index.ts'

export type SourceRow = Selectable<Schema['knowledge_source']>
type Schedule = SourceRow['schedule']

const maxSources = 100
/** The key of a file has at most 1,024 bytes, and begins with its knowledge base. */
const maxUrlBytes = 900

/** Returns the URL without its fragment. Throws UrlRejected. */
export function toPageUrl(text: string): URL {
  const url = parseTargetUrl(text)
  url.hash = ''
  if (Buffer.byteLength(url.href) > maxUrlBytes)
    throw new UrlRejected(`must not be longer than ${maxUrlBytes} bytes`)
  return url
}

/** Throws InvalidPayload. */
export function checkedUrl(text: string): string {
  try {
    return toPageUrl(text).href
  } catch (error) {
    if (!(error instanceof UrlRejected)) throw error
    throw new ApiError('InvalidPayload', `\`url\` ${error.message}`)
  }
}

interface NewSource {
  knowledgeBaseId: string
  type: SourceRow['type']
  /** From checkedUrl. */
  url: string
  schedule: Schedule
  maxPages: number
}

/** Throws ResourceNotFound, AlreadyExists and LimitExceeded. */
export async function createSource(
  db: Db,
  botId: string,
  { knowledgeBaseId, type, url, schedule, maxPages }: NewSource,
): Promise<SourceRow> {
  const { rows } = await sql<{ has_base: boolean; count: number }>`
    select exists (select from knowledge_base where bot_id = ${botId} and id = ${knowledgeBaseId})
      as has_base,
    (select count(*)::int from knowledge_source where bot_id = ${botId}) as count`.execute(
    db,
  )
  if (!rows[0]!.has_base)
    throw new ApiError(
      'ResourceNotFound',
      `Knowledge base "${knowledgeBaseId}" was not found`,
    )
  if (rows[0]!.count >= maxSources)
    throw new ApiError('LimitExceeded', `A bot may have at most ${maxSources} websites`)
  const created = await sql<SourceRow>`
    insert into knowledge_source (bot_id, id, knowledge_base_id, type, url, schedule, max_pages)
      select bot_id, ${newId('knowledgeSource')}, id, ${type}, ${url}, ${schedule}, ${maxPages}::int
      from knowledge_base where bot_id = ${botId} and id = ${knowledgeBaseId} for key share
    on conflict (bot_id, knowledge_base_id, url) do nothing returning *`.execute(db)
  if (created.rows[0]) return created.rows[0]
  throw taken(url)
}

const taken = (url: string) =>
  new ApiError('AlreadyExists', `The knowledge base has the website "${url}" already`)

interface SourceListing {
  knowledgeBaseId?: string | undefined
  position: { at: Date; id: string } | null
  limit: number
}

/** Returns the newest first; one more than the limit if there are more. */
export function listSources(
  db: Db,
  botId: string,
  { knowledgeBaseId, position, limit }: SourceListing,
): Promise<SourceRow[]> {
  let query = db.selectFrom('knowledge_source').selectAll().where('bot_id', '=', botId)
  if (knowledgeBaseId !== undefined)
    query = query.where('knowledge_base_id', '=', knowledgeBaseId)
  if (position)
    query = query.where(sql<boolean>`(created_at, id) < (${position.at}, ${position.id})`)
  return query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

/** Throws ResourceNotFound. */
export async function findSource(db: Db, botId: string, id: string): Promise<SourceRow> {
  const query = db.selectFrom('knowledge_source').selectAll()
  const found = await query
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .executeTakeFirst()
  return found ?? missing(id)
}

/** When a source is refreshed again, with the columns of its row. */
const nextRefresh = sql`refreshed_at + case schedule when 'daily' then interval '1 day'
  when 'weekly' then interval '1 week' when 'monthly' then interval '1 month' end`

interface SourceChanges {
  /** From checkedUrl. Another address begins a refresh, and ends a running one. */
  url?: string | undefined
  schedule?: Schedule | undefined
  maxPages?: number | undefined
}

/** A running refresh of the same address continues. Throws ResourceNotFound and AlreadyExists. */
export async function updateSource(
  db: Db,
  botId: string,
  id: string,
  { url, schedule, maxPages }: SourceChanges,
): Promise<SourceRow> {
  const update = sql<SourceRow>`
    with changed as (
      select bot_id, id, coalesce(${url ?? null}, url) as url,
        coalesce(${schedule ?? null}, schedule) as schedule, refreshed_at, url <> ${url ?? null} as moves
      from knowledge_source where bot_id = ${botId} and id = ${id} for update
    )
    update knowledge_source s set max_pages = coalesce(${maxPages ?? null}::int, s.max_pages),
      url = changed.url, schedule = changed.schedule,
      status = case when moves then 'pending' else s.status end,
      problem = case when moves then null else s.problem end,
      worker = case when moves then null else s.worker end,
      attempts = case when moves then 0 else s.attempts end,
      next_at = case when moves then now() when s.status in ('pending', 'fetching') then s.next_at
        else (select ${nextRefresh} from (select changed.schedule, changed.refreshed_at) row) end
    from changed where s.bot_id = changed.bot_id and s.id = changed.id returning s.*`
  const { rows } = await update.execute(db).catch((error) => {
    throw isConflict(error) ? taken(url!) : error
  })
  return rows[0] ?? missing(id)
}

/** Begins a refresh, unless one is running. Throws ResourceNotFound. */
export async function refreshSource(
  db: Db,
  botId: string,
  id: string,
): Promise<SourceRow> {
  const { rows } = await sql<SourceRow>`
    update knowledge_source set
      next_at = case when status = 'fetching' then next_at else now() end,
      status = case when status = 'fetching' then status else 'pending' end
    where bot_id = ${botId} and id = ${id} returning *`.execute(db)
  return rows[0] ?? missing(id)
}

/** Deletes it with its pages and their files. Throws ResourceNotFound. */
export async function deleteSource(db: Db, botId: string, id: string): Promise<void> {
  const { rows } =
    await sql`delete from knowledge_source where bot_id = ${botId} and id = ${id}
    returning 1`.execute(db)
  if (rows.length === 0) missing(id)
}

const missing = (id: string): never => {
  throw new ApiError('ResourceNotFound', `Website "${id.slice(0, 100)}" was not found`)
}

/**
 * Claims the source with the oldest step. Each process works on one source of a bot at a time;
 * `busy` are the bots of its current sources.
 */
export async function claimSource(
  db: Db,
  workerId: string,
  busy: string[],
): Promise<SourceRow | null> {
  const { rows } = await sql<SourceRow>`
    update knowledge_source set worker = ${workerId}, attempts = attempts + 1
    where (bot_id, id) = (
      select bot_id, id from knowledge_source s
      where next_at <= now() and ${workers.isFree('worker', workerId)} and not bot_id = any(${busy}::text[])
        and ${sql.raw(isAwake('s.bot_id'))}
      order by next_at limit 1 for update skip locked
    ) returning *`.execute(db)
  return rows[0] ?? null
}

/** Another worker has claimed the source, or it was deleted. */
export class SourceLost extends Error {}

/** Updates the claimed source, in the transaction of the step. Throws SourceLost. */
async function update(
  db: Db,
  { bot_id, id, worker }: SourceRow,
  changes: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql`update knowledge_source set ${changes}
    where bot_id = ${bot_id} and id = ${id} and worker = ${worker} returning 1`.execute(
    db,
  )
  if (rows.length === 0) throw new SourceLost()
}

export const beginRefresh = (
  db: Db,
  source: SourceRow,
  { run, total, problem }: { run: number; total: number; problem: string | null },
) =>
  update(
    db,
    source,
    sql`status = 'fetching', run = ${run}::int, total = ${total}::int, done = 0, failed = 0,
      attempts = 1, problem = ${storable(problem)}`,
  )

export const countPage = (db: Db, source: SourceRow, hasFailed: boolean) =>
  update(
    db,
    source,
    sql`done = done + 1, failed = failed + ${hasFailed ? 1 : 0}::int, attempts = 1`,
  )

/** `problem`: the source could not be read; its pages stay as they are. */
export const endRefresh = (db: Db, source: SourceRow, problem: string | null = null) =>
  update(
    db,
    source,
    sql`(status, problem, refreshed_at, next_at, worker, attempts) = (
      select case when failure is null then 'completed' else 'failed' end,
        coalesce(failure, problem), refreshed_at, ${nextRefresh}, null, 0
      from (select schedule, now()::timestamptz(3) as refreshed_at,
        coalesce(${storable(problem)}, ${reasonOfAll}) as failure) row)`,
  )

/** The reason of the first page if no page could be read; the columns are those of the source. */
const reasonOfAll = sql`case when failed > 0 and failed = total then (
  select p.reason from knowledge_page p
  where p.bot_id = knowledge_source.bot_id and p.source_id = knowledge_source.id and p.reason is not null
  order by p.url limit 1) end`

/** Makes the source claimable again after a pause. `counts`: the attempt has failed. */
export const releaseSource = (
  db: Db,
  source: SourceRow,
  pauseMs: number,
  counts = false,
) =>
  update(
    db,
    source,
    sql`worker = null, attempts = ${counts ? sql`attempts` : sql`0`},
      next_at = now() + ${pauseMs} * interval '1 millisecond'`,
  )

const storable = (text: string | null) => text && storableText(text, maxReasonLength)

export const toSource = (row: SourceRow): KnowledgeSource => ({
  id: row.id,
  knowledgeBaseId: row.knowledge_base_id,
  type: row.type,
  url: row.url,
  schedule: row.schedule,
  maxPages: row.max_pages,
  status: row.status,
  ...(row.problem !== null && { problem: row.problem }),
  pages: { total: row.total, done: row.done, failed: row.failed },
  createdAt: row.created_at.toISOString(),
  ...(row.refreshed_at && { refreshedAt: row.refreshed_at.toISOString() }),
  ...(row.next_at && { nextRefreshAt: row.next_at.toISOString() }),
})
