// Owns the table idempotency_key: the first response to each request with a key, for a day. It
// stores a hash of the key, not the key itself, and encrypts responses. Of a response that contains
// one message, it stores only ids and time; the statement that writes the message writes the row
// (message-keys.ts). Ages use the database's clock, which several servers share.

import { sql } from 'kysely'
import { type Database, type Db, statement } from '../db/index.ts'
import { isAwake, workers } from '../queue/index.ts'
import type { Secrets } from '../sealing/index.ts'
import { isExpiredKey, type KeyedMessage } from './message-keys.ts'

/** A request with an idempotency key. */
export interface KeyedRequest {
  /** Bot of the request; '' for requests outside of a bot. */
  botId: string
  /** SHA-256 of the caller, the operation and the key. */
  id: Buffer
  /** SHA-256 of the content of the request. */
  request: Buffer
  /** Fence of the hosted code that sends the request: queue/fencing.ts. */
  fence?: string | null
  /** For a request that writes one message. */
  message?: MessageRequest
}

interface MessageRequest {
  /** Whether the statement that writes the message stores the key. Otherwise a transaction does. */
  isOneStatement: boolean
  /** Status of the response. */
  status: number
  /** Returns the body of the first response. */
  rebuild(message: KeyedMessage): Promise<string | Buffer[]>
}

export interface StoredResponse {
  status: number
  /** JSON, in chunks if it is large and new. */
  body: string | Buffer[]
}

/** Stored data of a key: the request that it belongs to, and the response if there is one. */
export interface StoredKey {
  request: Buffer
  answer: StoredResponse | null
}

interface Row {
  request: Buffer | null
  status: number | null
  answer: Buffer | null
}

/** The columns of a key of one message, null for the others. */
interface MessageColumns {
  message_id: string | null
  message_created_at: Date
  shown_conversation_id: string
  shown_user_id: string
}

const storedColumns = `k.request, k.status, k.answer, k.message_id, k.message_created_at,
    k.shown_conversation_id, k.shown_user_id`

const lookStatement = statement<{ botId: string; id: Buffer; lock: string }>(
  'look-up-key',
  `
  select pg_try_advisory_xact_lock(:lock::bigint) as free, ${storedColumns}
  from (select) here
  left join idempotency_key k on k.bot_id = :botId and k.id = :id and not ${isExpiredKey}`,
)

/**
 * Locks the key until the end of the transaction `inside`, which will store the response. `free` is
 * false if another transaction holds the lock.
 */
export async function lookUpKey(
  inside: Database,
  secrets: Secrets,
  keyed: KeyedRequest,
): Promise<{ free: boolean; known: StoredKey | null }> {
  const { botId, id } = keyed
  const [row] = await inside.run<Row & MessageColumns & { free: boolean }>(
    ...lookStatement({ botId, id, lock: id.readBigInt64BE().toString() }),
  )
  return { free: row!.free, known: await toStoredKey(secrets, keyed, row!) }
}

const findStatement = statement<{ botId: string; id: Buffer }>(
  'find-key',
  `select ${storedColumns} from idempotency_key k
   where k.bot_id = :botId and k.id = :id and not ${isExpiredKey}`,
)

/** Returns null for a key that no request has used. */
export async function findKey(
  database: Database,
  secrets: Secrets,
  keyed: KeyedRequest,
): Promise<StoredKey | null> {
  const [row] = await database.run<Row & MessageColumns & { [column: string]: unknown }>(
    ...findStatement({ botId: keyed.botId, id: keyed.id }),
  )
  return row ? toStoredKey(secrets, keyed, row) : null
}

const keepStatement = statement<{
  botId: string
  id: Buffer
  request: Buffer
  status: number
  answer: Buffer
}>(
  'keep-answer',
  `
  insert into idempotency_key as k (bot_id, id, request, status, answer)
  values (:botId, :id, :request, :status, :answer)
  on conflict (bot_id, id) do update set
    request = excluded.request, owner = null, status = excluded.status, answer = excluded.answer,
      message_id = null, created_at = excluded.created_at
  where ${isExpiredKey}
  returning 1 as kept`,
)

/**
 * Stores the response. Returns false when another process has stored one; the caller must roll
 * back.
 */
export async function storeResponse(
  inside: Database,
  secrets: Secrets,
  { botId, id, request }: KeyedRequest,
  { status, body }: StoredResponse,
): Promise<boolean> {
  const answer = await secrets.seal(null, body, toAad(id))
  const kept = await inside.run(...keepStatement({ botId, id, request, status, answer }))
  return kept.length > 0
}

