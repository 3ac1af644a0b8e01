// Opens the queue of deliveries: what it does with them, and how other processes and pages learn of them.
import type { Config } from '../config/index.ts'
import { recordOutcomes } from '../messaging/index.ts'
import { type Enqueued, openQueue, type Worker } from '../queue/index.ts'
import type { Bus, ChangeFeed } from '../realtime/index.ts'
import { type ChatEmitter, createChatEmitter } from './chat-emitter.ts'
import { deliver } from './deliver.ts'
import { withDates } from './handed-over.ts'
import { deliverTraced } from './observe.ts'
import { createQueueReports } from './queue-reports.ts'

type DeliverDeps = Parameters<typeof deliver>[0]

type Deps = Parameters<typeof createChatEmitter>[0] &
  Omit<DeliverDeps, 'deliveries' | 'retries' | 'changeFeed'> &
  Parameters<typeof createQueueReports>[0] & {
    config: Config
    worker: Worker
    bus: Pick<Bus, 'publish'>
    changeFeed: ChangeFeed
  }

/** Gives a delivery to the process that has its lane. */
interface DeliveryNote {
  kind: 'delivery'
  delivery: Enqueued
}

interface Deliveries extends ReturnType<typeof openQueue> {
  /** Takes a delivery that another process enqueued into a lane of this one. */
  receive(note: DeliveryNote): void
  emitter: ChatEmitter
}

export function openDeliveries(deps: Deps): Deliveries {
  const { config, bus, log, database, worker } = deps
  const retries = config.retrySeconds.length
  const { queue, backlog } = openQueue({
    database,
    worker,
    log,
    recordOutcomes,
    maxPending: config.limits.queuedPerBot,
    retryMs: config.retrySeconds.map((seconds) => seconds * 1000),
    reports: createQueueReports(deps),
    handler: (delivery, deliveries) =>
      deliverTraced(
        (one) => deliver(toDeliverDeps(deps, deliveries, retries), one),
        delivery,
      ),
    handOver: (delivery) => handOver(bus, delivery),
  })
  return {
    queue,
    backlog,
    receive: ({ delivery }) => queue.accept(withDates(delivery)),
    emitter: createChatEmitter(deps),
  }
}

const toDeliverDeps = (
  deps: Deps,
  deliveries: DeliverDeps['deliveries'],
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
