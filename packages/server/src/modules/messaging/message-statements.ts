// The statements that write messages: one for many, and a simpler one without sorting and counting for a
// single message. Both take the same values in the same order (many: one array each) and return the same
// columns. The one for many also writes scheduled messages and deletes them from their table. No other code
// writes `message`.

import { isUnfenced } from '../../infra/queue/fencing.ts'
import { enqueueDue, enqueueOne } from '../../infra/queue/store.ts'
import type { DueClaim } from './events/schedule.ts'

/** Writes the rows of the CTE `input`. The final select joins `placed_message m` and `placed d` by `ord`. */
const writing = (input: string, owner: string, condition = 'true') => `
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
        c.message_count as c_count, c.created_at as c_created_at, c.updated_at as c_updated_at
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
    select bot_id, conversation_id as lane, delivery_id, 'event' as kind, event_id as subject_id, trace, ord
    from placed_message where direction = 'incoming' and origin is null
    union all
    select m.bot_id, 'out:' || m.conversation_id, m.delivery_id, 'message', m.id, m.trace, m.ord
    from placed_message m
    join installation t on t.bot_id = m.bot_id and t.alias = m.c_integration and t.enabled
      and not m.c_channel = any(t.disabled_channels)
    join integration g on g.id = t.integration_id and not (g.workspace_id is null and g.url is null)
    where m.direction = 'outgoing' and m.origin is null
  ),
  ${enqueueDue(owner, 'trace')}`

const written = `
    m.number, m.created_at, m.c_fid, m.c_integration, m.c_channel, m.c_tags, m.c_count, m.c_created_at,
      m.c_updated_at,
    m.u_fid, m.u_name, m.u_picture, m.u_tags, m.u_created_at, m.u_updated_at,
    d.lane as d_lane, d.number as d_number, d.kind as d_kind, d.owner as d_owner, d.ahead as d_ahead`

/**
 * $1 bot, $2 conversation, $3 user, $4 id, $5 direction, $6 type, $7 payload, $8 tags, $9 origin, $10 cause,
 * $11 event, $12 delivery, $13 must take part, $14 trace, $15 run, $16 owner, $17 fences.
 */
const fromArguments = `
  with input as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[],
      $8::jsonb[], $9::text[], $10::text[], $11::text[], $12::text[], $13::bool[], $14::text[], $15::text[])
      with ordinality as i (bot_id, conversation_id, user_id, id, direction, type, payload, tags, origin,
        cause, event_id, delivery_id, must_participate, trace, said_again, ord)
  )`
export const writeMessages = `${writing(fromArguments, '$16', isUnfenced('$17'))}
  select m.ord, m.id, ${written}
  from placed_message m left join placed d on d.ord = m.ord`

/** Selects due messages. $1 event ids, $2 delivery ids, $3 owner. */
const scheduled = ({ rows }: DueClaim) => `
  with due_message as (${rows('scheduled_message')}),
  claimed as (delete from scheduled_message s using due_message d where s.bot_id = d.bot_id and s.id = d.id
    returning s.*),
  input as (
    select bot_id, conversation_id, user_id, id, direction, type, payload, tags, origin, cause,
      ($1::text[])[ord] as event_id, ($2::text[])[ord] as delivery_id,
      false as must_participate, null as trace, said_again, ord
    from (select *, row_number() over (order by due_at, id) as ord from claimed) c
  )`
/** A row without a number means a dropped message: its conversation or user was deleted. */
export const writeDueMessages = (claim: DueClaim) => `${writing(scheduled(claim), '$3')}
  select i.*, ${written}
  from input i left join placed_message m on m.ord = i.ord left join placed d on d.ord = i.ord`

/**
 * Writes one message and at most one delivery: to the bot, or to an integration in its own lane, as above.
 */
export const writeOneMessage = `
  with numbered as (
    update conversation c set
      last_number = c.last_number + 1,
      message_count = c.message_count + 1,
      last_message_at = greatest(date_trunc('milliseconds', clock_timestamp()),
        c.last_message_at + interval '1 ms'),
      updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), c.updated_at)
    from "user" u
    where c.bot_id = $1::text and c.id = $2::text and u.bot_id = $1 and u.id = $3::text
      and (not $13::bool or exists (select from participant p where p.bot_id = $1 and p.conversation_id = $2
        and p.user_id = $3))
      and ${isUnfenced('$17')}
    returning c.*, u.fid as u_fid, u.name as u_name, u.picture_url as u_picture, u.tags as u_tags,
      u.created_at as u_created_at, u.updated_at as u_updated_at
  ),
  stored as (
    insert into message (bot_id, id, conversation_id, user_id, number, direction, type, payload, tags, origin,
      cause, said_again, created_at, updated_at)
    select $1, $4::text, $2, $3, last_number, $5::text, $6::text, $7::jsonb, $8::jsonb, $9::text, $10::text,
      $15::text, last_message_at, last_message_at from numbered
  ),
  joined as (insert into participant (bot_id, conversation_id, user_id) select $1, $2, $3 from numbered
    where not $13 on conflict do nothing),
  noted as (
    insert into event (bot_id, id, type, conversation_id, user_id, message_id, cause, created_at)
    select $1, $11::text, 'message_created', $2, $3, $4, $10, last_message_at from numbered
      where $5 = 'incoming' and $9 is null
  ),
  due as (
    select $1 as bot_id, $2 as lane, $12::text as delivery_id, 'event' as kind, $11 as subject_id
      from numbered where $5 = 'incoming' and $9 is null
    union all
    select $1, 'out:' || $2, $12, 'message', $4
    from numbered n
    join installation t on t.bot_id = $1 and t.alias = n.integration and t.enabled
      and not n.channel = any(t.disabled_channels)
    join integration g on g.id = t.integration_id and not (g.workspace_id is null and g.url is null)
    where $5 = 'outgoing' and $9 is null
  ),
  ${enqueueOne('$16', '$14')}
  select 1 as ord, $4 as id, n.last_number as number, n.last_message_at as created_at, n.fid as c_fid,
    n.integration as c_integration, n.channel as c_channel,
    n.tags as c_tags, n.message_count as c_count, n.created_at as c_created_at, n.updated_at as c_updated_at,
    n.u_fid, n.u_name, n.u_picture, n.u_tags, n.u_created_at, n.u_updated_at,
    d.lane as d_lane, d.number as d_number, d.kind as d_kind, d.owner as d_owner, d.ahead as d_ahead
  from numbered n left join placed d on true`
