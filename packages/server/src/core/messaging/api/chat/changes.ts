// Changes of messages, of which open chats are notified.
import type { Rating } from '@botstead/contract'
import type { BotServices } from '../../../bots/index.ts'
import { redactStored } from '../../../compute/index.ts'
import type { Caller, Services } from '../../../http/index.ts'
import type { QueueServices } from '../../../queue/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import type { Participation } from '../../chat/chat-lookups.ts'
import { type ChatMessageRow, toStoredChatMessage } from '../../chat/chat-message.ts'
import { findMessageOfChat, type ReadMessage } from '../../chat/chat-messages.ts'
import { deleteFeedback, type FeedbackRow, setFeedback } from '../../chat/feedback.ts'
import { ratingTags, toRating } from '../../chat/ratings.ts'
import { updateMessage } from '../../messages/messages.ts'
import type { MessagingServices } from '../../services.ts'
import { storedName } from '../../tags/tags.ts'

type Own = BotServices & MessagingServices & QueueServices & RealtimeServices

export async function changeMessage(
  services: Services & Own,
  caller: Caller<'chatUser'>,
  message: ReadMessage,
  change: Parameters<typeof updateMessage>[4],
): Promise<ReadMessage> {
  const { botId, alias } = caller
  const { payload, tags } = await updateMessage(services.db, botId, message.id, alias, {
    ...change,
    ...(change.payload && {
      payload: await redactStored(services.getRedactors, botId, change.payload),
    }),
  })
  const after = { ...message, payload, tags }
  // Users can edit only the payload of their own messages.
  publishUpdate(services, caller, after, change.payload && { isBot: false })
  return after
}

/** Streams of the Chat API have changes of payloads only, which have `isBot`. */
export const publishUpdate = (
  { signals }: Services & Own,
  { botId, alias }: Caller<'chatUser'>,
  message: ChatMessageRow & { tags: Record<string, string> },
  edited: { isBot: boolean } | undefined = undefined,
) =>
  signals.publish(botId, message.conversation_id, null, () => ({
    type: 'message_updated',
    data: {
      ...edited,
      ...toStoredChatMessage(message),
      ...toRating(message.tags, alias),
    },
  }))

export async function publishBotsUpdate(
  { db, signals }: Services & Own,
  { botId }: { botId: string },
  id: string,
): Promise<void> {
  const message = await findMessageOfChat(db, botId, id)
  if (!message) return
  const { conversation_id, direction, tags, integration } = message
  const isBot = direction === 'outgoing'
  signals.publish(botId, conversation_id, null, () => ({
    type: 'message_updated',
    data: { isBot, ...toStoredChatMessage(message), ...toRating(tags, integration) },
  }))
}

/** A message, and the caller's participation in its conversation. */
type Rated = ReadMessage & { by: Participation }

const toAuthor = (
  { botId }: Caller<'chatUser'>,
  { id: messageId, by: { userId } }: Rated,
) => ({
  botId,
  messageId,
  userId,
})

/**
 * Stores the feedback, its rating and comment in the tags of the message, which the bot reads, and hands over
 * if the rules of the bot say so.
 */
export async function rateMessage(
  services: Services & Own,
  caller: Caller<'chatUser'>,
  message: Rated,
  sent: { rating: Rating; comment?: string | undefined },
): Promise<FeedbackRow> {
  const { rating } = sent
  const comment = await redactStored(services.getRedactors, caller.botId, sent.comment)
  const { id, conversation_id: conversationId } = message
  const tags = ratingTags({ value: String(rating), comment })
  // A repeated rating says nothing new, also after the handoff was closed.
  const isRepeated = message.tags[storedName('feedback', caller.alias)] === tags.feedback
  return services.inTransaction(async (inside) => {
    await changeMessage(inside, caller, message, { tags })
    const row = await setFeedback(inside.db, toAuthor(caller, message), {
      rating,
      comment,
    })
    if (isRepeated) return row
    for (const note of inside.hooks.messageRated)
      await note(inside, { botId: caller.botId, conversationId, id })
    return row
  })
}

export const unrateMessage = (
  services: Services & Own,
  caller: Caller<'chatUser'>,
  message: Rated,
): Promise<void> =>
  services.inTransaction(async (inside) => {
    await changeMessage(inside, caller, message, { tags: ratingTags(null) })
    await deleteFeedback(inside.db, toAuthor(caller, message))
  })
