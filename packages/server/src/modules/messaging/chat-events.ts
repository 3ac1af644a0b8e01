// Events of chat users: one statement writes the event, its delivery to the bot and the signal to
// listeners.
import type { Database } from '../../infra/db/open.ts'
import { statement } from '../../infra/db/statement.ts'
import { newId } from '../../infra/lib/ids.ts'
import type { Queue } from '../../infra/queue/queue.ts'
import { enqueueDue, enqueuedOf } from '../../infra/queue/store.ts'
import type { Signals } from '../../infra/realtime/signals.ts'
import { currentTrace } from '../../infra/telemetry/tracing.ts'
import type { Participation } from './chat-lookups.ts'

export interface ChatEventRow {
  id: string
  created_at: Date
  payload: Record<string, unknown>
}

const writeChatEvent = statement<{
  botId: string
  conversationId: string
  id: string
  type: string
  payload: string
  userId: string
  signalData: string
  deliveryId: string
  owner: string | null
  trace: string | null
}>(
  'write-chat-event',
  `
  with numbered as (
    update conversation set last_number = last_number + 1
      where bot_id = :botId and id = :conversationId
      returning bot_id, id, last_number
  ),
  noted as (
    insert into event (bot_id, id, type, payload, conversation_id, user_id)
    select bot_id, :id, :type, :payload::jsonb, id, :userId from numbered
    returning bot_id, id, conversation_id, created_at
  ),
  signalled as (
    insert into signal (bot_id, conversation_id, number, type, data)
    select n.bot_id, n.id, n.last_number, 'event_created',
      :signalData::jsonb || jsonb_build_object('createdAt',
        to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from numbered n cross join noted e
    returning number, data
  ),
  due as (select bot_id, conversation_id as lane, :deliveryId::text as delivery_id, 'event' as kind,
    id as subject_id, :trace::text as trace, 1 as ord from noted),
  ${enqueueDue(':owner', 'trace')}
  select p.bot_id, p.lane, p.number, p.delivery_id as id, p.kind, p.subject_id, p.owner, p.ahead, p.trace,
    noted.created_at, signalled.number as signal_number, signalled.data
  from placed p cross join noted cross join signalled`,
)

type Placed = Parameters<typeof enqueuedOf>[0] & {
  created_at: Date
  signal_number: string
  data: unknown
  [column: string]: unknown
}

interface Deps {
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
  signals: Signals
}

/**
 * Creates the event `<alias>:custom` and delivers it to the bot. The event contains the user's
 * payload and the internal ids of user and conversation; the signal has the ids that chat clients
 * see. Returns null if the conversation was deleted in the meantime.
 */
export async function createChatEvent(
  deps: Deps,
  botId: string,
  alias: string,
  by: Participation,
  payload: Record<string, unknown>,
): Promise<ChatEventRow | null> {
  const id = newId('event')
  const { conversationId, userId } = by
  const eventPayload = { userId, conversationId, payload }
  const signalData = {
    id,
    payload,
    conversationId: by.conversationFid ?? conversationId,
    userId: by.userFid ?? userId,
    isBot: false,
  }
  const [placed] = await deps.database.run<Placed>(
    ...writeChatEvent({
      botId,
      conversationId,
      id,
      type: `${alias}:custom`,
      payload: JSON.stringify(eventPayload),
      userId,
      signalData: JSON.stringify(signalData),
      deliveryId: newId('delivery'),
      owner: deps.deliveries.owner,
      trace: currentTrace() ?? null,
    }),
  )
  if (!placed) return null
  deps.signals.publish(botId, conversationId, placed.signal_number, () => ({
    type: 'event_created',
    data: placed.data,
  }))
  deps.deliveries.dispatch([enqueuedOf(placed)])
  return { id, created_at: placed.created_at, payload }
}
