// Writes messages: the hot path. One statement writes the message, its number, its event and its
// delivery, and returns the content for bot and listeners. Messages that arrive during a write
// share the next statement. The statement also writes the tables of events and of the queue,
// because a crash must not separate these rows.
import { ApiError } from '@botstead/contract'
import { FairTurns, isLong, nextSlice, shareCommits } from '@botstead/lib'
import {
  type BoundStatement,
  type Database,
  type Db,
  isMissing,
  statement,
  toArrays,
} from '../../db/index.ts'
import { KeyTaken, messageKeys } from '../../idempotency/index.ts'
import { newId } from '../../lib/index.ts'
import { type Enqueued, fencing, type Queue, queueStatements } from '../../queue/index.ts'
import type { Signals } from '../../realtime/index.ts'
import { tracing } from '../../telemetry/index.ts'
import { messageSignals } from './message-signals.ts'
import {
  type CommonValues,
  type KeyedMessageValues,
  type MessageValues,
  writeKeyedMessages,
  writeMessages,
  writeOneMessage,
} from './message-statements.ts'
import type { MessageRow, NewMessage, WrittenMessage } from './message-types.ts'
import { takeRepeatedMessage } from './repeated-messages.ts'

export interface MessageWriter {
  /**
   * Stores a message, publishes its signals and delivers it (incoming: to the bot; outgoing: to the
   * conversation's integration). Resolves after the commit. Throws ResourceNotFound without the
   * conversation, ReferenceNotFound without the user, Forbidden when `mustParticipate` and the user
   * is not a participant, KeyTaken when another request has used the key.
   */
  post(message: NewMessage): Promise<WrittenMessage>
}

export interface Prepared extends NewMessage {
  id: string
  eventId: string
  deliveryId: string
  trace?: string | undefined
  /** The payload as JSON. */
  json: string
}

/** Row that the statement returns for a message that it wrote. */
export interface WrittenRow {
  ord: string
  number: string
  created_at: Date
  c_fid: string | null
  c_integration: string
  c_channel: string
  c_tags: Record<string, string>
  c_count: number
  c_created_at: Date
  c_updated_at: Date
  u_fid: string | null
  u_name: string | null
  u_picture: string | null
  u_tags: Record<string, string>
  u_created_at: Date
  u_updated_at: Date
  d_lane: string | null
  d_number: string
  d_kind: 'event' | 'message'
  d_owner: string | null
  d_ahead: string
  d_withheld: boolean
}

/** Long messages that are written at a time. */
const maxLarge = 2

export function createMessageWriter(
  database: Database,
  queue: Pick<Queue, 'owner' | 'dispatch'>,
  signals: Signals,
): MessageWriter {
  const commits = shareCommits<Prepared, WrittenMessage | null>((messages) =>
    writeAll(database, queue, messages),
  )
  const large = new FairTurns({ capacity: maxLarge, maxPerKey: 1 })
  /** Messages that share a statement would wait for it. */
  async function writeAlone(message: Prepared): Promise<WrittenMessage | null> {
    const turn = large.take(message.botId)
    try {
      await turn.admitted
      await nextSlice(message.botId)
      return (await writeAll(database, queue, [message]))[0]!
    } finally {
      turn.leave()
    }
  }
  return {
    async post(message) {
      const repeatedId = message.run ? await takeRepeatedMessage(database, message) : null
      const before =
        repeatedId && (await findWrittenMessage(database.db, message.botId, repeatedId))
      if (before) return before
      const prepared = {
        id: newId('message'),
        eventId: newId('event'),
        deliveryId: newId('delivery'),
        json: JSON.stringify(message.payload),
        trace: tracing.getCurrentTrace(),
        ...message,
      }
      // The user or the conversation may be deleted during the statement.
      const writing = isLong(prepared.json.length)
        ? writeAlone(prepared)
        : commits.write(prepared)
      const written = await writing.catch((error) => {
        if (isMissing(error)) return null
        throw error
      })
      if (!written) throw await rejectionReason(database, message)
      publish(signals, written)
      return written
    },
  }
}

/** Publishes the message's signals to listeners. */
export function publish(signals: Signals, written: WrittenMessage) {
  const { make, makeBefore } = messageSignals(written)
  signals.publish(
    written.bot_id,
    written.conversation_id,
    written.number,
    make,
    makeBefore,
  )
}

/**
 * Returns null for a message that was not stored: no conversation or user, not a participant, or a
 * used key.
 */
async function writeAll(
  database: Database,
  queue: Pick<Queue, 'owner' | 'dispatch'>,
  messages: Prepared[],
): Promise<(WrittenMessage | null)[]> {
  const bound = bindMessages(messages, {
    owner: queue.owner,
    fences: fencing.toFences(messages.map(({ fence }) => fence)),
  })
  const rows = await database.run<WrittenRow & { [column: string]: unknown }>(...bound)
  const written: (WrittenMessage | null)[] = messages.map(() => null)
  const enqueued: Enqueued[] = []
  for (const row of rows) {
    const index = Number(row.ord) - 1
    const message = messages[index]!
    const one = toWrittenMessage(message, row)
    written[index] = one
    if (row.d_lane !== null) enqueued.push(toDelivery(message, row, one))
  }
  // Runs after the callers of `post` have published the signals, which happens in microtasks.
  if (enqueued.length > 0) setImmediate(() => queue.dispatch(inOrder(enqueued)))
  return written
}

