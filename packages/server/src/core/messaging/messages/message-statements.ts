// The statements that write messages: one for many, and one for a single message of each direction,
// without sorting and counting. All take the same values (many: one array each) and return the same
// columns. The one for many also writes scheduled messages and deletes them from their table. Each
// has a variant that also writes Idempotency-Keys. Imports of old messages, which cause no event,
// have their own statement (message-imports.ts).

import { type ColumnArrays, statement } from '../../db/index.ts'
import { messageKeys } from '../../idempotency/index.ts'
import { fencing, queueStatements } from '../../queue/index.ts'
import { type DueClaim, forClaims } from '../events/schedule.ts'

/**
 * Writes the rows of the CTE `input` that meet the condition. The final select joins
 * `placed_message m` and `placed d` by `ord`. `more` are further CTEs.
 */
const writing = (input: string, owner: string, condition = 'true', ...more: string[]) => `
  ${input},
  accepted as (
    select i.*, p.user_id is not null as participates,
      u.fid as u_fid, u.name as u_name, u.picture_url as u_picture, u.tags as u_tags,
        u.created_at as u_created_at, u.updated_at as u_updated_at
    from input i
    join "user" u on u.bot_id = i.bot_id and u.id = i.user_id
    left join participant p on p.bot_id = i.bot_id and p.conversation_id = i.conversation_id
      and p.user_id = i.user_id
    where (p.user_id is not null or not i.must_participate) and ${condition}
  ),
  counted as (select bot_id, conversation_id, count(*) as n from accepted group by bot_id, conversation_id
    order by bot_id, conversation_id),
  -- Locking the conversation's row orders its messages across connections and processes.
  numbered as (
    update conversation c set
      last_number = c.last_number + n,
      message_count = c.message_count + n,
      last_message_at = greatest(date_trunc('milliseconds', clock_timestamp()),
        c.last_message_at + interval '1 ms') + (n - 1) * interval '1 ms',
      updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), c.updated_at)
    from counted where c.bot_id = counted.bot_id and c.id = counted.conversation_id
    returning c.*, n
  ),
  placed_message as (
    select a.*, c.last_number - c.n + row_number() over w as number,
      c.last_message_at - (c.n - row_number() over w) * interval '1 ms' as created_at,
      c.fid as c_fid, c.integration as c_integration, c.channel as c_channel, c.tags as c_tags,
        c.message_count as c_count, c.created_at as c_created_at, c.updated_at as c_updated_at,
      c.bot_paused
    from accepted a join numbered c on c.bot_id = a.bot_id and c.id = a.conversation_id
    window w as (partition by a.bot_id, a.conversation_id order by a.ord)
  ),
  stored as (
    insert into message (bot_id, id, conversation_id, user_id, number, direction, type, payload, tags, origin,
      cause, said_again, created_at, updated_at)
    select bot_id, id, conversation_id, user_id, number, direction, type, payload, tags, origin,
      cause, said_again, created_at, created_at from placed_message
  ),
  joined as (
    insert into participant (bot_id, conversation_id, user_id)
    select distinct bot_id, conversation_id, user_id from placed_message where not participates
      on conflict do nothing
  ),
  noted as (
    insert into event (bot_id, id, type, conversation_id, user_id, message_id, cause, created_at)
    select bot_id, event_id, 'message_created', conversation_id, user_id, id, cause, created_at
      from placed_message where direction = 'incoming' and origin is null
  ),
  -- Events go to the bot in the conversation's lane, messages to an integration in another lane: otherwise a
  -- running handler of the bot would wait for itself.
  due as (
    select bot_id, conversation_id as lane, delivery_id, 'event' as kind, event_id as subject_id, trace,
      bot_paused as withheld, ord
    from placed_message where direction = 'incoming' and origin is null
    union all
    select m.bot_id, 'out:' || m.conversation_id, m.delivery_id, 'message', m.id, m.trace, false, m.ord
    from placed_message m
    join installation t on t.bot_id = m.bot_id and t.alias = m.c_integration and t.enabled
      and not m.c_channel = any(t.disabled_channels)
    join integration g on g.id = t.integration_id and not (g.workspace_id is null and g.url is null)
    where m.direction = 'outgoing' and m.origin is null
  ),
  ${[queueStatements.enqueueDue(owner, 'trace', 'withheld'), ...more].join(',')}`

