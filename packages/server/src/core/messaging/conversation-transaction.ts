// Changes of conversations together with rows of a feature, in one transaction.

import { DeferredSteps, defer } from '@botstead/lib'
import type { Database } from '../db/index.ts'
import { queueModule } from '../queue/index.ts'
import { realtimeModule } from '../realtime/index.ts'
import type { ConversationDeps } from './hooks.ts'
import { createMessageWriter, type MessageWriter } from './messages/message-writer.ts'

export type InTransaction = ConversationDeps & { messages: MessageWriter }

/** Other components learn of the changes after the commit. */
export async function inConversationTransaction<T>(
  deps: ConversationDeps,
  work: (inside: InTransaction) => Promise<T>,
): Promise<T> {
  let afterwards = new DeferredSteps()
  const result = await deps.database.inTransaction(async (database: Database) => {
    afterwards = new DeferredSteps()
    const deliveries = defer(deps.deliveries, queueModule.bindings.deliveries, afterwards)
    const signals = defer(deps.signals, realtimeModule.bindings.signals, afterwards)
    const stops = defer(deps.stops, realtimeModule.bindings.stops, afterwards)
    const changeFeed = defer(
      deps.changeFeed,
      realtimeModule.bindings.changeFeed,
      afterwards,
    )
    const messages = createMessageWriter(database, deliveries, signals)
    return work({ database, deliveries, signals, stops, changeFeed, messages })
  })
  await afterwards.run()
  return result
}
