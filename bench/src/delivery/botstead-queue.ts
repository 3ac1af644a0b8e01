// Botstead's queue on a separate database, with the server's code: it writes messages (message,
// event, delivery and lane in one statement), dispatches and retries deliveries, and records
// outcomes. A lane is the ordered queue of one conversation.
import { pino } from 'pino'
import type { Database } from '../../../packages/server/dist/core/db/database.js'
import { migrate } from '../../../packages/server/dist/core/db/migrating/migrate.js'
import { openDatabase } from '../../../packages/server/dist/core/db/open.js'
import { recordOutcomes } from '../../../packages/server/dist/core/messaging/events/outcomes.js'
import { createMessageWriter } from '../../../packages/server/dist/core/messaging/messages/message-writer.js'
import { createDepthReader } from '../../../packages/server/dist/core/queue/depth.js'
import { Queue } from '../../../packages/server/dist/core/queue/queue.js'
import { createLaneStore } from '../../../packages/server/dist/core/queue/store.js'
import { startWorker } from '../../../packages/server/dist/core/queue/workers.js'
import { Signals } from '../../../packages/server/dist/core/realtime/signals.js'
import { type DatabaseSettings, withClient } from '../database.ts'
import type { DeliveryTarget } from './delivery-target.ts'

export const botId = 'bot_bench'
const conversationId = (index: number) => `conv_${index}`

export interface BotsteadQueue extends DeliveryTarget {
  /** Lets the other bots answer, which block until then. */
  letOthersGo(): void
  /** Reads the depth as the server does for `/metrics`. */
  readDepth(): Promise<unknown>
}

export async function openBotsteadQueue(
  name: string,
  settings: DatabaseSettings,
  conversations: number,
): Promise<BotsteadQueue> {
  const log = pino({ level: 'error' })
  await migrate(settings, log)
  await fill(settings, conversations)
  const database = openDatabase(settings, { log })
  const worker = await startWorker(database, {
    log,
    leaseSeconds: 15,
    onLeaseLost: () => {},
    onLeaseReleased: () => {},
  })
  const signals = new Signals({ read: async () => [], notify: () => {}, log })
  let letGo = () => {}
  const others = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const target: BotsteadQueue = {
    name,
    onHandled: () => {},
    letOthersGo: letGo,
    readDepth: () => createDepthReader(database)(),
    enqueue: async (conversation) => (await writer.post(hello(conversation))).id,
    async close() {
      letGo()
      clearInterval(sweeps)
      await queue.stop(1_000)
      await worker.stop()
      await database.close()
    },
  }
  const queue = new Queue({
    workerId: () => worker.id,
    // A delivery that was read from the database has only the event id; the event has the message
    // id.
    handler: async ({ botId: receiver, content, subjectId }) => {
      if (receiver !== botId) await others
      else
        target.onHandled(
          (content as { id: string } | undefined)?.id ??
            (await findMessage(database, subjectId)),
        )
      return { result: 'done' }
    },
    retryMs: [1_000],
    log,
    store: {
      ...createLaneStore(database),
      settle: (...outcomes) => recordOutcomes(database, ...outcomes),
    },
  })
  const writer = createMessageWriter(database, queue, signals)
  const sweeps = setInterval(() => void queue.sweep().catch(() => {}), 1_000)
  return target
}

const hello = (conversation: number) => ({
  botId,
  conversationId: conversationId(conversation),
  userId: 'ann',
  direction: 'incoming' as const,
  type: 'text',
  payload: { text: 'hello' },
})

/** Returns the id of the message that the event is about. */
async function findMessage(database: Database, eventId: string): Promise<string> {
  const [row] = await database.run<{ id: string }>(
    'bench-event',
    'select message_id as id from event where bot_id = $1 and id = $2',
    [botId, eventId],
  )
  return row?.id ?? ''
}

const fill = (settings: DatabaseSettings, conversations: number) =>
  withClient(settings, (client) =>
    client.query(`
      insert into workspace (id, name) values ('${botId}', 'bench') on conflict do nothing;
      insert into bot (id, workspace_id, name, signing_secret) values ('${botId}', '${botId}', 'bench', '')
        on conflict do nothing;
      insert into "user" (bot_id, id) values ('${botId}', 'ann') on conflict do nothing;
      insert into conversation (bot_id, id, integration, channel)
        select '${botId}', 'conv_' || i, 'chat', 'channel' from generate_series(0, ${conversations - 1}) i
        on conflict do nothing;
    `),
  )