const written = `
    m.number, m.created_at, m.c_fid, m.c_integration, m.c_channel, m.c_tags, m.c_count, m.c_created_at,
      m.c_updated_at,
    m.u_fid, m.u_name, m.u_picture, m.u_tags, m.u_created_at, m.u_updated_at,
    d.lane as d_lane, d.number as d_number, d.kind as d_kind, d.owner as d_owner, d.ahead as d_ahead,
    d.withheld as d_withheld`

/** Values of one message. */
export interface MessageValues {
  botId: string
  conversationId: string
  userId: string
  id: string
  direction: 'incoming' | 'outgoing'
  type: string
  /** JSON. */
  payload: string
  /** JSON. */
  tags: string
  origin: string | null
  cause: string | null
  eventId: string
  deliveryId: string
  mustParticipate: boolean
  trace: string | null
  run: string | null
}

/** Values of a message in a statement that writes keys; the message itself may have none. */
export interface KeyedMessageValues extends MessageValues {
  keyId: Buffer | null
  keyRequest: Buffer | null
  keyStatus: number | null
}

/** Values that all messages of a statement share. */
export interface CommonValues {
  owner: string | null
  fences: string[] | null
}

/** Returns the CTE `input`, optionally with more parameters and their columns. */
const fromArguments = (parameters = '', columns = '') => `
  with input as (
    select * from unnest(:botId::text[], :conversationId::text[], :userId::text[], :id::text[],
      :direction::text[], :type::text[], :payload::jsonb[], :tags::jsonb[], :origin::text[], :cause::text[],
      :eventId::text[], :deliveryId::text[], :mustParticipate::bool[], :trace::text[],
      :run::text[]${parameters})
      with ordinality as i (bot_id, conversation_id, user_id, id, direction, type, payload, tags, origin,
        cause, event_id, delivery_id, must_participate, trace, said_again${columns}, ord)
  )`
const writtenMessages = `
  select m.ord, m.id, ${written}
  from placed_message m left join placed d on d.ord = m.ord`

export const writeMessages = statement<ColumnArrays<MessageValues> & CommonValues>(
  'write-messages',
  `${writing(fromArguments(), ':owner', fencing.isUnfenced(':fences'))} ${writtenMessages}`,
)

const withKeys = fromArguments(
  ', :keyId::bytea[], :keyRequest::bytea[], :keyStatus::smallint[]',
  ', key_id, key_request, key_status',
)
const keysOfMessages = messageKeys.insert(`
    select bot_id, key_id, key_request, key_status, id, created_at, coalesce(c_fid, conversation_id),
      coalesce(u_fid, user_id)
    from placed_message where key_id is not null order by bot_id, key_id`)
export const writeKeyedMessages = statement<
  ColumnArrays<KeyedMessageValues> & CommonValues
>(
  'write-keyed-messages',
  `${writing(
    withKeys,
    ':owner',
    `${fencing.isUnfenced(':fences')} and ${messageKeys.isUnused('i.bot_id', 'i.key_id')}`,
    keysOfMessages,
  )} ${writtenMessages}`,
)

/** Selects due messages. */
const scheduled = ({ rows }: DueClaim) => `
  with due_message as (${rows('scheduled_message')}),
  claimed as (delete from scheduled_message s using due_message d where s.bot_id = d.bot_id and s.id = d.id
    returning s.*),
  input as (
    select bot_id, conversation_id, user_id, id, direction, type, payload, tags, origin, cause,
      (:eventIds::text[])[ord] as event_id, (:deliveryIds::text[])[ord] as delivery_id,
      false as must_participate, null as trace, said_again, ord
    from (select *, row_number() over (order by due_at, id) as ord from claimed) c
  )`
/** A row without a number means a dropped message: its conversation or user was deleted. */
export const writeDueMessages = forClaims((claim) =>
  statement<{ eventIds: string[]; deliveryIds: string[]; owner: string | null }>(
    `say-due-messages-${claim.max}`,
    `${writing(scheduled(claim), ':owner')}
    select i.*, ${written}
    from input i left join placed_message m on m.ord = i.ord left join placed d on d.ord = i.ord`,
  ),
)

