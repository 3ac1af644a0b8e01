// Conversations and users without pending work, which a retention rule may delete.
import { type RawBuilder, sql } from 'kysely'
import { type Age, isBefore } from '../table-rules/index.ts'

type Condition = RawBuilder<unknown>

const isActive = sql`w.status in ('pending', 'in_progress', 'listening', 'paused')`

/** The daily statistics must have counted its messages. */
const isCounted = ({ botId }: Age) => sql`t.updated_at < (
  select (through + 1)::timestamptz from analytics_progress where bot_id = ${botId})`

export const isOldConversation = (
  age: Age,
): Condition => sql`${isBefore('updated_slot')(age)} and t.updated_at < ${age.at}
      and (t.last_message_at is null or t.last_message_at < ${age.at}) and ${isCounted(age)}`

/**
 * Nothing is pending, scheduled or running in the conversation, and no person holds it. Scheduled
 * events have no index of conversations, so one statement reads them once.
 */
export const isIdleConversation = ({ botId }: Age): Condition => sql`
  not exists (select from delivery d where d.bot_id = t.bot_id and d.lane in (t.id, 'out:' || t.id))
  and not exists (select from handoff h where h.bot_id = t.bot_id and h.conversation_id = t.id
    and h.closed_at is null)
  and not exists (select from workflow w where w.bot_id = t.bot_id and w.conversation_id = t.id
    and ${isActive})
  and not exists (select from scheduled_message s where s.bot_id = t.bot_id and s.conversation_id = t.id)
  and t.id not in (select e.conversation_id from event e where e.bot_id = ${botId}
    and e.due_at is not null and e.status = 'scheduled' and e.conversation_id is not null)`

/** Not the bot itself, no participant of a conversation, no person who answers in place of the bot. */
export const isIdleUser = (): Condition => sql`
  t.id <> t.bot_id
  and not exists (select from participant p where p.bot_id = t.bot_id and p.user_id = t.id)
  and not exists (select from conversation c where c.bot_id = t.bot_id and c.owner_id = t.id)
  and not exists (select from handoff_agent a where a.bot_id = t.bot_id and a.user_id = t.id)
  and not exists (select from workflow w where w.bot_id = t.bot_id and w.user_id = t.id and ${isActive})`
