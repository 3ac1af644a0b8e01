// graphile-worker as its guide recommends: one job per delivery, in a queue named after the
// conversation, which runs jobs in sequence.
import { Logger, run } from 'graphile-worker'
import type { DatabaseSettings } from '../database.ts'
import type { DeliveryTarget } from '../delivery/delivery-target.ts'

/** Concurrent jobs, and connections. */
const concurrency = 10

/** Without `ordered`, jobs of a conversation run in any order, which is faster. */
export async function openGraphileQueue(
  settings: DatabaseSettings,
  { ordered }: { ordered: boolean },
): Promise<DeliveryTarget> {
  const { host, port, user, database } = settings
  const connectionString = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  let count = 0
  const target: DeliveryTarget = {
    name: ordered ? 'graphile-worker' : 'graphile-worker, unordered',
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
    taskList: {
      deliver: async (payload) => target.onHandled((payload as { name: string }).name),
    },
  })
  return target
}