/** A message of a person: its event goes to the bot in the conversation's lane. */
const fromPerson = `
  noted as (
    insert into event (bot_id, id, type, conversation_id, user_id, message_id, cause, created_at)
    select :botId, :eventId::text, 'message_created', :conversationId, :userId, :id, :cause, last_message_at
      from numbered where :origin is null
  ),
  due as (
    select :botId as bot_id, :conversationId as lane, :deliveryId::text as delivery_id, 'event' as kind,
      :eventId as subject_id, bot_paused as withheld
      from numbered where :origin is null
  )`

/** A message of the bot: goes to an integration in its own lane, as above. */
const fromBot = `
  due as (
    select :botId as bot_id, 'out:' || :conversationId as lane, :deliveryId::text as delivery_id,
      'message' as kind, :id as subject_id, false as withheld
    from numbered n
    join installation t on t.bot_id = :botId and t.alias = n.integration and t.enabled
      and not n.channel = any(t.disabled_channels)
    join integration g on g.id = t.integration_id and not (g.workspace_id is null and g.url is null)
    where :origin is null
  )`

/**
 * Writes one message and at most one delivery. Each direction has a statement, because a part of a
 * statement costs even when it has nothing to do.
 */
const writingOne = (deliver: string, condition: string, ...more: string[]) => `
  with numbered as (
    update conversation c set
      last_number = c.last_number + 1,
      message_count = c.message_count + 1,
      last_message_at = greatest(date_trunc('milliseconds', clock_timestamp()),
        c.last_message_at + interval '1 ms'),
      updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), c.updated_at)
    from "user" u
    where c.bot_id = :botId::text and c.id = :conversationId::text
      and u.bot_id = :botId and u.id = :userId::text
      and (not :mustParticipate::bool or exists (select from participant p
        where p.bot_id = :botId and p.conversation_id = :conversationId and p.user_id = :userId))
      and ${condition}
    returning c.*, u.fid as u_fid, u.name as u_name, u.picture_url as u_picture, u.tags as u_tags,
      u.created_at as u_created_at, u.updated_at as u_updated_at
  ),
  stored as (
    insert into message (bot_id, id, conversation_id, user_id, number, direction, type, payload, tags, origin,
      cause, said_again, created_at, updated_at)
    select :botId, :id::text, :conversationId, :userId, last_number, :direction::text, :type::text,
      :payload::jsonb, :tags::jsonb, :origin::text, :cause::text,
      :run::text, last_message_at, last_message_at from numbered
  ),
  joined as (insert into participant (bot_id, conversation_id, user_id)
    select :botId, :conversationId, :userId from numbered where not :mustParticipate on conflict do nothing),
  ${[deliver, queueStatements.enqueueOne(':owner', ':trace', 'withheld'), ...more].join(',')}
  select 1 as ord, :id as id, n.last_number as number, n.last_message_at as created_at, n.fid as c_fid,
    n.integration as c_integration, n.channel as c_channel,
    n.tags as c_tags, n.message_count as c_count, n.created_at as c_created_at, n.updated_at as c_updated_at,
    n.u_fid, n.u_name, n.u_picture, n.u_tags, n.u_created_at, n.u_updated_at,
    d.lane as d_lane, d.number as d_number, d.kind as d_kind, d.owner as d_owner, d.ahead as d_ahead,
    d.withheld as d_withheld
  from numbered n left join placed d on true`

const keyOfMessage = messageKeys.insert(`
    select :botId, :keyId, :keyRequest::bytea, :keyStatus::smallint, :id, last_message_at,
      coalesce(fid, :conversationId), coalesce(u_fid, :userId)
    from numbered`)

const declareOne = (from: string, deliver: string) => ({
  plain: statement<MessageValues & CommonValues>(
    `write-one-message-${from}`,
    writingOne(deliver, fencing.isUnfenced(':fences')),
  ),
  keyed: statement<KeyedMessageValues & CommonValues>(
    `write-one-keyed-message-${from}`,
    writingOne(
      deliver,
      `${fencing.isUnfenced(':fences')} and ${messageKeys.isUnused(':botId', ':keyId::bytea')}`,
      keyOfMessage,
    ),
  ),
})

/** By direction. */
export const writeOneMessage = {
  incoming: declareOne('from-person', fromPerson),
  outgoing: declareOne('from-bot', fromBot),
}