export const inOrder = (enqueued: Enqueued[]) =>
  enqueued.sort((a, b) => Number(BigInt(a.number) - BigInt(b.number)))

const toValues = (m: Prepared): MessageValues => ({
  botId: m.botId,
  conversationId: m.conversationId,
  userId: m.userId,
  id: m.id,
  direction: m.direction,
  type: m.type,
  payload: m.json,
  tags: JSON.stringify(m.tags ?? {}),
  origin: m.origin ?? null,
  cause: m.cause ?? null,
  eventId: m.eventId,
  deliveryId: m.deliveryId,
  mustParticipate: m.mustParticipate ?? false,
  trace: m.trace ?? null,
  run: m.run ?? null,
})

const toKeyedValues = (m: Prepared): KeyedMessageValues => ({
  keyId: m.key?.id ?? null,
  keyRequest: m.key?.request ?? null,
  keyStatus: m.key?.status ?? null,
  ...toValues(m),
})

function bindMessages(messages: Prepared[], common: CommonValues): BoundStatement {
  if (messages.some(({ key }) => key)) {
    const values = messages.map(toKeyedValues)
    return values.length === 1
      ? writeOneMessage[values[0]!.direction].keyed({ ...values[0]!, ...common })
      : writeKeyedMessages({ ...toArrays(values), ...common })
  }
  const values = messages.map(toValues)
  return values.length === 1
    ? writeOneMessage[values[0]!.direction].plain({ ...values[0]!, ...common })
    : writeMessages({ ...toArrays(values), ...common })
}

export const toDelivery = (
  message: Prepared,
  row: WrittenRow,
  content: WrittenMessage,
): Enqueued => ({
  bytes: message.json.length,
  ...queueStatements.toEnqueued(
    {
      bot_id: message.botId,
      lane: row.d_lane!,
      number: row.d_number,
      id: message.deliveryId,
      kind: row.d_kind,
      subject_id: row.d_kind === 'event' ? message.eventId : message.id,
      owner: row.d_owner,
      ahead: row.d_ahead,
      withheld: row.d_withheld,
      trace: message.trace ?? null,
      requestId: message.requestId,
    },
    content,
  ),
})

export const toWrittenMessage = (message: Prepared, row: WrittenRow): WrittenMessage => ({
  bot_id: message.botId,
  id: message.id,
  conversation_id: message.conversationId,
  user_id: message.userId,
  number: row.number,
  direction: message.direction,
  type: message.type,
  payload: message.payload,
  tags: message.tags ?? {},
  origin: message.origin ?? null,
  created_at: row.created_at,
  updated_at: row.created_at,
  conversation: {
    id: message.conversationId,
    fid: row.c_fid,
    integration: row.c_integration,
    channel: row.c_channel,
    tags: row.c_tags,
    message_count: row.c_count,
    created_at: row.c_created_at,
    updated_at: row.c_updated_at,
  },
  user: {
    id: message.userId,
    fid: row.u_fid,
    name: row.u_name,
    picture_url: row.u_picture,
    tags: row.u_tags,
    created_at: row.u_created_at,
    updated_at: row.u_updated_at,
  },
})

const findReferences = statement<{
  botId: string
  conversationId: string
  userId: string
  keyId: Buffer | null
}>(
  'why-refused',
  `select exists (select from conversation where bot_id = :botId and id = :conversationId)
      as conversation,
    exists (select from "user" where bot_id = :botId and id = :userId) as user,
    exists (select from idempotency_key k
      where k.bot_id = :botId and k.id = :keyId::bytea and not ${messageKeys.isExpired}) as key`,
)

/** Returns the error that explains why the statement did not store the message. */
export async function rejectionReason(
  database: Database,
  { botId, conversationId, userId, key }: NewMessage,
): Promise<Error> {
  const [found] = await database.run<{
    conversation: boolean
    user: boolean
    key: boolean
  }>(...findReferences({ botId, conversationId, userId, keyId: key?.id ?? null }))
  if (found!.key) return new KeyTaken()
  if (!found!.conversation)
    return new ApiError(
      'ResourceNotFound',
      `Conversation "${conversationId}" was not found`,
    )
  if (!found!.user)
    return new ApiError('ReferenceNotFound', `User "${userId}" was not found`)
  return new ApiError(
    'Forbidden',
    'Only participants can send messages to a conversation',
  )
}

/**
 * Returns the message in its current state, for a delivery left by another process or by this one
 * before a restart. Returns null when it was deleted.
 */
export async function findWrittenMessage(
  db: Db,
  botId: string,
  id: string,
): Promise<WrittenMessage | null> {
  const message = await db
    .selectFrom('message')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!message) return null
  const [conversation, user] = await Promise.all([
    db
      .selectFrom('conversation')
      .selectAll()
      .where('bot_id', '=', botId)
      .where('id', '=', message.conversation_id)
      .executeTakeFirst(),
    db
      .selectFrom('user')
      .selectAll()
      .where('bot_id', '=', botId)
      .where('id', '=', message.user_id)
      .executeTakeFirst(),
  ])
  return conversation && user ? { ...(message as MessageRow), conversation, user } : null
}
