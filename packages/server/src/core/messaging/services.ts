// The services of this module, and how they behave inside of a transaction.

import type { Cache } from '@botstead/lib'
import type { BotServices } from '../bots/index.ts'
import type { Bindings } from '../db/index.ts'
import type { QueueServices } from '../queue/index.ts'
import type { RealtimeServices } from '../realtime/index.ts'
import type { Participation } from './chat/chat-lookups.ts'
import type { CreateThroughIntegration } from './creations.ts'
import type { MessagingHooks } from './hooks.ts'
import type { MessageWriter } from './messages/message-writer.ts'
import { openMessages } from './messages/open-messages.ts'

export interface MessagingServices {
  /** Writes messages with their events, deliveries and signals: the hot path. */
  messages: MessageWriter
  /**
   * Caches which chat user takes part in which conversation, by their client-side ids. Only a hint:
   * the statement that writes the message checks it.
   */
  participations: Cache<Participation | null>
  createThroughIntegration: CreateThroughIntegration
  hooks: MessagingHooks
}

export const bindings = {
  participations: { invalidate: 'immediate', clear: 'immediate' },
  // It announces its call of code first, which ends the transaction.
  createThroughIntegration: 'unchanged',
  hooks: 'unchanged',
  messages: ({ database, services }) => {
    const { deliveries, signals, stops, changeFeed, getRedactors, hooks } = services
    return openMessages({
      database,
      deliveries,
      signals,
      stops,
      changeFeed,
      getRedactors,
      hooks,
    })
  },
} satisfies Bindings<MessagingServices, BotServices & QueueServices & RealtimeServices>
