// Converts rows to responses of the Webchat API.
import type { ChatUser, WebchatMessage, WebchatUser } from '@botstead/contract'
import type { NamedUser } from '../../chat/chat-lookups.ts'
import {
  type ChatMessageRow,
  type StoredChatMessage,
  toStoredChatMessage,
} from '../../chat/chat-message.ts'
import { type Rating, toRating } from '../../chat/ratings.ts'
import { toChatUser } from '../chat/serializers.ts'
import { toWebchatPayload } from './payloads.ts'

/** Another participant, without the data and attributes, which the user sent for the bot. */
export const toParticipant = ({ profile: _, ...user }: ChatUser): WebchatUser => user

/** The caller itself. */
export const toWebchatUser = (row: NamedUser): WebchatUser => ({
  ...toParticipant(toChatUser(row)),
  ...(row.data !== null && { data: row.data }),
  ...(row.attributes !== null && { attributes: row.attributes }),
})

/** `alias` is that of the integration, which prefixes the tags of the rating. */
export const toWebchatMessage = (
  row: ChatMessageRow & { tags?: Record<string, string> },
  alias: string,
): WebchatMessage => withRating(toStoredChatMessage(row), toRating(row.tags ?? {}, alias))

/** Converts a message as it is in signals. */
export const withRating = (
  { payload, ...message }: StoredChatMessage,
  rating: Rating = {},
): WebchatMessage => {
  const { replyTo, ...shown } = payload as StoredChatMessage['payload'] & {
    replyTo?: unknown
  }
  return {
    ...message,
    payload: toWebchatPayload(shown),
    ...(typeof replyTo === 'string' && { replyTo }),
    ...rating,
  }
}