const claimStatement = statement<{
  botId: string
  id: Buffer
  request: Buffer
  owner: string
}>(
  'claim-key',
  `
  with claimed as (
    insert into idempotency_key as k (bot_id, id, request, owner)
    values (:botId, :id, :request, :owner)
    on conflict (bot_id, id) do update set
      request = excluded.request, owner = excluded.owner, status = null, answer = null,
        created_at = excluded.created_at
    where ${isExpiredKey} or (k.owner is not null and k.request = excluded.request
      and (k.owner = excluded.owner or not ${workers.isAlive('k.owner')}))
    returning true as ours
  )
  select ours, null::bytea as request, null::smallint as status, null::bytea as answer from claimed
  union all
  select false, k.request, k.status, k.answer from idempotency_key k
  where k.bot_id = :botId and k.id = :id and not exists (select from claimed)`,
)

/**
 * Claims the key for this worker if it is new, expired, or claimed by a dead worker for the same
 * request. If the result is neither ours nor known, retry.
 */
export async function claimKey(
  database: Database,
  secrets: Secrets,
  keyed: KeyedRequest,
  owner: string,
) {
  const { botId, id, request } = keyed
  const [row] = await database.run<Row & { ours: boolean }>(
    ...claimStatement({ botId, id, request, owner }),
  )
  return {
    ours: row?.ours ?? false,
    known: row && !row.ours ? await toStoredKey(secrets, keyed, row) : null,
  }
}

const settleStatement = statement<{
  botId: string
  id: Buffer
  owner: string
  status: number
  answer: Buffer
}>(
  'settle-key',
  `update idempotency_key set owner = null, status = :status, answer = :answer
   where bot_id = :botId and id = :id and owner = :owner`,
)

export async function settleKey(
  database: Database,
  secrets: Secrets,
  { botId, id }: KeyedRequest,
  owner: string,
  { status, body }: StoredResponse,
): Promise<void> {
  const answer = await secrets.seal(null, body, toAad(id))
  await database.run(...settleStatement({ botId, id, owner, status, answer }))
}

const giveUpStatement = statement<{ botId: string; id: Buffer; owner: string }>(
  'give-up-key',
  'delete from idempotency_key where bot_id = :botId and id = :id and owner = :owner',
)

export async function giveUpKey(
  database: Database,
  { botId, id }: KeyedRequest,
  owner: string,
): Promise<void> {
  await database.run(...giveUpStatement({ botId, id, owner }))
}

type AnyRow = Row & Partial<MessageColumns>

async function toStoredKey(
  secrets: Secrets,
  keyed: KeyedRequest,
  row: AnyRow,
): Promise<StoredKey | null> {
  if (!row.request) return null
  // Only the same request can rebuild its response.
  const isSame = row.request.equals(keyed.request)
  return {
    request: row.request,
    answer: isSame ? await toStoredResponse(secrets, keyed, row) : null,
  }
}

async function toStoredResponse(
  secrets: Secrets,
  { id, message }: KeyedRequest,
  row: AnyRow,
): Promise<StoredResponse | null> {
  const { status, answer } = row
  if (status === null) return null
  if (answer) return { status, body: await secrets.open(answer, toAad(id)) }
  return message && row.message_id
    ? { status, body: await message.rebuild(toKeyed(row)) }
    : null
}

const toKeyed = (row: AnyRow): KeyedMessage => ({
  id: row.message_id!,
  createdAt: row.message_created_at!,
  conversationId: row.shown_conversation_id!,
  userId: row.shown_user_id!,
})

/**
 * Additional data of the encryption, so that a response that was copied to another row cannot be
 * decrypted.
 */
const toAad = (id: Buffer) => `idempotency_key ${id.toString('hex')}`

const maxDeleted = 5_000

/** Deletes keys older than a day. */
export async function removeOldKeys(db: Db): Promise<void> {
  for (let removed = maxDeleted; removed === maxDeleted; ) {
    const { rows } = await sql`
      delete from idempotency_key where ctid = any (array(
        select k.ctid from idempotency_key k where ${sql.raw(isExpiredKey)}
          and ${sql.raw(isAwake('k.bot_id'))}
        order by k.created_at limit ${maxDeleted} for update skip locked
      )) returning 1`.execute(db)
    removed = rows.length
  }
}

/** Deletes the keys of a bot that is being deleted. */
export async function purgeKeys(db: Db, botId: string): Promise<void> {
  await db.deleteFrom('idempotency_key').where('bot_id', '=', botId).execute()
}
