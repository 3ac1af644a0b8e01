// Lists, resolves, mutes and deletes issues, and removes old and excess ones. issues.ts writes them.
import { ApiError } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import { type Db, type Schema, toJson } from '../../db/index.ts'
import { toCause } from './issues.ts'

export type IssueRow = Selectable<Schema['issue']>
export type IssueEventRow = Selectable<Schema['issue_event']>

/** Per bot. */
const most = 500
/** Of messages in lists. */
const maxMessageLength = 500

interface IssueListing {
  status?: IssueRow['status'] | undefined
  lastSeenBefore?: Date | undefined
  /** The last issue of the previous page. */
  position: { at: string; id: string } | null
  limit: number
}

/**
 * Returns the first line of the latest occurrence's message for each of these issues that has stored
 * occurrences.
 */
export async function findLastMessages(
  db: Db,
  botId: string,
  ids: string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; message: string }>`
    select i.id, last.message from unnest(${ids}::text[]) as i (id) cross join lateral (
      select split_part(left(ltrim(data #>> '{message,raw}'), ${maxMessageLength}), E'\n', 1) as message
      from issue_event where bot_id = ${botId} and issue_id = i.id order by id desc limit 1
    ) last where last.message <> ''`.execute(db)
  return new Map(rows.map(({ id, message }) => [id, message]))
}

/** Returns the last seen first. */
export function listIssues(
  db: Db,
  botId: string,
  { status, lastSeenBefore, position, limit }: IssueListing,
): Promise<IssueRow[]> {
  let query = db.selectFrom('issue').selectAll().where('bot_id', '=', botId)
  if (status) query = query.where('status', '=', status)
  if (lastSeenBefore) query = query.where('last_seen_at', '<', lastSeenBefore)
  if (position)
    query = query.where(
      sql<boolean>`(last_seen_at, id) < (${position.at}::timestamptz, ${position.id})`,
    )
  return query
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Throws ResourceNotFound. */
export async function findIssue(db: Db, botId: string, id: string): Promise<IssueRow> {
  const row = await db
    .selectFrom('issue')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw noIssue(id)
  return row
}

/** Throws ResourceNotFound. */
export async function changeIssueStatus(
  db: Db,
  botId: string,
  id: string,
  status: IssueRow['status'],
): Promise<IssueRow> {
  const row = await db
    .updateTable('issue')
    .set({ status, status_changed_at: sql<Date>`now()`, resolved_by_redelivery: false })
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw noIssue(id)
  return row
}

/** Resolves the open issues that were last seen before this time. Returns their number. */
export async function resolveIssues(
  db: Db,
  botId: string,
  lastSeenBefore: Date,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('issue')
    .set({
      status: 'resolved',
      status_changed_at: sql<Date>`now()`,
      resolved_by_redelivery: false,
    })
    .where('bot_id', '=', botId)
    .where('status', '=', 'open')
    .where('last_seen_at', '<', lastSeenBefore)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Returns the stored events, newest first. */
export function listIssueEvents(
  db: Db,
  botId: string,
  issueId: string,
): Promise<IssueEventRow[]> {
  return db
    .selectFrom('issue_event')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('issue_id', '=', issueId)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}

/** Throws ResourceNotFound. */
export async function deleteIssue(db: Db, botId: string, id: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('issue')
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw noIssue(id)
}

const noIssue = (id: string) =>
  new ApiError('ResourceNotFound', `Issue "${id}" was not found`)

/** Keeps new events away from these issues until the end of the transaction. */
export const lockIssues = (db: Db, botId: string, ids: string[]) =>
  sql`select from issue where bot_id = ${botId} and id = any(${ids}::text[])
    order by fingerprint for update`.execute(db)

/**
 * After events of these locked issues were erased: deletes those without further events, and gives the
 * others the text of their last event. Returns the number of deleted ones.
 */
export async function removeEventless(
  db: Db,
  botId: string,
  ids: string[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from issue i where bot_id = ${botId} and id = any(${ids}::text[]) and not exists (
      select from issue_event e where e.bot_id = i.bot_id and e.issue_id = i.id)`.execute(
    db,
  )
  for (const [id, last] of await findLastMessages(db, botId, ids)) {
    const message = toCause(last)
    await db
      .updateTable('issue')
      .set({ message, grouped_data: toJson({ message: { raw: message } }) })
      .where('bot_id', '=', botId)
      .where('id', '=', id)
      .where('message', '<>', message)
      .execute()
  }
  return Number(numAffectedRows)
}

/**
 * Periodic task: removes issues that were not seen for this many days, and each bot's oldest beyond
 * 500. Walks the bots along the key, one index step each.
 */
export async function removeOldIssues(db: Db, days: number): Promise<void> {
  await sql`
    with recursive holder as (
      (select bot_id from issue order by bot_id limit 1)
      union all
      select (select i.bot_id from issue i where i.bot_id > holder.bot_id order by i.bot_id limit 1)
        from holder where holder.bot_id is not null
    ),
    cut as materialized (
      select holder.bot_id, last.last_seen_at, last.id from holder left join lateral (
        select last_seen_at, id from issue i where i.bot_id = holder.bot_id
          order by last_seen_at desc, id desc offset ${most} limit 1
      ) last on true where holder.bot_id is not null
    )
    delete from issue i using cut where i.bot_id = cut.bot_id
      and ((i.last_seen_at, i.id) <= (cut.last_seen_at, cut.id) or i.last_seen_at < now() -
        ${days} * interval '1 day')`.execute(db)
}
