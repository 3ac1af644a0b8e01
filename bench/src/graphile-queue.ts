// graphile-worker, as its guide says: one job for each delivery, in a queue named after its conversation, so that they run one after the other.
import { Logger, run } from 'graphile-worker'
import type { DatabaseSettings } from './database.ts'
import type { DeliveryPlace } from './delivery-place.ts'

/** Jobs at a time, and connections. */
const concurrency = 10

/** With `ordered` off every job is free to go: no order in a conversation, which it does faster. */
export async function openGraphileQueue(
  settings: DatabaseSettings,
  { ordered }: { ordered: boolean },
): Promise<DeliveryPlace> {
  const { host, port, user, database } = settings
  const connectionString = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  let count = 0
  const place: DeliveryPlace = {
    name: ordered ? 'graphile-worker' : 'graphile-worker, in no order',
    onHandled: () => {},
    async enqueue(conversation) {
      const name = String(++count)
      await runner.addJob(
        'deliver',
        { name, text: 'hello' },
        ordered ? { queueName: `conversation ${conversation}` } : {},
      )
      return name
    },
    close: () => runner.stop(),
  }
  const runner = await run({
    connectionString,
    concurrency,
    maxPoolSize: concurrency,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: { deliver: async (payload) => place.onHandled((payload as { name: string }).name) },
  })
  return place
}
