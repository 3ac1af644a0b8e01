// Opens the writer of messages that everything else uses: it redacts messages of people, and lets
// features store further rows with a message.
import { type GetRedactors, redactMessage } from '../../compute/index.ts'
import type { ConversationDeps, MessagingHooks } from '../hooks.ts'
import { createMessageWriter, type MessageWriter } from './message-writer.ts'

interface Deps extends ConversationDeps {
  getRedactors: GetRedactors
  hooks: Pick<MessagingHooks, 'takeMessage'>
}

export function openMessages({ getRedactors, hooks, ...deps }: Deps): MessageWriter {
  const writer = createMessageWriter(deps.database, deps.deliveries, deps.signals)
  return {
    async post(sent) {
      const message = await redactMessage(getRedactors, sent)
      for (const take of hooks.takeMessage) {
        const store = await take(message)
        if (store) return store(deps)
      }
      return writer.post(message)
    },
  }
}
