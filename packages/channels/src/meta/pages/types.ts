// The parts of the notifications of Messenger and Instagram that the channels read
// (https://developers.facebook.com/docs/messenger-platform/reference/webhook-events).
import type { Configuration } from '../../channel.ts'
import type { Graph } from '../graph.ts'

export interface Attachment {
  type: string
  title?: string
  url?: string
  payload?: {
    url?: string
    title?: string
    sticker_id?: number
    coordinates?: { lat: number; long: number }
  }
}

export interface PageMessage {
  mid: string
  text?: string
  is_echo?: boolean
  is_self?: boolean
  is_deleted?: boolean
  is_unsupported?: boolean
  quick_reply?: { payload: string }
  reply_to?: { mid?: string; story?: { id?: string; url?: string } }
  attachments?: Attachment[]
}

export interface Messaging {
  sender?: { id: string }
  recipient?: { id: string }
  timestamp?: number
  message?: PageMessage
  postback?: { mid?: string; title?: string; payload?: string }
  reaction?: { mid: string; action: string; emoji?: string; reaction?: string }
  message_edit?: { mid: string; text?: string }
  delivery?: { mids?: string[]; watermark?: number }
  read?: { mid?: string; watermark?: number }
}

/** How Messenger and Instagram differ. */
export interface PageProvider {
  name: 'messenger' | 'instagram'
  title: string
  toGraph(configuration: Configuration): Graph
  /** Where the app secret of signatures is. */
  secretPlace: string
  findAccountId(configuration: Configuration): string
  /** Of the account, to check the credentials. */
  accountFields: string
  /** Opens a chat with the account. */
  toLink(account: { id: string; name: string }): string
  /** Notifications that the app gets for the account. */
  subscribedFields: string
  /** Of a person: https://developers.facebook.com/docs/messenger-platform/identity/user-profile */
  profileFields: string
  toConversationTags(ids: {
    senderId: string
    recipientId: string
  }): Record<string, string>
  text: { limit: number; measure: (text: string) => number }
  /** Whether a file may be sent by its bytes. */
  takesUploads: boolean
  mediaTypes: string[]
  /** Of each message to a person with a message in the last 24 hours. */
  response: Record<string, string>
}

/** The content of one message. A file is sent along with it. */
export interface Part {
  message: Record<string, unknown>
  file?: { name: string; contentType: string; content: Uint8Array }
}
