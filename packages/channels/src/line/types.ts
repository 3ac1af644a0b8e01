// The parts of LINE's webhook events that the channel reads
// (https://developers.line.biz/en/reference/messaging-api/#webhook-event-objects).

export interface LineSource {
  type: string
  userId?: string
  groupId?: string
  roomId?: string
}

export interface LineMessage {
  id: string
  type: string
  text?: string
  quotedMessageId?: string
  fileName?: string
  contentProvider?: { type: string; originalContentUrl?: string }
  title?: string
  address?: string
  latitude?: number
  longitude?: number
  packageId?: string
  stickerId?: string
  keywords?: string[]
}

export interface LineEvent {
  type: string
  mode?: string
  webhookEventId?: string
  replyToken?: string
  source?: LineSource
  message?: LineMessage
  postback?: { data: string }
  unsend?: { messageId: string }
}
