// Finds users and conversations by the id that a chat client chose, otherwise by the server's id.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../infra/db/open.ts'
import type { ConversationRow } from './conversations.ts'
import { noUser, type UserRow } from './users.ts'

/** Returns null when there is no such user. */
export async function lookUpUser(db: Db, botId: string, name: string): Promise<UserRow | null> {
  const { rows } = await sql<UserRow>`
    (select * from "user" where bot_id = ${botId} and fid = ${name})
    union all
    (select * from "user" where bot_id = ${botId} and id = ${name})
    limit 1`.execute(db)
  return rows[0] ?? null
}

/** Throws ResourceNotFound. */
export async function findNamedUser(db: Db, botId: string, name: string): Promise<UserRow> {
  const found = await lookUpUser(db, botId, name)
  if (!found) throw noUser(name)
  return found
}

/** Returns null when this integration's chat has no such conversation. */
export async function lookUpConversation(
  db: Db,
  botId: string,
  integration: string,
  name: string,
): Promise<ConversationRow | null> {
  const { rows } = await sql<ConversationRow>`
    (select * from conversation where bot_id = ${botId} and fid = ${name} and integration = ${integration})
    union all
    (select * from conversation where bot_id = ${botId} and id = ${name} and integration = ${integration})
    limit 1`.execute(db)
  return rows[0] ?? null
}

export interface Participation {
  conversationId: string
  conversationFid: string | null
  userId: string
  userFid: string | null
  isOwner: boolean
}

/** Returns the user that a key was issued for. Throws Unauthorized when the user was deleted. */
export async function findKeyUser(db: Db, botId: string, claim: string): Promise<UserRow> {
  const found = await lookUpUser(db, botId, claim)
  if (!found) throw noKeyUser()
  return found
}

export const noKeyUser = () =>
  new ApiError(
    'Unauthorized',
    'The user of this key does not exist: it was deleted, or must be created with `getOrCreateUser` first',
  )

/**
 * Returns null when the conversation does not exist or the user does not take part in it. One round
 * trip. Throws Unauthorized when the user does not exist.
 */
export async function lookUpParticipation(
  db: Db,
  botId: string,
  integration: string,
  conversation: string,
  user: string,
): Promise<Participation | null> {
  const { rows } = await sql<Participation & { participates: boolean }>`
    with c as (
      (select id, fid, owner_id from conversation where bot_id = ${botId} and fid = ${conversation}
        and integration = ${integration})
      union all
      (select id, fid, owner_id from conversation where bot_id = ${botId} and id = ${conversation}
        and integration = ${integration})
      limit 1
    ), u as (
      (select id, fid from "user" where bot_id = ${botId} and fid = ${user})
      union all
      (select id, fid from "user" where bot_id = ${botId} and id = ${user})
      limit 1
    )
    select c.id as "conversationId", c.fid as "conversationFid", u.id as "userId", u.fid as "userFid",
      c.owner_id is not distinct from u.id as "isOwner",
      p.user_id is not null as participates
    from u left join c on true left join participant p on p.bot_id = ${botId} and p.user_id = u.id
      and p.conversation_id = c.id`.execute(db)
  const [found] = rows
  if (!found) throw noKeyUser()
  const { participates, ...participation } = found
  return participates ? participation : null
}
