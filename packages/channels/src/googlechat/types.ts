// The parts of interaction events that the channel reads
// (https://developers.google.com/workspace/chat/api/reference/rest/v1/Event).

export interface ChatUser {
  name?: string
  displayName?: string
  email?: string
  avatarUrl?: string
  /** HUMAN or BOT. */
  type?: string
}

export interface ChatSpace {
  name?: string
  spaceType?: string
  /** The older name of `spaceType`: DM or ROOM. */
  type?: string
  spaceThreadingState?: string
}

export interface ChatAttachment {
  name?: string
  contentName?: string
  contentType?: string
  source?: string
  attachmentDataRef?: { resourceName?: string }
  driveDataRef?: { driveFileId?: string }
}

export interface ChatMessage {
  name?: string
  sender?: ChatUser
  text?: string
  /** Without the mention of the app. */
  argumentText?: string
  thread?: { name?: string }
  space?: ChatSpace
  attachment?: ChatAttachment[]
  quotedMessageMetadata?: { name?: string }
}

export interface ChatEvent {
  type?: string
  eventTime?: string
  message?: ChatMessage
  space?: ChatSpace
  user?: ChatUser
  action?: { parameters?: { key?: string; value?: string }[] }
  common?: {
    parameters?: Record<string, string>
    formInputs?: Record<string, { stringInputs?: { value?: string[] } }>
  }
}
