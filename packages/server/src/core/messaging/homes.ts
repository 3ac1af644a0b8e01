// Users that are one person, by the column home_id of the table user: all users of a person have the same
// one. Their ids, conversations and messages stay apart. The feature `persons` merges and splits.
import { ApiError } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import type { Db, Schema } from '../db/index.ts'
import { noUser } from './users.ts'

type Homed = Pick<Selectable<Schema['user']>, 'id' | 'home_id' | 'created_at'>

/**
 * Locks all users of the persons of these users, oldest first, so that no state of them is written until the
 * end of the transaction. Merges and splits of the bot run one after the other: `lockPersons` first waits
 * for those that are running. Throws ResourceNotFound, and Forbidden for the bot itself.
 */
async function lockPersons(db: Db, botId: string, ids: string[]): Promise<Homed[]> {
  if (ids.includes(botId))
    throw new ApiError('Forbidden', 'The user of the bot itself is no person')
  await sql`select pg_advisory_xact_lock(hashtextextended(${`persons ${botId}`}, 0))`.execute(
    db,
  )
  const { rows } = await sql<Homed>`
    select id, home_id, created_at from "user" where bot_id = ${botId} and (id = any(${ids}::text[])
      or home_id in (select home_id from "user" where bot_id = ${botId} and id = any(${ids}::text[])))
    order by id for update`.execute(db)
  const missing = ids.find((id) => rows.every((row) => row.id !== id))
  if (missing !== undefined) throw noUser(missing)
  return rows.sort(
    (one, other) =>
      Number(one.created_at) - Number(other.created_at) || (one.id < other.id ? -1 : 1),
  )
}

/** Requires `lockPersons`. Null: each is a person alone. */
const setHome = (db: Db, botId: string, ids: string[], home: string | null) =>
  db
    .updateTable('user')
    .set({ home_id: home })
    .where('bot_id', '=', botId)
    .where('id', 'in', ids)
    .execute()

/** Returns the ids of all users of the person of a user, with the user itself, oldest first; [] for none. */
async function listUsersOfPerson(db: Db, botId: string, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from "user" u join "user" given on given.bot_id = ${botId} and given.id = ${id}
    where u.bot_id = ${botId} and (u.id = ${id} or u.home_id = given.home_id)
    order by u.created_at, u.id`.execute(db)
  return rows.map((row) => row.id)
}

/** Homes of users: the users that are one person. */
export const personHomes = {
  listUsersOfPerson,
  lockPersons,
  set: setHome,
}
