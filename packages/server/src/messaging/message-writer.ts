// Writes messages: the hot path. One statement writes the message, its number, its event and its delivery, and gives back what the bot
// and the listeners will be told; messages that arrive while others are being written go together in the next statement.
// It crosses into the tables of events and of the queue, because what must survive a crash together is written together.
import { ApiError } from '@botstead/contract'
import type { Database, Db } from '../db/open.ts'
import { newId } from '../lib/ids.ts'
import { shareCommits } from '../lib/shared-commits.ts'
import type { Enqueued, Queue } from '../queue/queue.ts'
import { enqueueDue, enqueuedOf } from '../queue/store.ts'
import type { Signals } from '../realtime/signals.ts'
import { messageSignals } from './message-signals.ts'

export interface NewMessage {
  botId: string
  conversationId: string
  userId: string
  direction: 'incoming' | 'outgoing'
  type: string
  payload: Record<string, unknown>
  tags?: Record<string, string>
  /** `synthetic`: stored for the transcript, handed to nobody. */
  origin?: 'synthetic'
  cause?: string | null
  /** The author must already take part (Chat API); otherwise authorship makes one a participant. */
  mustParticipate?: boolean
}

export interface MessageRow {
  bot_id: string
  id: string
  conversation_id: string
  user_id: string
  number: string
  direction: 'incoming' | 'outgoing'
  type: string
  payload: Record<string, unknown>
  tags: Record<string, string>
  origin: string | null
  created_at: Date
  updated_at: Date
}

/** A message with who wrote it and where, as they were when it was written: what a delivery tells the bot. */
export interface WrittenMessage extends MessageRow {
  conversation: WrittenConversation
  user: WrittenUser
}
export interface WrittenConversation {
  id: string
  fid: string | null
  integration: string
  channel: string
  tags: Record<string, string>
  message_count: number
  created_at: Date
  updated_at: Date
}
export interface WrittenUser {
  id: string
  fid: string | null
  name: string | null
  picture_url: string | null
  tags: Record<string, string>
  created_at: Date
  updated_at: Date
}

export interface MessageWriter {
  /**
   * Stores a message, tells listeners, and hands it to whom it concerns (incoming: the bot; outgoing: the conversation's integration).
   * Resolves after the commit. Throws ResourceNotFound without such a conversation, ReferenceNotFound without such a user, Forbidden when
   * `mustParticipate` and the user does not.
   */
  post(message: NewMessage): Promise<WrittenMessage>
}

interface Prepared extends NewMessage {
  id: string
  eventId: string
  deliveryId: string
}

interface Row {
  ord: string
  id: string
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
}

const writeMessages = `
  with input as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::jsonb[], $9::text[], $10::text[], $11::text[], $12::text[], $13::bool[])
      with ordinality as i (bot_id, conversation_id, user_id, id, direction, type, payload, tags, origin, cause, event_id, delivery_id, must_participate, ord)
  ),
  accepted as (
    select i.*, p.user_id is not null as participates,
      u.fid as u_fid, u.name as u_name, u.picture_url as u_picture, u.tags as u_tags, u.created_at as u_created_at, u.updated_at as u_updated_at
    from input i
    join "user" u on u.bot_id = i.bot_id and u.id = i.user_id
    left join participant p on p.bot_id = i.bot_id and p.conversation_id = i.conversation_id and p.user_id = i.user_id
    where p.user_id is not null or not i.must_participate
  ),
  counted as (select bot_id, conversation_id, count(*) as n from accepted group by bot_id, conversation_id order by bot_id, conversation_id),
  -- The row of the conversation is the lock that puts its messages in order, across connections and processes.
  numbered as (
    update conversation c set
      last_number = c.last_number + n,
      message_count = c.message_count + n,
      last_message_at = greatest(date_trunc('milliseconds', clock_timestamp()), c.last_message_at + interval '1 ms') + (n - 1) * interval '1 ms',
      updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), c.updated_at)
    from counted where c.bot_id = counted.bot_id and c.id = counted.conversation_id
    returning c.*, n
  ),
  placed_message as (
    select a.*, c.last_number - c.n + row_number() over w as number,
      c.last_message_at - (c.n - row_number() over w) * interval '1 ms' as created_at,
      c.fid as c_fid, c.integration as c_integration, c.channel as c_channel, c.tags as c_tags, c.message_count as c_count, c.created_at as c_created_at, c.updated_at as c_updated_at
    from accepted a join numbered c on c.bot_id = a.bot_id and c.id = a.conversation_id
    window w as (partition by a.bot_id, a.conversation_id order by a.ord)
  ),
  stored as (
    insert into message (bot_id, id, conversation_id, user_id, number, direction, type, payload, tags, origin, cause, created_at, updated_at)
    select bot_id, id, conversation_id, user_id, number, direction, type, payload, tags, origin, cause, created_at, created_at from placed_message
  ),
  joined as (
    insert into participant (bot_id, conversation_id, user_id)
    select distinct bot_id, conversation_id, user_id from placed_message where not participates on conflict do nothing
  ),
  noted as (
    insert into event (bot_id, id, type, conversation_id, user_id, message_id, cause, created_at)
    select bot_id, event_id, 'message_created', conversation_id, user_id, id, cause, created_at from placed_message where direction = 'incoming' and origin is null
  ),
  -- To the bot in the conversation's own lane; to an integration in another, or the bot that is being asked would wait for itself.
  due as (
    select bot_id, conversation_id as lane, delivery_id, 'event' as kind, event_id as subject_id, ord
    from placed_message where direction = 'incoming' and origin is null
    union all
    select m.bot_id, 'out:' || m.conversation_id, m.delivery_id, 'message', m.id, m.ord
    from placed_message m
    join installation t on t.bot_id = m.bot_id and t.alias = m.c_integration and t.enabled and not m.c_channel = any(t.disabled_channels)
    join integration g on g.id = t.integration_id and not (g.workspace_id is null and g.url is null)
    where m.direction = 'outgoing' and m.origin is null
  ),
  ${enqueueDue('$14')}
  select m.ord, m.id, m.number, m.created_at, m.c_fid, m.c_integration, m.c_channel, m.c_tags, m.c_count, m.c_created_at, m.c_updated_at,
    m.u_fid, m.u_name, m.u_picture, m.u_tags, m.u_created_at, m.u_updated_at,
    d.lane as d_lane, d.number as d_number, d.kind as d_kind, d.owner as d_owner, d.ahead as d_ahead
  from placed_message m left join placed d on d.ord = m.ord`

