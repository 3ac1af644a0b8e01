// Writes messages: the hot path. One statement writes the message, its event, its delivery and the numbering; messages that arrive
// while others are being written go together in the next statement.
export interface NewMessage {
  botId: string
  conversationId: string
  userId: string
  direction: 'incoming' | 'outgoing'
  type: string
  payload: Record<string, unknown>
  tags?: Record<string, string>
  origin?: 'synthetic'
  cause?: string | null
  /** The author must already take part (Chat API); otherwise authorship makes one a participant. */
  mustParticipate?: boolean
}

export interface MessageRow {
  bot_id: string
  id: string
  conversation_id: string
  user_id: string
  number: string
  direction: 'incoming' | 'outgoing'
  type: string
  payload: Record<string, unknown>
  tags: Record<string, string>
  origin: string | null
  created_at: Date
  updated_at: Date
}

export interface MessageWriter {
  /**
   * Stores a message, tells listeners, and hands it to whom it concerns (incoming: the bot; outgoing: the conversation's integration).
   * Resolves after the commit. Throws ResourceNotFound without such a conversation, ReferenceNotFound without such a user, Forbidden when
   * `mustParticipate` and the user does not.
   */
  post(message: NewMessage): Promise<MessageRow>
}
