// Events of chat users: one statement writes the event, its delivery to the bot and the signal to
// listeners.
import { type Database, statement } from '../../db/index.ts'
import { newId } from '../../lib/index.ts'
import { type Queue, queueStatements } from '../../queue/index.ts'
import type { Signals } from '../../realtime/index.ts'
import { tracing } from '../../telemetry/index.ts'
import type { Participation } from './chat-lookups.ts'

export interface ChatEventRow {
  id: string
  created_at: Date
}

/** An event that a chat user sends to the bot. */
interface NewChatEvent {
  /** Name in the definition of the integration. */
  name: string
  /** Payload for the bot, beside the ids of user and conversation. */
  payload: Record<string, unknown>
  /** Payload that listeners receive; null if they receive no signal. */
  shown: Record<string, unknown> | null
  /** Stored only once per conversation. */
  isStart?: boolean
  /** Whether the event names the conversation and the user beside its payload; true by default. */
  bindConversation?: boolean | undefined
  bindUser?: boolean | undefined
}

/** A custom event, as the integration names and describes it. */
export const customEvent = (
  { integration }: { integration: 'chat' | 'webchat' },
  payload: Record<string, unknown>,
): Pick<NewChatEvent, 'name' | 'payload'> =>
  integration === 'chat'
    ? { name: 'custom', payload: { payload } }
    : { name: 'trigger', payload: { origin: 'website', payload } }

const writeChatEvent = statement<{
  botId: string
  conversationId: string
  id: string
  type: string
  payload: string
  userId: string
  signalData: string | null
  isStart: boolean
  bindConversation: boolean
  bindUser: boolean
  deliveryId: string
  owner: string | null
  trace: string | null
}>(
  'write-chat-event',
  `
  with numbered as (
    update conversation set
      last_number = last_number + case when :signalData::jsonb is null then 0 else 1 end,
      started_at = case when :isStart::boolean then now() else started_at end
    where bot_id = :botId and id = :conversationId and not (:isStart and started_at is not null)
      returning bot_id, id, last_number
  ),
  noted as (
    insert into event (bot_id, id, type, payload, conversation_id, user_id)
    select bot_id, :id, :type, :payload::jsonb, case when :bindConversation::boolean then id end,
      case when :bindUser::boolean then :userId::text end from numbered
    returning bot_id, id, created_at
  ),
  signalled as (
    insert into signal (bot_id, conversation_id, number, type, data)
    select n.bot_id, n.id, n.last_number, 'event_created',
      :signalData::jsonb || jsonb_build_object('createdAt',
        to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from numbered n cross join noted e where :signalData::jsonb is not null
    returning number, data
  ),
  due as (select e.bot_id, n.id as lane, :deliveryId::text as delivery_id, 'event' as kind,
    e.id as subject_id, :trace::text as trace, 1 as ord from noted e cross join numbered n),
  ${queueStatements.enqueueDue(':owner', 'trace')}
  select p.bot_id, p.lane, p.number, p.delivery_id as id, p.kind, p.subject_id, p.owner, p.ahead, p.trace,
    noted.created_at, signalled.number as signal_number, signalled.data
  from placed p cross join noted left join signalled on true`,
)

type Placed = Parameters<typeof queueStatements.toEnqueued>[0] & {
  created_at: Date
  /** Null without a signal. */
  signal_number: string | null
  data: unknown
  [column: string]: unknown
}

interface Deps {
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
  signals: Signals
}

/**
 * Creates the event `<alias>:<name>` and delivers it to the bot. Its payload also contains the
 * internal ids of user and conversation; the signal has the ids that chat clients see. Returns null
 * if the conversation was deleted in the meantime, or has started before.
 */
export async function createChatEvent(
  deps: Deps,
  botId: string,
  alias: string,
  by: Participation,
  event: NewChatEvent,
): Promise<ChatEventRow | null> {
  const id = newId('event')
  const { conversationId, userId } = by
  const signalData = event.shown && {
    id,
    payload: event.shown,
    conversationId: by.conversationFid ?? conversationId,
    userId: by.userFid ?? userId,
    isBot: false,
  }
  const [placed] = await deps.database.run<Placed>(
    ...writeChatEvent({
      botId,
      conversationId,
      id,
      type: `${alias}:${event.name}`,
      payload: JSON.stringify({ userId, conversationId, ...event.payload }),
      userId,
      signalData: signalData && JSON.stringify(signalData),
      isStart: event.isStart ?? false,
      bindConversation: event.bindConversation ?? true,
      bindUser: event.bindUser ?? true,
      deliveryId: newId('delivery'),
      owner: deps.deliveries.owner,
      trace: tracing.getCurrentTrace() ?? null,
    }),
  )
  if (!placed) return null
  if (placed.signal_number !== null)
    deps.signals.publish(botId, conversationId, placed.signal_number, () => ({
      type: 'event_created',
      data: placed.data,
    }))
  deps.deliveries.dispatch([queueStatements.toEnqueued(placed)])
  return { id, created_at: placed.created_at }
}
