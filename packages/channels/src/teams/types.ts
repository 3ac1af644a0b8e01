// The parts of activities that the channel reads
// (https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference).

interface Account {
  id?: string
  name?: string
}

export interface Attachment {
  contentType?: string
  contentUrl?: string
  name?: string
  content?: unknown
}

export interface Activity {
  type?: string
  id?: string
  timestamp?: string
  serviceUrl?: string
  channelId?: string
  name?: string
  /** Of an update of the installation: add, remove. */
  action?: string
  from?: Account
  recipient?: Account
  conversation?: Account & { conversationType?: string; tenantId?: string }
  text?: string
  attachments?: Attachment[]
  entities?: { type?: string; text?: string; mentioned?: Account }[]
  replyToId?: string
  /** Data of a pressed button, or the values of a card. */
  value?: unknown
  channelData?: { eventType?: string; tenant?: { id?: string } }
  reactionsAdded?: { type?: string }[]
  reactionsRemoved?: { type?: string }[]
}