export function messageWriter(database: Database, queue: Pick<Queue, 'owner' | 'dispatch'>, signals: Signals): MessageWriter {
  const commits = shareCommits<Prepared, WrittenMessage | null>((messages) => writeAll(database, queue, messages))
  return {
    async post(message) {
      const prepared = { ...message, id: newId('message'), eventId: newId('event'), deliveryId: newId('delivery') }
      const written = await commits.write(prepared)
      if (!written) throw await reasonOfRefusal(database, message)
      for (const signal of messageSignals(written)) signals.publish(written.bot_id, written.conversation_id, signal.number, signal.make)
      return written
    },
  }
}

/** Null for a message that the statement refused: no such conversation or user, or not a participant. */
async function writeAll(database: Database, queue: Pick<Queue, 'owner' | 'dispatch'>, messages: Prepared[]): Promise<(WrittenMessage | null)[]> {
  const column = <T>(of: (message: Prepared) => T) => messages.map(of)
  const rows = await database.run<Row & { [column: string]: unknown }>('write-messages', writeMessages, [
    column((m) => m.botId),
    column((m) => m.conversationId),
    column((m) => m.userId),
    column((m) => m.id),
    column((m) => m.direction),
    column((m) => m.type),
    column((m) => JSON.stringify(m.payload)),
    column((m) => JSON.stringify(m.tags ?? {})),
    column((m) => m.origin ?? null),
    column((m) => m.cause ?? null),
    column((m) => m.eventId),
    column((m) => m.deliveryId),
    column((m) => m.mustParticipate ?? false),
    queue.owner,
  ])
  const written: (WrittenMessage | null)[] = messages.map(() => null)
  const enqueued: Enqueued[] = []
  for (const row of rows) {
    const place = Number(row.ord) - 1
    const message = messages[place]!
    const one = writtenOf(message, row)
    written[place] = one
    if (row.d_lane !== null) enqueued.push(deliveryOf(message, row, one))
  }
  // After the listeners were told: the promises of `post` go on first, then this.
  if (enqueued.length > 0) setImmediate(() => queue.dispatch(enqueued.sort((a, b) => Number(BigInt(a.number) - BigInt(b.number)))))
  return written
}

const deliveryOf = (message: Prepared, row: Row, content: WrittenMessage) =>
  enqueuedOf(
    {
      bot_id: message.botId,
      lane: row.d_lane!,
      number: row.d_number,
      id: message.deliveryId,
      kind: row.d_kind,
      subject_id: row.d_kind === 'event' ? message.eventId : message.id,
      owner: row.d_owner,
      ahead: row.d_ahead,
    },
    content,
  )

const writtenOf = (message: Prepared, row: Row): WrittenMessage => ({
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

async function reasonOfRefusal(database: Database, { botId, conversationId, userId }: NewMessage): Promise<ApiError> {
  const [found] = await database.run<{ conversation: boolean; user: boolean }>(
    'why-refused',
    `select exists (select from conversation where bot_id = $1 and id = $2) as conversation, exists (select from "user" where bot_id = $1 and id = $3) as user`,
    [botId, conversationId, userId],
  )
  if (!found!.conversation) return new ApiError('ResourceNotFound', `No conversation "${conversationId}"`)
  if (!found!.user) return new ApiError('ReferenceNotFound', `No user "${userId}"`)
  return new ApiError('Forbidden', 'Only participants write in a conversation')
}

/** As it is now: for a delivery that another process, or an earlier life of this one, has left. Null when it was deleted. */
export async function findWrittenMessage(db: Db, botId: string, id: string): Promise<WrittenMessage | null> {
  const message = await db.selectFrom('message').selectAll().where('bot_id', '=', botId).where('id', '=', id).executeTakeFirst()
  if (!message) return null
  const [conversation, user] = await Promise.all([
    db.selectFrom('conversation').selectAll().where('bot_id', '=', botId).where('id', '=', message.conversation_id).executeTakeFirst(),
    db.selectFrom('user').selectAll().where('bot_id', '=', botId).where('id', '=', message.user_id).executeTakeFirst(),
  ])
  return conversation && user ? { ...(message as MessageRow), conversation, user } : null
}
