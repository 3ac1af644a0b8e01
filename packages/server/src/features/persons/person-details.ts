// Persons and suggestions as the API shows them.
import { ApiError, type MergeSuggestion, type PersonUser } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import { personHomes, toUser, userStore } from '../../core/messaging/index.ts'
import { type AddressRow, listAddresses, toUserAddress } from './addresses.ts'

/** Throws ResourceNotFound. */
export async function findPersonUsers(
  db: Db,
  botId: string,
  id: string,
): Promise<PersonUser[]> {
  const ids = await personHomes.listUsersOfPerson(db, botId, id)
  if (ids.length === 0)
    throw new ApiError('ResourceNotFound', `User "${id}" was not found`)
  return describeUsers(db, botId, ids)
}

/** Returns the users that exist, in the order of the ids. */
async function describeUsers(
  db: Db,
  botId: string,
  ids: string[],
): Promise<PersonUser[]> {
  if (ids.length === 0) return []
  const [users, addresses, members] = await Promise.all([
    userStore.listById(db, botId, ids),
    listAddresses(db, botId, ids),
    db
      .selectFrom('person_member')
      .selectAll()
      .where('bot_id', '=', botId)
      .where('user_id', 'in', ids)
      .execute(),
  ])
  return ids.flatMap((id) => {
    const row = users.get(id)
    const member = members.find(({ user_id }) => user_id === id)
    if (!row) return []
    return {
      user: toUser(row),
      ...(row.integration !== null && { integration: row.integration }),
      addresses: addresses.filter(({ user_id }) => user_id === id).map(toUserAddress),
      ...(member && {
        joinedAt: member.joined_at.toISOString(),
        joinedBy: member.joined_by,
        ...(member.account_id !== null && { accountId: member.account_id }),
      }),
    }
  })
}

interface SuggestionListing {
  userId: string | undefined
  /** Kind and address of the previous page's last one. */
  position: string[] | null
  limit: number
}

type Suggested = Pick<AddressRow, 'kind' | 'address'> & { users: string[] | null }

/** Users of an address that a page compares, and addresses that it checks. */
const maxCompared = 20
const maxChecked = 500

/**
 * Lists addresses of several persons that people do not keep apart, with the position after them, or null
 * at the end. A page may be shorter or empty although more follow.
 */
export async function listSuggestions(
  db: Db,
  botId: string,
  { userId, position, limit }: SuggestionListing,
): Promise<{ suggestions: MergeSuggestion[]; next: string[] | null }> {
  const [kind = '', address = ''] = position ?? []
  const ofUser = userId === undefined ? sql`true` : sql`user_id = ${userId}`
  const { rows } = await sql<Suggested>`
    select shared.kind, shared.address, (${usersOfSuggestion(userId)}) as users
    from (
      select distinct kind, address from user_address
      where bot_id = ${botId} and is_shared and (kind, address) > (${kind}, ${address}) and ${ofUser}
      order by kind, address limit ${maxChecked}
    ) shared cross join (select ${botId}::text as bot_id) bot order by shared.kind, shared.address`.execute(
    db,
  )
  const found = rows.filter(({ users }) => users !== null)
  const page = found.slice(0, limit)
  const end = rows.length === maxChecked ? rows.at(-1) : undefined
  const last = found.length > limit ? page.at(-1) : end
  return {
    suggestions: await Promise.all(page.map((row) => toSuggestion(db, botId, row))),
    next: last ? [last.kind, last.address] : null,
  }
}

/** Selects the users of an address that are different persons; null if people keep all of them apart. */
const usersOfSuggestion = (userId: string | undefined) => {
  const withAddress = sql`(
    select u.id, u.bot_id, u.home_id
    from user_address a join "user" u on u.bot_id = a.bot_id and u.id = a.user_id
    where a.bot_id = bot.bot_id and a.kind = shared.kind and a.address = shared.address
    order by a.user_id limit ${maxCompared})`
  return sql`
    select array_agg(distinct found.id) from ${withAddress} one join ${withAddress} other
      on one.id < other.id collate "C" and (one.home_id is null or other.home_id is distinct from one.home_id)
    cross join lateral unnest(array[one.id, other.id]) found (id)
    where ${userId === undefined ? sql`true` : sql`${userId} in (one.id, other.id)`}
      and not exists (select from separated_user s where s.bot_id = one.bot_id
        and s.user_id = one.id and s.other_id = other.id)`
}

async function toSuggestion(
  db: Db,
  botId: string,
  { kind, address, users }: Suggested,
): Promise<MergeSuggestion> {
  return { kind, address, users: await describeUsers(db, botId, users ?? []) }
}
