// Deletes conversations, events and users that a retention rule or an erasure selects.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/index.ts'
import {
  batchSize,
  deleteSome,
  type Person,
  type Removed,
  type RemovedOfPerson,
  type Selected,
} from '../table-rules/index.ts'

/**
 * Deletes their messages, events and ended workflows first, in batches: a conversation may have a
 * million. The locks keep new messages away.
 */
export async function removeConversations(
  db: Db,
  botId: string,
  { ids, where }: Selected,
): Promise<Removed> {
  const { rows } = await sql<{ id: string }>`
    select t.id from conversation t where ${where} order by t.id for update`.execute(db)
  const locked = rows.map(({ id }) => id)
  if (ids.length === 0 || locked.length === 0) return { count: 0 }
  const isOfThem = sql`t.bot_id = ${botId} and t.conversation_id = any(${locked}::text[])`
  const isEventOfThem = sql`${isOfThem} and hashtextextended(t.conversation_id, 0) = any(array(
    select hashtextextended(id, 0) from unnest(${locked}::text[]) id))`
  const parts: [string, RawBuilder<unknown>][] = [
    ['message', isOfThem],
    ['event', isEventOfThem],
    ['workflow', isOfThem],
    ['signal', isOfThem],
  ]
  for (const [table, isPart] of parts)
    if ((await deleteSome(db, table, isPart)) === batchSize)
      return { count: 0, hasMore: true }
  const { numAffectedRows } = await sql`
    delete from conversation where bot_id = ${botId} and id = any(${locked}::text[])`.execute(
    db,
  )
  return { count: Number(numAffectedRows) }
}

/** A running delivery may still write rows about its event. */
export async function removePersonsEvents(
  db: Db,
  _person: Person,
  belongs: RawBuilder<boolean>,
): Promise<RemovedOfPerson> {
  const { rows } = await sql<{ id: string; status: string }>`
    delete from event where ctid = any(array(
      select t.ctid from event t where ${belongs} limit ${batchSize}
    )) returning id, status`.execute(db)
  const events = rows.filter(({ status }) => status === 'pending').map(({ id }) => id)
  return { count: rows.length, events }
}

const isPerson = ({ botId, userId }: Pick<Person, 'botId' | 'userId'>) =>
  sql`bot_id = ${botId} and id = ${userId}`

/** Keeps new participations of the user away until the end of the transaction. */
export const lockUser = (db: Db, person: Pick<Person, 'botId' | 'userId'>) =>
  sql`select from "user" where ${isPerson(person)} for update`.execute(db)

/** Deletes the row alone, without its messages and conversations. Returns the number of rows. */
export async function removeUser(
  db: Db,
  person: Pick<Person, 'botId' | 'userId'>,
): Promise<number> {
  const { numAffectedRows } =
    await sql`delete from "user" where ${isPerson(person)}`.execute(db)
  return Number(numAffectedRows)
}
