// Messages before their write, as stored, and with the data of a delivery.
import type { MessageKey } from '../../idempotency/index.ts'

export interface NewMessage {
  botId: string
  conversationId: string
  userId: string
  direction: 'incoming' | 'outgoing'
  type: string
  payload: Record<string, unknown>
  tags?: Record<string, string>
  /** `synthetic`: stored for the transcript, not delivered. */
  origin?: 'synthetic'
  cause?: string | null
  /** Run of the bot's handler, when the handler may have run before: repeated-messages.ts. */
  run?: string | null
  /**
   * Lease of the delivery. The message is rejected when another process has taken the lease over:
   * queue/fencing.ts.
   */
  fence?: string | null
  /** Requires the author to be a participant (Chat API); otherwise the author becomes one. */
  mustParticipate?: boolean
  /** Idempotency-Key of the request, for the statement to store. Not together with `run`. */
  key?: MessageKey
  /** Request id, for the log. */
  requestId?: string
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

/**
 * A message with its author and conversation as of the write: the content of a delivery to the bot.
 */
export interface WrittenMessage extends MessageRow {
  conversation: WrittenConversation
  user: WrittenUser
}
interface WrittenConversation {
  id: string
  fid: string | null
  integration: string
  channel: string
  tags: Record<string, string>
  message_count: number
  created_at: Date
  updated_at: Date
}
interface WrittenUser {
  id: string
  fid: string | null
  name: string | null
  picture_url: string | null
  tags: Record<string, string>
  created_at: Date
  updated_at: Date
}
