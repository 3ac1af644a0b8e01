// Merges and splits persons, each in one transaction. Owns the tables person_member (how each user came to
// its person) and separated_user (users that people keep apart).
import { type AddressKind, ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Limits } from '../../core/config/index.ts'
import type { Database, Db } from '../../core/db/index.ts'
import { personHomes } from '../../core/messaging/index.ts'
import type { Queue } from '../../core/queue/index.ts'
import { userStates } from '../../core/workflows/index.ts'

/** Inside of a transaction. */
export interface MergeDeps {
  db: Db
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
  limits: Limits
}

export interface MergedBy {
  by: AddressKind | 'account' | 'bot'
  accountId: string | null
}

export const maxUsers = 20

/**
 * Makes users one person, with all users of their persons. Requires a transaction. Throws ResourceNotFound;
 * Forbidden for the bot itself; InvalidPayload for users of members; LimitExceeded.
 */
export async function mergeUsers(
  deps: MergeDeps,
  botId: string,
  ids: string[],
  by: MergedBy,
): Promise<void> {
  const { db } = deps
  const users = await personHomes.lockPersons(db, botId, ids)
  await rejectMembers(db, botId, ids)
  const all = users.map(({ id }) => id)
  await joinApart(db, botId, all)
  const homes = [...new Set(users.map(({ id, home_id }) => home_id ?? id))]
  if (homes.length === 1) return
  if (users.length > maxUsers)
    throw new ApiError(
      'LimitExceeded',
      `A person has at most ${maxUsers} users: these would be ${users.length}`,
    )
  const home = users.find(({ id }) => homes.includes(id))!.id
  const persons = {
    home,
    others: homes.filter((id) => id !== home),
    newcomers: users.filter(({ home_id }) => home_id === null).map(({ id }) => id),
  }
  const maxBytes = deps.limits.stateBytes
  const [large] = await userStates.merge(deps, botId, persons, maxBytes)
  if (large !== undefined)
    throw new ApiError(
      'LimitExceeded',
      `The state "${large}" of the users would have more than ${maxBytes} bytes: delete a part of it first`,
    )
  await personHomes.set(db, botId, all, home)
  await noteMembers(db, botId, persons.newcomers, by)
}

/** Members who answer in place of the bot are users, too. */
async function rejectMembers(db: Db, botId: string, ids: string[]): Promise<void> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from handoff_agent where bot_id = ${botId} and user_id = any(${ids}::text[])`.execute(
    db,
  )
  if (rows[0])
    throw new ApiError(
      'InvalidPayload',
      `User "${rows[0].user_id}" is a member who answers people: it cannot be merged`,
    )
}

const noteMembers = (db: Db, botId: string, ids: string[], { by, accountId }: MergedBy) =>
  sql`insert into person_member (bot_id, user_id, joined_by, account_id)
    select ${botId}, id, ${by}, ${accountId} from unnest(${ids}::text[]) id
    on conflict (bot_id, user_id) do update set joined_by = excluded.joined_by,
      account_id = excluded.account_id, joined_at = now()`.execute(db)

/**
 * Makes a user of a person a person alone, and keeps it apart from the others. Requires a transaction.
 * Does nothing if it is alone. Throws ResourceNotFound, Forbidden for the bot itself.
 */
export async function splitUser(db: Db, botId: string, id: string): Promise<void> {
  const users = await personHomes.lockPersons(db, botId, [id])
  const rest = users.map((user) => user.id).filter((other) => other !== id)
  if (rest.length === 0) return
  const home = users[0]!.home_id!
  const restHome = home === id ? rest[0]! : home
  const isLast = rest.length === 1
  await userStates.split(db, botId, { user: id, home, restHome, isLast })
  await personHomes.set(db, botId, rest, isLast ? null : restHome)
  await personHomes.set(db, botId, [id], null)
  await removeMembers(db, botId, isLast ? [id, ...rest] : [id])
  for (const other of rest) await keepApart(db, botId, id, other)
}

const removeMembers = (db: Db, botId: string, ids: string[]) =>
  db
    .deleteFrom('person_member')
    .where('bot_id', '=', botId)
    .where('user_id', 'in', ids)
    .execute()

/** Throws ResourceNotFound, and RelationConflict for users of one person. */
export async function separateUsers(
  db: Db,
  botId: string,
  ids: [string, string],
): Promise<void> {
  const users = await personHomes.lockPersons(db, botId, ids)
  const [one, other] = ids.map((id) => users.find((user) => user.id === id)!)
  if (ids[0] === ids[1] || (one!.home_id !== null && one!.home_id === other!.home_id))
    throw new ApiError(
      'RelationConflict',
      `The users "${ids[0]}" and "${ids[1]}" are one person: split one of them instead`,
    )
  await keepApart(db, botId, ...ids)
}

function keepApart(db: Db, botId: string, ...ids: [string, string]) {
  const [user_id, other_id] = ids.sort() as [string, string]
  return db
    .insertInto('separated_user')
    .values({ bot_id: botId, user_id, other_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const joinApart = (db: Db, botId: string, ids: string[]) =>
  sql`delete from separated_user where bot_id = ${botId} and user_id = any(${ids}::text[])
    and other_id = any(${ids}::text[])`.execute(db)
