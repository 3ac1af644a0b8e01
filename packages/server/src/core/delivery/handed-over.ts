// Deliveries that another process enqueued into a lane of this one. Their notes are JSON.

import type { WrittenMessage } from '../messaging/index.ts'
import type { Enqueued } from '../queue/index.ts'

/** Returns the delivery with the dates of its message as `Date`. */
export function withDates(delivery: Enqueued): Enqueued {
  const message = delivery.content as WrittenMessage | undefined
  if (!message) return delivery
  const { conversation, user } = message
  const content: WrittenMessage = {
    ...dated(message),
    conversation: dated(conversation),
    user: dated(user),
  }
  return { ...delivery, content }
}

const dated = <T extends { created_at: Date; updated_at: Date }>(row: T): T => ({
  ...row,
  created_at: new Date(row.created_at),
  updated_at: new Date(row.updated_at),
})
