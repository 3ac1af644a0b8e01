// Deletes rows of a person in small batches, each in the transaction of its erasure.
import type { PersonalDataCounts } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { deleteMessages } from '../../core/messaging/messages/history-removal.ts'
import { lockIssues, removeEventless } from '../insights/issue-listing.ts'
import type { Holding, Person } from './person-data.ts'

/** Rows per statement: writers of the same rows wait for it. */
const batch = 500
/** Rows, or conversations, that one step of a walk reads. */
const walkSize = 5_000

export interface Batch {
  count: number
  /** Position for the next batch; null if the holding has no further rows. */
  next: string | null
  /** Rows have arrived that this pass cannot delete. */
  isIncomplete?: true
  /** Events whose delivery may still be running. */
  events?: string[]
  /** Rows of other kinds that were deleted with them. */
  more?: PersonalDataCounts
}

type Condition = RawBuilder<boolean>
type Delete = (db: Db, person: Person, belongs: Condition) => Promise<Omit<Batch, 'next'>>

/** Position after the rows that an index finds; a walk begins there. */
const walkStart = 'walk:'

/** `position` is that of the previous batch, or '' for the first one. */
export async function eraseBatch(
  db: Db,
  person: Person,
  holding: Holding,
  position: string,
): Promise<Batch> {
  const remove = special[holding.table] ?? deletion(holding.table)
  if (holding.walk && position.startsWith(walkStart))
    return walk(db, person, { ...holding, walk: holding.walk }, position)
  const belongs = holding.walk
    ? sql<boolean>`t.bot_id = ${person.botId} and ${holding.walk.byIndex(person)}`
    : holding.belongs(person)
  const removed = await remove(db, person, belongs)
  if (removed.count === batch) return { ...removed, next: '' }
  return { ...removed, next: holding.walk ? walkStart : null }
}

/** Deletes the rows of one stretch of the bot's rows, in the order of their key. */
async function walk(
  db: Db,
  person: Person,
  { table, walk: { key, through, finds } }: Holding & { walk: NonNullable<Holding['walk']> },
  position: string,
): Promise<Batch> {
  const after = position.slice(walkStart.length)
  const { rows } = await sql<{ last: string | null; read: number }>`
    select max(id) as last, count(*)::int as read from (
      select id from ${sql.table(through)} where bot_id = ${person.botId} and id > ${after}
        order by id limit ${walkSize}) stretch`.execute(db)
  const { last, read } = rows[0]!
  if (last === null) return { count: 0, next: null }
  const column = sql.ref(`t.${key}`)
  const removed = await (special[table] ?? deletion(table))(
    db,
    person,
    sql`t.bot_id = ${person.botId} and ${column} > ${after} and ${column} <= ${last}
      and ${finds(person)}`,
  )
  if (removed.count === batch) return { ...removed, next: position }
  return { ...removed, next: read < walkSize ? null : walkStart + last }
}

const deletion =
  (table: string): Delete =>
  async (db, _person, belongs) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select t.ctid from ${sql.table(table)} t where ${belongs} limit ${batch}
      ))`.execute(db)
    return { count: Number(numAffectedRows) }
  }

const deletePersonsMessages: Delete = async (db, { botId }, belongs) => ({
  count: await deleteMessages(db, botId, sql`${belongs} limit ${batch}`),
})

/** A running delivery may still write rows about its event. */
const deleteEvents: Delete = async (db, _person, belongs) => {
  const { rows } = await sql<{ id: string; status: string }>`
    delete from event where ctid = any(array(
      select t.ctid from event t where ${belongs} limit ${batch}
    )) returning id, status`.execute(db)
  const events = rows.filter(({ status }) => status === 'pending').map(({ id }) => id)
  return { count: rows.length, events }
}

/**
 * An issue has the text of one of its events. Locks the issues first, as they are locked to add
 * events.
 */
const deleteIssueEvents: Delete = async (db, { botId }, belongs) => {
  const { rows } = await sql<{ issue_id: string; id: string }>`
    select t.issue_id, t.id from issue_event t where ${belongs} limit ${batch}`.execute(db)
  const issues = rows.map((row) => row.issue_id)
  await lockIssues(db, botId, issues)
  const { numAffectedRows } = await sql`
    delete from issue_event where (bot_id, issue_id, id) in (select ${botId}, * from unnest(
      ${issues}::text[], ${rows.map(({ id }) => id)}::text[]))`.execute(db)
  const removed = await removeEventless(db, botId, [...new Set(issues)])
  return { count: Number(numAffectedRows), more: { issues: removed } }
}

/** Locks the counters of the tables first, like every writer of rows. */
const deleteTableRows: Delete = async (db, { botId }, belongs) => {
  const { rows: doomed } = await sql<{ bot_table_id: string; row_id: string }>`
    select t.bot_table_id, t.row_id from table_row t where ${belongs} limit ${batch}`.execute(db)
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

const special: Record<string, Delete> = {
  event: deleteEvents,
  issue_event: deleteIssueEvents,
  message: deletePersonsMessages,
  table_row: deleteTableRows,
}
