// The parts of Slack's objects that the channel reads (https://docs.slack.dev/reference/events).

export interface Style {
  bold?: boolean
  italic?: boolean
  strike?: boolean
  code?: boolean
}

/** An element of a block `rich_text`, at any depth. */
export interface RichElement {
  type: string
  elements?: RichElement[]
  text?: string
  url?: string
  style?: Style | string
  user_id?: string
  channel_id?: string
  usergroup_id?: string
  range?: string
  name?: string
  unicode?: string
  value?: string
  fallback?: string
  indent?: number
  offset?: number
}

export interface SlackFile {
  id: string
  name?: string
  title?: string
  mimetype?: string
  subtype?: string
  size?: number
  is_external?: boolean
  /** `check_file_info`: only files.info gives the rest. */
  file_access?: string
  url_private?: string
  url_private_download?: string
}

export interface SlackMessage {
  user?: string
  username?: string
  bot_id?: string
  text?: string
  ts: string
  thread_ts?: string
  subtype?: string
  blocks?: RichElement[]
  files?: SlackFile[]
}

export interface SlackEvent extends SlackMessage {
  type: string
  channel?: string
  /** Another one for each event, also if it arrives again. */
  event_ts?: string
  /** Of an edit, or a deletion. */
  message?: SlackMessage
  previous_message?: SlackMessage
  deleted_ts?: string
  /** Of a reaction. */
  reaction?: string
  item?: { type: string; channel?: string; ts?: string }
}

export interface EventCallback {
  event: SlackEvent
  authorizations?: { user_id?: string }[]
}

export interface Interaction {
  type: string
  user?: { id: string; name?: string; username?: string }
  channel?: { id: string }
  message?: { ts?: string; thread_ts?: string }
  container?: { channel_id?: string; message_ts?: string; thread_ts?: string }
  actions?: {
    type: string
    action_id: string
    action_ts?: string
    value?: string
    text?: { text?: string }
    selected_option?: { value?: string; text?: { text?: string } }
  }[]
}

export interface SlashCommand {
  command: string
  text?: string
  user_id: string
  user_name?: string
  channel_id: string
  trigger_id: string
}
