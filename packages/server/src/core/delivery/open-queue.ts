// Opens the queue of deliveries: what it does with them, and how other processes and pages learn of them.
import type { RedeliveredIssues } from '../bots/index.ts'
import type { Config } from '../config/index.ts'
import {
  Backlog,
  countWaiting,
  createLaneStore,
  type Enqueued,
  Queue,
  type Worker,
} from '../queue/index.ts'
import type { Bus, ChangeFeed } from '../realtime/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { deliver } from './deliver.ts'
import { withDates } from './handed-over.ts'
import { createAttemptReporter, deliverTraced } from './observe.ts'
import { recordOutcomes } from './outcomes.ts'
import { notingEntries, notingStore } from './queue-changes.ts'

interface Deps extends Omit<Parameters<typeof deliver>[0], 'deliveries' | 'retries'> {
  config: Config
  worker: Worker
  bus: Pick<Bus, 'publish'>
  metrics: Metrics['deliveries']
  changeFeed: ChangeFeed
  redeliveredIssues: Pick<RedeliveredIssues, 'handled'>
}

/** Gives a delivery to the process that has its lane. */
interface DeliveryNote {
  kind: 'delivery'
  delivery: Enqueued
}

export interface Deliveries {
  queue: Queue
  /** Counts the pending deliveries of bots. */
  backlog: Backlog
  /** Takes a delivery that another process enqueued into a lane of this one. */
  receive(note: DeliveryNote): void
}

export function openQueue(deps: Deps): Deliveries {
  const { config, log, database, changeFeed } = deps
  const backlog = new Backlog({
    read: (...what) => countWaiting(database, ...what),
    enough: config.limits.queuedPerBot,
    log,
  })
  const queue = createQueue(deps, notingEntries(backlog, changeFeed))
  return { queue, backlog, receive: ({ delivery }) => queue.accept(withDates(delivery)) }
}

function createQueue(deps: Deps, backlog: ReturnType<typeof notingEntries>): Queue {
  const { config, log, database, worker, bus, metrics, changeFeed } = deps
  const retries = config.retrySeconds.length
  const lanes = createLaneStore(database)
  const release: typeof lanes.release = async (...what) => {
    await lanes.release(...what)
    await worker.announceFreed()
  }
  return new Queue({
    backlog,
    workerId: () => worker.id,
    handler: (delivery, queue) =>
      deliverTraced((one) => deliver(toDeliverDeps(deps, queue, retries), one), delivery),
    attempted: createAttemptReporter(log, metrics),
    handOver: (delivery) => handOver(bus, delivery),
    retryMs: config.retrySeconds.map((seconds) => seconds * 1000),
    log,
    store: notingStore(
      { ...lanes, release, settle: (...batch) => recordOutcomes(database, ...batch) },
      changeFeed,
      deps.redeliveredIssues,
    ),
  })
}

const toDeliverDeps = (
  deps: Deps,
  deliveries: Parameters<typeof deliver>[0]['deliveries'],
  retries: number,
) => ({
  db: deps.db,
  database: deps.database,
  invoker: deps.invoker,
  targets: deps.targets,
  log: deps.log,
  hooks: deps.hooks,
  limitedCalls: deps.limitedCalls,
  retries,
  stops: deps.stops,
  signals: deps.signals,
  changeFeed: deps.changeFeed,
  getRedactors: deps.getRedactors,
  deliveries,
})

/** Without its content if that is long; the owner then reads it. */
function handOver(bus: Deps['bus'], delivery: Enqueued): void {
  const toNote = (given: Enqueued) =>
    JSON.stringify({ kind: 'delivery', delivery: given } satisfies DeliveryNote)
  const { content: _, ...shorter } = delivery
  bus.publish(() => toNote(delivery), { shorter: () => toNote(shorter) })
}
