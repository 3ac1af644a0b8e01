// Listening to a conversation, over any transport: permission, starting point and end.

import type { ChatUserCaller, Services } from '../../http/services.ts'
import type { Listener } from '../../infra/realtime/signals.ts'
import { recentStart } from '../../modules/messaging/message-signals.ts'
import { requireParticipation } from './access.ts'

/**
 * A new listener starts this far in the past, so that a client which posts just before it listens
 * does not miss the response.
 */
const recentMs = 500

type StartListening = (ears: Omit<Listener, 'userId'>) => () => void

/**
 * Throws Forbidden if the caller is not a participant. Events after `lastEventId`, the id of the
 * last received frame, are sent first.
 */
export async function listenTo(
  services: Services,
  caller: ChatUserCaller,
  conversation: string,
  lastEventId: string | undefined,
): Promise<StartListening> {
  const { db, signals } = services
  const { botId } = caller
  const found = await requireParticipation(services, caller, conversation)
  const resumed = lastEventId !== undefined && /^\d{1,18}$/.test(lastEventId)
  const after = resumed ? lastEventId : await recentStart(db, botId, found.conversationId, recentMs)
  return (ears) => {
    const listener: Listener = { userId: found.userId, ...ears }
    return signals.listen(botId, found.conversationId, after, listener)
  }
}
