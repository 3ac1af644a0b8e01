// Stops of answers. One statement marks the delivery of the event that is being answered, and writes
// the event that shows the stop in the conversation. The processes that work on the answer are
// notified after the commit (core/realtime/stops.ts).
import { type Database, statement } from '../../db/index.ts'
import { newId } from '../../lib/index.ts'
import { deliveryStatements } from '../../queue/index.ts'
import type { Signals, Stops } from '../../realtime/index.ts'

interface Deps {
  database: Pick<Database, 'run'>
  signals: Pick<Signals, 'publish'>
  stops: Pick<Stops, 'stop'>
}

/** The conversation, and the user who stops the answer: the bot's user for its operator. */
interface Stopping {
  botId: string
  alias: string
  conversation: { id: string; fid: string | null }
  user: { id: string; fid: string | null }
}

/** `payload.type` of the event that listeners receive. */
export const stoppedType = 'botstead:stopped'

const stopStatement = statement<{
  botId: string
  conversationId: string
  id: string
  type: string
  userId: string
  shownType: string
  shown: string
}>(
  'stop-answer',
  `
  with answered as (
    select lane, number, id, subject_id from delivery
    where bot_id = :botId::text and lane = :conversationId::text and kind = 'event' and dead_at is null
    order by number limit 1
  ),
  marked as (${deliveryStatements.markStopped('answered')}
  ),
  numbered as (
    update conversation set last_number = last_number + 1
    where bot_id = :botId and id = :conversationId and exists (select from marked)
    returning last_number
  ),
  noted as (
    insert into event (bot_id, id, type, payload, conversation_id, user_id, status)
    select :botId, :id::text, :type::text, jsonb_build_object('conversationId', :conversationId,
      'userId', :userId::text, 'payload',
      jsonb_build_object('type', :shownType::text, 'eventId', subject_id)),
      :conversationId, :userId, 'processed'
    from marked returning created_at
  ),
  signalled as (
    insert into signal (bot_id, conversation_id, number, type, data)
    select :botId, :conversationId, n.last_number, 'event_created', :shown::jsonb
      || jsonb_build_object('createdAt',
        to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'payload', jsonb_build_object('type', :shownType, 'eventId', m.subject_id))
    from numbered n cross join noted e cross join marked m
    returning number, data
  )
  select a.id as delivery_id, a.subject_id, s.number, s.data
  from answered a left join signalled s on true`,
)

interface StoppedRow {
  delivery_id: string
  subject_id: string
  /** Null if the answer had been stopped before. */
  number: string | null
  data: unknown
  [column: string]: unknown
}

/**
 * Stops the answer to the first event of the conversation that is not handled yet. Returns false if
 * there is none.
 */
export async function stopAnswer(deps: Deps, stopping: Stopping): Promise<boolean> {
  const { botId, alias, conversation, user } = stopping
  const id = newId('event')
  const shown = {
    id,
    conversationId: conversation.fid ?? conversation.id,
    userId: user.fid ?? user.id,
    isBot: user.id === botId,
  }
  const [found] = await deps.database.run<StoppedRow>(
    ...stopStatement({
      botId,
      conversationId: conversation.id,
      id,
      type: `${alias}:stopped`,
      userId: user.id,
      shownType: stoppedType,
      shown: JSON.stringify(shown),
    }),
  )
  if (!found) return false
  const { delivery_id: deliveryId, subject_id: eventId, number, data } = found
  deps.stops.stop({ botId, conversationId: conversation.id, eventId, deliveryId })
  if (number !== null)
    deps.signals.publish(botId, conversation.id, number, () => ({
      type: 'event_created',
      data,
    }))
  return true
}
