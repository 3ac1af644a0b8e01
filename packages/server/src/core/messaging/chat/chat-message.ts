// Converts between messages as chat clients see them and as they are stored. Clients see a flat
// payload with its `type`, `metadata` beside it, and the ids that they chose. Storage keeps the
// type apart and metadata inside the payload, as for every integration.

export interface ChatMessageRow {
  id: string
  type: string
  payload: Record<string, unknown>
  created_at: Date
  user_id: string
  conversation_id: string
  conversation: { fid: string | null }
  user: { fid: string | null }
}

export interface StoredChatMessage {
  id: string
  createdAt: string
  payload: { type: string }
  userId: string
  conversationId: string
  metadata?: Record<string, unknown>
}

export function toStoredChatMessage(row: ChatMessageRow): StoredChatMessage {
  const { metadata, type: _, ...payload } = row.payload
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    payload: { type: row.type, ...shownPayload(row.type, payload) },
    userId: row.user.fid ?? row.user_id,
    conversationId: row.conversation.fid ?? row.conversation_id,
    ...(isObject(metadata) && { metadata }),
  }
}

/**
 * Converts items to the form of chat clients: bots write the items of a bloc as `{type, payload}`,
 * and the cards of a carousel without a type.
 */
function shownPayload(
  type: string,
  payload: Record<string, unknown>,
): Record<string, unknown> {
  if (!Array.isArray(payload.items)) return payload
  if (type === 'carousel')
    return {
      ...payload,
      items: payload.items.map((item) =>
        isObject(item) ? { ...item, type: 'card' } : item,
      ),
    }
  if (type === 'bloc')
    return {
      ...payload,
      items: payload.items.map((item) =>
        isObject(item) && isObject(item.payload)
          ? { ...item.payload, type: item.type }
          : item,
      ),
    }
  return payload
}

/** Converts a message that a chat client sent to its stored form. */
export function storedPayload(
  sent: Record<string, unknown>,
  metadata: Record<string, unknown> | undefined,
): { type: string; payload: Record<string, unknown> } {
  const { type, ...rest } = sent
  const payload =
    type === 'bloc' && Array.isArray(rest.items)
      ? { ...rest, items: rest.items.map(storedItem) }
      : rest
  return { type: String(type), payload: { ...payload, ...(metadata && { metadata }) } }
}

const storedItem = (item: unknown) => {
  if (!isObject(item)) return item
  const { type, ...payload } = item
  return { type, payload }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
