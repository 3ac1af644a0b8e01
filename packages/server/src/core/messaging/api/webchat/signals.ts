// Streams of the Webchat API: the signals of a conversation, in the form that webchats expect.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { EventStream, type HttpServices, type Services } from '../../../http/index.ts'
import type { RealtimeServices, Signal } from '../../../realtime/index.ts'
import { stoppedType } from '../../chat/answer-stops.ts'
import { lookUpUser, type Participation } from '../../chat/chat-lookups.ts'
import type { StoredChatMessage } from '../../chat/chat-message.ts'
import type { Rating } from '../../chat/ratings.ts'
import type { MessagingServices } from '../../services.ts'
import { toChatUser } from '../chat/serializers.ts'
import { toParticipant, withRating } from './serializers.ts'

type Own = HttpServices & RealtimeServices & MessagingServices

interface Listening extends Pick<Participation, 'conversationId' | 'userId'> {
  botId: string
  /** Number after which the signals begin. */
  after: string
  /** Whether the client knows the signals of streamed messages and stopped answers. */
  isLive?: boolean | undefined
}

/** Streams signals until the client disconnects. `first` precedes all others. */
export function streamSignals(
  services: Own,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { botId, conversationId, userId, after, isLive = false }: Listening,
  first?: Pick<Signal, 'type' | 'data'>,
): void {
  services.listenerLimits.enter(request.raw, { botId, conversationId, userId })
  const stream = new EventStream(request, reply)
  if (first) stream.send({ number: null, ...first })
  const stop = services.signals.listen(botId, conversationId, after, {
    userId,
    send(signal) {
      if (signal.type === 'participant_added')
        void sendParticipant(services, botId, signal, stream)
      else if (isLive && isLiveOnly(signal)) stream.send(signal)
      else for (const one of toWebchatSignals(signal)) stream.send(one)
    },
    ready: () => stream.ready(),
    end: () => stream.end(),
  })
  void stream.closed.then(stop)
}

/** Signals that only the Webchat API has, and that need no conversion. */
const own = new Set([
  'webchat_visibility',
  'webchat_config',
  'custom',
  'participant_removed',
])

const liveOnly = new Set([
  'message_stream_delta',
  'message_stream_abort',
  'message_deleted',
  'messages_read',
  'handoff_opened',
  'handoff_assigned',
  'handoff_closed',
])

/** Signals that the official webchat does not know, or converted forms of which it gets. */
function isLiveOnly({ type, data }: Signal): boolean {
  if (type === 'event_created') return isStop(data)
  return liveOnly.has(type)
}

const isStop = (data: unknown) =>
  (data as { payload: { type?: unknown } }).payload.type === stoppedType

/** The same for all listeners, so that each is converted once. */
const converted = new WeakMap<Signal, Signal[]>()

function toWebchatSignals(signal: Signal): Signal[] {
  const known = converted.get(signal)
  if (known) return known
  const made = own.has(signal.type) ? [signal] : convert(signal)
  converted.set(signal, made)
  return made
}

function convert({ number, type, data }: Signal): Signal[] {
  if (type === 'message_created') {
    const { isBot, ...stored } = data as StoredChatMessage & { isBot: boolean }
    const message = withRating(stored)
    const created = { number, type, data: message }
    // The webchat shows "Delivered" for its own message if this precedes the message.
    const isSent = !isBot && message.metadata?.clientMessageId !== undefined
    const status = {
      number: null,
      type: 'message_status_changed',
      data: { message, newStatus: 'processing' },
    }
    return isSent ? [status, created] : [created]
  }
  if (type === 'message_updated') {
    const { isBot: _, ...message } = data as StoredChatMessage &
      Rating & { isBot?: boolean }
    const { feedback, selectedBy, ...stored } = message
    const rating = { ...(feedback && { feedback }), ...(selectedBy && { selectedBy }) }
    return [{ number, type, data: withRating(stored, rating) }]
  }
  if (type === 'typing_started' || type === 'typing_stopped')
    return (data as { isBot: boolean }).isBot ? [{ number, type, data: {} }] : []
  // The bot no longer answers: the official webchat would show that it writes.
  if (type === 'handoff_opened' || (type === 'event_created' && isStop(data)))
    return [{ number, type: 'typing_stopped', data: {} }]
  if (type === 'event_created') {
    const { isBot, payload } = data as { isBot: boolean; payload: unknown }
    return isBot ? [{ number, type: 'custom', data: { event: payload } }] : []
  }
  return []
}

/** The webchat expects the user, but the signal contains only the id. */
async function sendParticipant(
  { database }: Services,
  botId: string,
  { number, type, data }: Signal,
  stream: EventStream,
): Promise<void> {
  const { conversationId, participantId } = data as Record<string, string>
  const user = await lookUpUser(database, botId, participantId!).catch(() => null)
  if (!user) return
  stream.send({
    number,
    type,
    data: { conversationId, participant: toParticipant(toChatUser(user)) },
  })
}
