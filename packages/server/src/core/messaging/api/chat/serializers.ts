// Converts rows to responses of the Chat API: ids that the client chose, absent instead of null,
// dates as text.
import type {
  ChatConversation,
  ChatEvent,
  ChatMessage,
  ChatUser,
} from '@botstead/contract'
import type { ChatEventRow } from '../../chat/chat-events.ts'
import { publicId } from '../../chat/chat-ids.ts'
import type { Participation } from '../../chat/chat-lookups.ts'
import { type ChatMessageRow, toStoredChatMessage } from '../../chat/chat-message.ts'

interface Row {
  id: string
  fid: string | null
  created_at: Date
  updated_at: Date
}

export const toChatConversation = (row: Row): ChatConversation => ({
  id: publicId(row),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

export const toChatUser = (
  row: Row & { name: string | null; picture_url: string | null; profile: string | null },
): ChatUser => ({
  ...toChatConversation(row),
  ...(row.name !== null && { name: row.name }),
  ...(row.picture_url !== null && { pictureUrl: row.picture_url }),
  ...(row.profile !== null && { profile: row.profile }),
})

/** The contract types known payloads; payloads of bots are returned unchanged. */
export const toChatMessage = (row: ChatMessageRow): ChatMessage =>
  toStoredChatMessage(row) as ChatMessage

export const toChatEvent = (
  row: ChatEventRow & { payload: Record<string, unknown> },
  by: Participation,
): ChatEvent => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  payload: row.payload,
  conversationId: by.conversationFid ?? by.conversationId,
  userId: by.userFid ?? by.userId,
})
