// The Idempotency-Key of a message. The statement that writes the message also writes the row of the key
// (messaging/messages/message-statements.ts), so there are both or neither. The row holds the parts of the
// response that the request does not contain. With them, a repetition gets the same response, also after the
// message was changed or deleted. keys.ts has the other statements.

/** The key of a request that writes one message. */
export interface MessageKey {
  /** SHA-256 of the caller, the operation and the key. */
  id: Buffer
  /** SHA-256 of the content of the request. */
  request: Buffer
  /** Status of the response. */
  status: number
}

/** The parts of the response that the request does not contain. */
export interface KeyedMessage {
  id: string
  createdAt: Date
  /** The conversation's and the author's ids that chat clients see. */
  conversationId: string
  userId: string
}

/** Thrown to roll back when another request has used the key, whose response is then replayed. */
export class KeyTaken extends Error {}

/** Condition for a row `k`: its key expired. */
export const isExpiredKey = `k.created_at <= now() - interval '24 hours'`

/**
 * Returns a condition: no request has used the key. True for the key null. `offset 0` prevents a
 * join, which might read the entire table.
 */
const isUnusedKey = (botId: string, keyId: string) => `not exists (
      select from idempotency_key k
      where k.bot_id = ${botId} and k.id = ${keyId} and not ${isExpiredKey} offset 0)`

/**
 * Returns a CTE that inserts the keys of written messages; `rows` selects the columns in this
 * order. A request that uses a key at the same time is not visible to `isUnusedKey`. Then
 * `request` becomes null, which its constraint rejects, so the statement is rolled back.
 */
const insertKeys = (rows: string) => `
  keyed as (
    insert into idempotency_key as k (bot_id, id, request, status, message_id, message_created_at,
      shown_conversation_id, shown_user_id)
    ${rows}
    on conflict (bot_id, id) do update set
      request = case when ${isExpiredKey} then excluded.request end,
      owner = null, status = excluded.status, answer = null, message_id = excluded.message_id,
      message_created_at = excluded.message_created_at,
      shown_conversation_id = excluded.shown_conversation_id, shown_user_id = excluded.shown_user_id,
      created_at = excluded.created_at
  )`

/** Idempotency keys of messages. */
export const messageKeys = {
  insert: insertKeys,
  isExpired: isExpiredKey,
  isUnused: isUnusedKey,
}
