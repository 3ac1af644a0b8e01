// The parts of Matrix's events that the channel reads (https://spec.matrix.org/latest/client-server-api/).

export interface MatrixContent {
  msgtype?: string
  body?: string
  filename?: string
  url?: string
  geo_uri?: string
  info?: { mimetype?: string }
  membership?: string
  redacts?: string
  'm.new_content'?: MatrixContent
  'm.relates_to'?: {
    rel_type?: string
    event_id?: string
    key?: string
    is_falling_back?: boolean
    'm.in_reply_to'?: { event_id?: string }
  }
  'org.matrix.msc3245.voice'?: unknown
}

export interface MatrixEvent {
  type: string
  event_id: string
  sender: string
  state_key?: string
  redacts?: string
  content?: MatrixContent
  unsigned?: { prev_content?: { membership?: string } }
}

export interface JoinedRoom {
  timeline?: { events?: MatrixEvent[]; limited?: boolean; prev_batch?: string }
  ephemeral?: { events?: { type: string; content?: Record<string, unknown> }[] }
}

export interface SyncAnswer {
  next_batch: string
  rooms?: { join?: Record<string, JoinedRoom>; invite?: Record<string, unknown> }
}
