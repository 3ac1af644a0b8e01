// Finds users and conversations by the id that a chat client chose, otherwise by the server's id.
// Lists the conversations that a user has created.
import { ApiError } from '@botstead/contract'
import { type Database, statement } from '../../db/index.ts'
import type { ConversationRow } from '../conversations.ts'
import { noUser, type UserRow } from '../users.ts'

/** Selects the row with this name in the bot: the client's id, otherwise the server's. */
const named = (columns: string, table: string, name: string, condition = 'true') => {
  const by = (column: string) => `
    (select ${columns} from ${table}
      where bot_id = :botId::text and ${column} = :${name}::text and ${condition})`
  return `${by('fid')} union all ${by('id')} limit 1`
}

export type NamedUser = Pick<
  UserRow,
  | ('id' | 'fid' | 'integration' | 'name' | 'picture_url' | 'profile')
  | ('data' | 'attributes' | 'created_at' | 'updated_at')
>
const userColumns =
  'id, fid, integration, name, picture_url, profile, data, attributes, created_at, updated_at'
const userStatement = statement<{ botId: string; name: string }>(
  'look-up-user',
  named(userColumns, '"user"', 'name'),
)

/** Returns null when there is no such user. */
export async function lookUpUser(
  { run }: Pick<Database, 'run'>,
  botId: string,
  name: string,
): Promise<NamedUser | null> {
  const [found] = await run<NamedUser>(...userStatement({ botId, name }))
  return found ?? null
}

/** Throws ResourceNotFound. */
export async function findNamedUser(
  database: Pick<Database, 'run'>,
  botId: string,
  name: string,
): Promise<NamedUser> {
  const found = await lookUpUser(database, botId, name)
  if (!found) throw noUser(name)
  return found
}

/** Returns the user that a key was issued for. Throws Unauthorized when the user was deleted. */
export async function findKeyUser(
  database: Pick<Database, 'run'>,
  botId: string,
  claim: string,
): Promise<NamedUser> {
  const found = await lookUpUser(database, botId, claim)
  if (!found) throw noKeyUser()
  return found
}

/** `unknownUser`: the key itself is valid. */
export const noKeyUser = () =>
  new ApiError(
    'Unauthorized',
    'The user of this key does not exist: it was deleted, or must be created with `getOrCreateUser` first',
    { metadata: { unknownUser: true } },
  )

export type NamedConversation = Pick<
  ConversationRow,
  'id' | 'fid' | 'owner_id' | 'created_at' | 'updated_at'
>
const conversationColumns = 'id, fid, owner_id, created_at, updated_at'
const ofIntegration = 'integration = :integration::text'
const conversationStatement = statement<{
  botId: string
  integration: string
  name: string
}>(
  'look-up-conversation',
  named(conversationColumns, 'conversation', 'name', ofIntegration),
)

/** Returns null when this integration's chat has no such conversation. */
export async function lookUpConversation(
  { run }: Pick<Database, 'run'>,
  botId: string,
  integration: string,
  name: string,
): Promise<NamedConversation | null> {
  const [found] = await run<NamedConversation>(
    ...conversationStatement({ botId, integration, name }),
  )
  return found ?? null
}

export interface Participation {
  conversationId: string
  conversationFid: string | null
  userId: string
  userFid: string | null
  isOwner: boolean
}

/** CTE `u`: the user that a key was issued for. */
export const keyUser = `u as (${named('id, fid', '"user"', 'claim')})`

/** CTE `c`: the conversation with this name in the integration's chat. */
export const namedConversation = `c as (
  ${named(conversationColumns, 'conversation', 'name', ofIntegration)})`

export interface ConversationName {
  botId: string
  integration: string
  /** The id that a client chose, or the server's. */
  name: string
  /** The claim of the user's key. */
  claim: string
}

interface NoConversation {
  conversationId: null
  participates: false
}
interface KnownConversation extends Participation {
  createdAt: Date
  updatedAt: Date
  participates: boolean
}

const lookUpStatement = statement<ConversationName>(
  'look-up-participation',
  `with ${keyUser}, ${namedConversation}
  select c.id as "conversationId", c.fid as "conversationFid", u.id as "userId", u.fid as "userFid",
    c.owner_id is not distinct from u.id as "isOwner", c.created_at as "createdAt",
    c.updated_at as "updatedAt", p.user_id is not null as participates
  from u left join c on true left join participant p on p.bot_id = :botId and p.user_id = u.id
    and p.conversation_id = c.id`,
)

/**
 * Returns the conversation as the user of a key sees it, and whether that user takes part. Throws
 * Unauthorized when the user does not exist.
 */
export async function lookUpForUser(
  { run }: Pick<Database, 'run'>,
  conversation: ConversationName,
): Promise<KnownConversation | NoConversation> {
  const [found] = await run<{ [column: string]: unknown }>(
    ...lookUpStatement(conversation),
  )
  if (!found) throw noKeyUser()
  return found as unknown as KnownConversation | NoConversation
}

/**
 * Returns null when the conversation does not exist or the user does not take part in it. Throws
 * Unauthorized when the user does not exist.
 */
export async function lookUpParticipation(
  database: Pick<Database, 'run'>,
  conversation: ConversationName,
): Promise<Participation | null> {
  const found = await lookUpForUser(database, conversation)
  if (!found.participates) return null
  const {
    createdAt: _created,
    updatedAt: _updated,
    participates: _,
    ...participation
  } = found
  return participation
}

type OwnConversation = Pick<ConversationRow, 'id' | 'fid' | 'created_at' | 'updated_at'>

const listOwnStatement = statement<{
  botId: string
  integration: string
  claim: string
  createdAt: string
  id: string
  limit: number
}>(
  'list-own-conversations',
  `with ${keyUser}
  select c.id, c.fid, c.created_at, c.updated_at
  from u left join lateral (
    select id, fid, created_at, updated_at from conversation
    where bot_id = :botId and owner_id = u.id and integration = :integration::text
      and (created_at, id) < (:createdAt::timestamptz, :id::text)
    order by created_at desc, id desc limit :limit::bigint
  ) c on true
  order by c.created_at desc, c.id desc`,
)

/**
 * Lists the conversations of a chat user, by the claim of its key: newest first, with one row more
 * than the page when there is a next page. Throws Unauthorized when the user does not exist.
 */
export async function listOwnConversations(
  { run }: Pick<Database, 'run'>,
  botId: string,
  integration: string,
  claim: string,
  { position, limit }: { position: string[] | null; limit: number },
): Promise<OwnConversation[]> {
  const [createdAt = 'infinity', id = ''] = position ?? []
  const values = { botId, integration, claim, createdAt, id, limit: limit + 1 }
  const rows = await run<OwnConversation>(...listOwnStatement(values))
  if (!rows[0]) throw noKeyUser()
  // A user without conversations has one row without an id.
  return rows[0].id === null ? [] : rows
}
