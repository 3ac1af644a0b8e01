// The parts of WhatsApp's notifications that the channel reads
// (https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/components).
import type { GraphError } from '../meta/errors.ts'

/** The content of a sent message: its type, and an object of that name. */
export type Part = Record<string, unknown>

export interface WhatsAppMedia {
  id: string
  mime_type?: string
  caption?: string
  filename?: string
  voice?: boolean
  animated?: boolean
}

export interface WhatsAppContent {
  type: string
  text?: { body: string }
  image?: WhatsAppMedia
  audio?: WhatsAppMedia
  video?: WhatsAppMedia
  document?: WhatsAppMedia
  sticker?: WhatsAppMedia
  location?: { latitude: number; longitude: number; name?: string; address?: string }
  contacts?: {
    name?: { formatted_name?: string }
    phones?: { phone?: string }[]
    emails?: { email?: string }[]
  }[]
  button?: { payload?: string; text: string }
  interactive?: {
    type: string
    button_reply?: { id: string; title: string }
    list_reply?: { id: string; title: string }
    nfm_reply?: { name?: string; body?: string; response_json?: string }
  }
  order?: { text?: string; catalog_id?: string; product_items?: unknown[] }
}

export interface WhatsAppMessage extends WhatsAppContent {
  id: string
  /** A phone number without "+"; absent for people who hide theirs. */
  from?: string
  from_user_id?: string
  context?: { id?: string }
  referral?: { source_url?: string; source_id?: string }
  reaction?: { message_id: string; emoji?: string }
  edit?: { original_message_id: string; message?: WhatsAppContent }
  revoke?: { original_message_id: string }
}

export interface WhatsAppStatus {
  id: string
  status: string
  recipient_id?: string
  recipient_user_id?: string
  errors?: GraphError[]
}

export interface WhatsAppContact {
  wa_id?: string
  user_id?: string
  profile?: { name?: string; username?: string }
}

export interface WhatsAppValue {
  metadata: { phone_number_id: string }
  contacts?: WhatsAppContact[]
  messages?: WhatsAppMessage[]
  statuses?: WhatsAppStatus[]
}
