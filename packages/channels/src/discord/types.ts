// The parts of Discord's objects that the channel reads
// (https://discord.com/developers/docs/resources/message).

export interface DiscordUser {
  id: string
  username: string
  global_name?: string | null
  avatar?: string | null
  bot?: boolean
}

export interface Attachment {
  id: string
  filename: string
  content_type?: string
  size: number
  url: string
}

export interface DiscordMessage {
  id: string
  channel_id: string
  /** Not of direct messages. */
  guild_id?: string
  type?: number
  author?: DiscordUser
  webhook_id?: string
  content?: string
  edited_timestamp?: string | null
  attachments?: Attachment[]
  mentions?: DiscordUser[]
  flags?: number
  sticker_items?: { id: string; name: string }[]
  referenced_message?: DiscordMessage | null
}

export interface Place {
  channel_id: string
  guild_id?: string
}

export interface DeletedMessage extends Place {
  id: string
}

export interface Reaction extends Place {
  user_id: string
  message_id: string
  emoji: { id?: string | null; name?: string | null }
  member?: { user?: DiscordUser }
}

export interface Component {
  type: number
  custom_id?: string
  label?: string
  components?: Component[]
  options?: { label: string; value: string }[]
}

export interface Interaction extends Place {
  id: string
  /** Lets everybody answer for the bot, for 15 minutes. */
  token: string
  type: number
  application_id?: string
  data?: {
    custom_id?: string
    values?: string[]
    /** Of a command. */
    name?: string
    options?: { name: string; value?: unknown }[]
  }
  member?: { user?: DiscordUser }
  user?: DiscordUser
  message?: { components?: Component[]; flags?: number }
}
