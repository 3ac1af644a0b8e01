// The parts of Telegram's objects that the channel reads (https://core.telegram.org/bots/api#update).

export interface TelegramUser {
  id: number
  is_bot?: boolean
  first_name?: string
  last_name?: string
  username?: string
  /** Tag of the app's language, such as `de` or `pt-br`. */
  language_code?: string
}

export interface TelegramChat {
  id: number
  type: string
}

export interface Entity {
  type: string
  /** In UTF-16 code units. */
  offset: number
  length: number
  url?: string
}

interface File {
  file_id: string
  file_unique_id: string
  file_name?: string
  mime_type?: string
}

export interface TelegramMessage {
  message_id: number
  chat: TelegramChat
  from?: TelegramUser
  message_thread_id?: number
  is_topic_message?: boolean
  forum_topic_created?: object
  reply_to_message?: TelegramMessage
  quote?: { text: string }
  text?: string
  entities?: Entity[]
  caption?: string
  caption_entities?: Entity[]
  photo?: (File & { width: number; height: number })[]
  voice?: File
  audio?: File
  video?: File
  video_note?: File
  animation?: File
  document?: File
  sticker?: File & { is_animated?: boolean; is_video?: boolean; emoji?: string }
  location?: { latitude: number; longitude: number }
  venue?: { title: string; address: string }
  contact?: { phone_number: string; first_name?: string; last_name?: string }
  reply_markup?: { inline_keyboard?: { text: string; callback_data?: string }[][] }
}

interface Reaction {
  emoji?: string
  custom_emoji_id?: string
}

export interface TelegramUpdate {
  update_id: number
  message?: TelegramMessage
  edited_message?: TelegramMessage
  callback_query?: {
    id: string
    from: TelegramUser
    data?: string
    message?: TelegramMessage
  }
  message_reaction?: {
    chat: TelegramChat
    message_id: number
    user?: TelegramUser
    old_reaction: Reaction[]
    new_reaction: Reaction[]
  }
}
