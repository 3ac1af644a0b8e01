// Listening to a conversation, over any transport: permission, starting point and end.
import type { IncomingMessage } from 'node:http'
import { signals as chatSignals, liveSignals } from '@botstead/contract'
import type { Caller, HttpServices, Services } from '../../../http/index.ts'
import type { Listener, RealtimeServices, Signal } from '../../../realtime/index.ts'
import { recentStart } from '../../messages/message-signals.ts'
import { requireParticipation } from './access.ts'

type Own = HttpServices & RealtimeServices

/**
 * A new listener starts this far in the past, so that a client which posts just before it listens
 * does not miss the response.
 */
const recentMs = 500

type StartListening = (ears: Omit<Listener, 'userId'>) => () => void

/**
 * Throws Forbidden if the caller is not a participant, RateLimited if it has too many streams. Events
 * after `lastEventId`, the id of the last received frame, are sent first.
 */
export async function listenTo(
  services: Own,
  { caller, request }: { caller: Caller<'chatUser'>; request: IncomingMessage },
  conversation: string,
  lastEventId: string | undefined,
): Promise<StartListening> {
  const { botId } = caller
  const { conversationId, userId } = await requireParticipation(
    services,
    caller,
    conversation,
  )
  const after = await startPosition(services, botId, conversationId, lastEventId)
  services.listenerLimits.enter(request, { botId, conversationId, userId })
  return ({ send, ...ears }) =>
    services.signals.listen(botId, conversationId, after, {
      userId,
      send: (signal) => isStreamed(signal) && send(signal),
      ...ears,
    })
}

function isStreamed({ type, data }: Signal): boolean {
  // Ratings and selections by users of webchats are not signals of the Chat API.
  if (type === 'message_updated') return 'isBot' in (data as object)
  return chatSignals.isSignalType(type) || liveSignals.isLiveSignalType(type)
}

/** Returns the number after which a listener starts. */
export async function startPosition(
  { db }: Services,
  botId: string,
  conversationId: string,
  lastEventId: string | undefined,
): Promise<string> {
  const resumed = lastEventId !== undefined && /^\d{1,18}$/.test(lastEventId)
  return resumed ? lastEventId : recentStart(db, botId, conversationId, recentMs)
}
