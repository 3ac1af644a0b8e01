// Converts rows to API objects of bots and integrations: server ids, tags in the caller's view,
// dates as text, absent fields instead of null.
import type { Conversation, Message, User } from '@botstead/contract'
import { type Viewer, viewTags } from './tags/tags.ts'

interface Dated {
  id: string
  tags: Record<string, string>
  created_at: Date
  updated_at: Date
}

export type SerializableMessage = Dated & {
  type: string
  payload: Record<string, unknown>
  direction: 'incoming' | 'outgoing'
  user_id: string
  conversation_id: string
  origin: string | null
}
export type SerializableConversation = Dated & {
  integration: string
  channel: string
  message_count: number
  properties?: Record<string, string>
}
export type SerializableUser = Dated & {
  name: string | null
  picture_url: string | null
  properties?: Record<string, string>
}

/** `viewer` is the alias of the calling integration, or null for the bot. */
export const toMessage = (row: SerializableMessage, viewer: Viewer = null): Message => ({
  id: row.id,
  type: row.type,
  payload: row.payload,
  direction: row.direction,
  userId: row.user_id,
  conversationId: row.conversation_id,
  ...commonFields(row, viewer),
  ...(row.origin === 'synthetic' && { origin: 'synthetic' }),
})

export const toConversation = (
  row: SerializableConversation,
  viewer: Viewer = null,
): Conversation => ({
  id: row.id,
  channel: row.channel,
  integration: row.integration,
  messageCount: row.message_count,
  ...commonFields(row, viewer),
  ...(hasAny(row.properties) && { properties: row.properties }),
})

export const toUser = (row: SerializableUser, viewer: Viewer = null): User => ({
  id: row.id,
  ...commonFields(row, viewer),
  ...(row.name !== null && { name: row.name }),
  ...(row.picture_url !== null && { pictureUrl: row.picture_url }),
  ...(hasAny(row.properties) && { properties: row.properties }),
})

const commonFields = (row: Dated, viewer: Viewer) => ({
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  tags: viewTags(row.tags, viewer),
})

const hasAny = (map: Record<string, string> | undefined): map is Record<string, string> =>
  map !== undefined && Object.keys(map).length > 0
