// Runs handlers inside one transaction: the same services, on the transaction's database. Effects
// that other components may see only after the commit are deferred, and dropped if the transaction
// fails.

import type { Logger } from 'pino'
import type { Invalidation } from '../../accounts/index.ts'
import { type Database, type Db, isDeadlock } from '../../db/index.ts'
import { DeferredSteps, defer, type RedactorsOf } from '../../lib/index.ts'
import { type MessageWriter, openMessages } from '../../messaging/index.ts'
import type { Queue } from '../../queue/index.ts'
import type { ChangeFeed, Signals, Stops } from '../../realtime/index.ts'
import type { Invoker } from '../calls/invoker.ts'
import type { DeliveryHooks } from '../hooks.ts'

/** Reads rows in its own transaction, so it must look for them after their commit. */
interface BackgroundTask {
  soon(): void
}

/** The services that behave differently inside a transaction. `Services` are all of them. */
export interface TransactionServices<Services> {
  log: Logger
  db: Db
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
  signals: Signals
  changeFeed: ChangeFeed
  stops: Stops
  messages: MessageWriter
  redactorsOf: RedactorsOf
  hooks: Pick<DeliveryHooks, 'takeMessage' | 'bind'>
  invoker: Invoker
  tableJobs: BackgroundTask
  computing: BackgroundTask
  invalidate: (what: Invalidation) => Promise<void>
  dueIn: (ms: number) => void
  afterCommit: (step: (services: Services) => Promise<void>) => Promise<void>
  announceCodeCall: () => void
  inTransaction: <T>(work: (inside: Services) => Promise<T>) => Promise<T>
}

/**
 * Runs `work` in one transaction and retries it after a deadlock, so it must be repeatable.
 * Failures of the steps after the commit are only logged.
 */
export async function runRequestInTransaction<Services extends TransactionServices<Services>, T>(
  services: Services,
  work: (inside: Services) => Promise<T>,
  fence: string | null = null,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const afterwards = new DeferredSteps()
    try {
      const result = await services.database.inTransaction(
        (inside) => work(bindServices(services, inside, afterwards)),
        fence,
      )
      for (const error of await afterwards.run())
        services.log.warn(
          { err: error },
          'a step after the commit of a request failed; the request itself succeeded',
        )
      return result
    } catch (error) {
      if (!isDeadlock(error) || tries === 5) throw error
    }
  }
}

/**
 * Thrown before the request has changed anything: the operation calls code, so it runs like those
 * listed in outside-transaction.ts.
 */
export class CodeCallAnnounced extends Error {}

export function bindServices<Services extends TransactionServices<Services>>(
  services: Services,
  inside: Database,
  afterwards: DeferredSteps,
): Services {
  const deliveries = defer(services.deliveries, ['dispatch'], afterwards)
  // `settled` too, because it depends on the signals published.
  const signals = defer(
    services.signals,
    ['publish', 'cut', 'cutEverywhere', 'settled'],
    afterwards,
  )
  const stops = defer(services.stops, ['stop'], afterwards)
  const changeFeed = defer(services.changeFeed, ['publish'], afterwards)
  const bound: Services = {
    ...services,
    db: inside.db,
    database: inside,
    deliveries,
    signals,
    stops,
    changeFeed,
    messages: openMessages({
      database: inside,
      deliveries,
      signals,
      stops,
      changeFeed,
      redactorsOf: services.redactorsOf,
      hooks: services.hooks,
    }),
    invoker: defer(
      { ...services.invoker, invoke: rejectCall },
      ['recycle', 'recycleIntegration'],
      afterwards,
    ),
    tableJobs: defer(services.tableJobs, ['soon'], afterwards),
    computing: defer(services.computing, ['soon'], afterwards),
    invalidate: async (what: Invalidation) => afterwards.add(() => services.invalidate(what)),
    dueIn: (ms: number) => afterwards.add(() => services.dueIn(ms)),
    afterCommit: async (step: (services: Services) => Promise<void>) =>
      afterwards.add(() => step(services)),
    announceCodeCall() {
      throw new CodeCallAnnounced()
    },
    // Work in this transaction, not in another one.
    inTransaction: <T>(work: (inside: Services) => Promise<T>) => work(bound),
  }
  for (const bind of services.hooks.bind)
    Object.assign(bound, bind(services as never, inside, afterwards))
  return bound
}

/**
 * Called code may call the API, which would wait for this transaction while this transaction waits
 * for the code.
 */
const rejectCall = () =>
  Promise.reject(
    new Error(
      'Call code after the commit (services.afterCommit), or list the operation in ' +
        'idempotency/outside-transaction.ts',
    ),
  )
