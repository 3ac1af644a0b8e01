// Parts of the statements that end or repeat deliveries: they change events and messages together with the
// deliveries. Each is the body of a CTE; its parameters are the names of CTEs.
import { maxReasonLength } from '@botstead/lib'

/**
 * Events of a workflow are delivered in order, as are those of a conversation together with its
 * messages. Other events have their own lanes.
 */
export const eventLane = 'coalesce(workflow_id, conversation_id, id)'

/** Stores the outcomes of the events in `gone (bot_id, kind, subject_id, result, reason, attempts, …)`. */
export const settleEvents = (gone: string) => `
    update event v set status = case g.result when 'done' then 'processed' when 'ignored' then 'ignored'
      else 'failed' end, failure_reason = left(g.reason, ${maxReasonLength}), started_at = g.started_at,
      ms = g.ms, attempts = g.earlier_attempts + g.attempts
    from ${gone} g where g.kind = 'event' and v.bot_id = g.bot_id and v.id = g.subject_id
    returning v.bot_id, v.id, v.recurring_key, v.status, v.failure_reason, v.type, v.conversation_id,
      v.user_id, v.workflow_id`

/** Counts the failures of the recurring events with a tick in `ticks`. */
export const countTicks = (ticks: string) => `
    update recurring_event r set
      failed_attempts = case t.status when 'failed' then r.failed_attempts + 1 else 0 end,
      last_failure_reason = t.failure_reason
    from ${ticks} t where r.bot_id = t.bot_id and r.key = t.recurring_key
      and (t.status = 'failed' or r.failed_attempts > 0)`

/** Stores the outcomes of events that succeeded in the first attempt: `removed (event_id, status, …)`. */
export const endEvents = (removed: string) => `
    update event v set status = r.status, failure_reason = left(r.reason, ${maxReasonLength}),
      started_at = r.started_at, ms = r.ms, attempts = 1
    from ${removed} r where v.bot_id = r.bot_id and v.id = r.event_id`

/** The same for the event of the parameters, if `removed` has a row. */
export const endEvent = (removed: string) => `
    update event set status = :status::text, failure_reason = left(:reason::text, ${maxReasonLength}),
      started_at = :startedAt::timestamptz, ms = :ms::int, attempts = 1
    where bot_id = :botId and id = :eventId::text and exists (select from ${removed})`

/** Makes the events of the dead letters in `picked` pending; `payload` is an expression for their payload. */
export const awaitEvents = (picked: string, payload: string) => `
    update event v set status = 'pending', failure_reason = null, dismissed_at = null,
      payload = ${payload} from ${picked} p
      where p.kind = 'event' and v.bot_id = p.bot_id and v.id = p.subject_id`

/**
 * Selects and locks the failed events in `chosen (id)` of the bot `botId` that have no dead letter, except
 * those that another statement has locked.
 */
export const takeRejected = (chosen: string) => `
    select v.bot_id, v.id, ${eventLane} as lane, v.created_at from event v
    where v.bot_id = :botId and v.id in (select id from ${chosen}) and v.status = 'failed'
      and v.dismissed_at is null and not exists (select from delivery d where d.bot_id = v.bot_id
        and d.subject_id = v.id and d.dead_at is not null)
    order by v.id for update skip locked`

/** Makes the events in `rejected (bot_id, id)` pending, of which each gets a new delivery. */
export const awaitRejected = (rejected: string) => `
    update event v set status = 'pending', failure_reason = null, dismissed_at = null from ${rejected} r
      where v.bot_id = r.bot_id and v.id = r.id`

/** Takes the failed events in `ended (bot_id, id)` off the list of failures. */
export const dismissEvents = (ended: string) => `
    update event v set dismissed_at = now() from ${ended} g where v.bot_id = g.bot_id and v.id = g.id`

/**
 * Replaces the payload of the messages in `picked` by the parameter `payload`: of dead letters that send a
 * message or have an event that shows one.
 */
export const editMessages = (picked: string) => `
    update message m set payload = :payload::jsonb, updated_at = now()
    from ${picked} p left join event v on p.kind = 'event' and v.bot_id = p.bot_id and v.id = p.subject_id
    where m.bot_id = p.bot_id
      and m.id = case when p.kind = 'message' then p.subject_id when v.payload is null then v.message_id end
    returning m.bot_id, m.conversation_id, m.number`
