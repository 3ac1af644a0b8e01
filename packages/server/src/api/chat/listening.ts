// What listening means, whatever carries it: who may, where it begins, and when it ends.
import { recentStart } from '../../messaging/message-signals.ts'
import type { Listener } from '../../realtime/signals.ts'
import type { ChatUserCaller, Services } from '../../services.ts'
import { participate } from './access.ts'

/** A client that posted just before it could listen must not miss the answer: a new listener begins this long ago. */
const recentMs = 500

export type StartListening = (ears: Omit<Listener, 'userId'>) => () => void

/** Throws Forbidden to who does not take part. `lastEventId` is the id of the last frame that was heard; what follows it is sent first. */
export async function listenTo(
  services: Services,
  caller: ChatUserCaller,
  conversation: string,
  lastEventId: string | undefined,
): Promise<StartListening> {
  const { db, signals } = services
  const { botId } = caller
  const found = await participate(services, caller, conversation)
  const resumed = lastEventId !== undefined && /^\d{1,18}$/.test(lastEventId)
  const after = resumed ? lastEventId : await recentStart(db, botId, found.conversationId, recentMs)
  return (ears) => {
    const listener: Listener = { userId: found.userId, ...ears }
    return signals.listen(botId, found.conversationId, after, listener)
  }
}
