import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import {
  batchSize,
  mentions,
  or,
  type Person,
  type RemovedOfPerson,
} from '../../table-rules/index.ts'
import { lockIssues, removeEventless } from './issue-listing.ts'

/** The event `t` of an issue names the person or one of the conversations. */
export const isIssueEvent = (person: Person): RawBuilder<boolean> =>
  or(
    mentions(sql`t.data::text`, person),
    sql`exists (select from unnest(${person.conversations}::text[]) id
      where strpos(t.data::text, id) > 0)`,
  )

/**
 * Deletes events of issues that an erasure selects. An issue has the text of one of its events. Locks the
 * issues first, as they are locked to add events.
 */
export async function removePersonsIssueEvents(
  db: Db,
  { botId }: Person,
  belongs: RawBuilder<boolean>,
): Promise<RemovedOfPerson> {
  const { rows } = await sql<{ issue_id: string; id: string }>`
    select t.issue_id, t.id from issue_event t where ${belongs} limit ${batchSize}`.execute(
    db,
  )
  const issues = rows.map((row) => row.issue_id)
  await lockIssues(db, botId, issues)
  const { numAffectedRows } = await sql`
    delete from issue_event where (bot_id, issue_id, id) in (select ${botId}, * from unnest(
      ${issues}::text[], ${rows.map(({ id }) => id)}::text[]))`.execute(db)
  const removed = await removeEventless(db, botId, [...new Set(issues)])
  return { count: Number(numAffectedRows), more: { issues: removed } }
}
