// Runs handlers inside one transaction: the same services, on the transaction's database. Effects
// that other components may see only after the commit are deferred, and dropped if the transaction
// fails: db/bindings.ts.

import { DeferredSteps, defer, deferCalls, type EffectTime } from '@botstead/lib'
import type { Logger } from 'pino'
import {
  type Bindings,
  type Database,
  type Db,
  type Inside,
  isDeadlock,
} from '../db/index.ts'

/** The services that lead into a transaction. `Services` are all of them. */
export interface TransactionServices<Services> {
  log: Logger
  db: Db
  database: Database
  afterCommit: (step: (services: Services) => Promise<void>) => Promise<void>
  announceCodeCall: () => void
  inTransaction: <T>(work: (inside: Services) => Promise<T>) => Promise<T>
}

/** Returns the services for the inside of a transaction. */
export type Bind<Services> = (
  outside: Services,
  database: Database,
  afterwards: DeferredSteps,
) => Services

/**
 * Runs `work` in one transaction and retries it after a deadlock, so it must be repeatable.
 * Failures of the steps after the commit are only logged.
 */
export async function runRequestInTransaction<
  Services extends TransactionServices<Services>,
  T,
>(
  services: Services,
  bind: Bind<Services>,
  work: (inside: Services) => Promise<T>,
  fence: string | null = null,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const afterwards = new DeferredSteps()
    try {
      const result = await services.database.inTransaction(
        (inside) => work(bind(services, inside, afterwards)),
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

/** `bindings` are those of all services, except of those that are the same in each transaction. */
export function createBind<Services extends TransactionServices<Services>>(
  bindings: Bindings<Omit<Services, keyof TransactionServices<Services>>>,
): Bind<Services> {
  const changed = listChanged<Services>(bindings)
  return (outside, database, afterwards) => {
    const services: Services = {
      ...outside,
      db: database.db,
      database,
      afterCommit: async (step: (services: Services) => Promise<void>) =>
        afterwards.add(() => step(outside)),
      announceCodeCall() {
        throw new CodeCallAnnounced()
      },
      // Work in this transaction, not in another one.
      inTransaction: <T>(work: (inside: Services) => Promise<T>) => work(services),
    }
    const inside = { database, afterwards, outside, services }
    for (const [name, bindService] of changed) services[name] = bindService(inside)
    return services
  }
}

type BindService<Services> = (inside: Inside<Services>) => Services[keyof Services]

/** Returns how to make the services that are different inside of a transaction, by name. */
function listChanged<Services>(
  bindings: object,
): [keyof Services, BindService<Services>][] {
  const all = Object.entries(bindings) as [string, AnyBinding][]
  return all.flatMap(([name, binding]) => {
    const bindService = toBindService(name, binding)
    return bindService
      ? [[name as keyof Services, bindService as unknown as BindService<Services>]]
      : []
  })
}

type AnyBinding =
  | 'unchanged'
  | EffectTime
  | Record<string, EffectTime>
  | BindService<never>

function toBindService(name: string, binding: AnyBinding): BindService<never> | null {
  if (typeof binding === 'function') return binding
  if (binding === 'deferred')
    return ({ outside, afterwards }) =>
      deferCalls(outside[name as never], afterwards) as never
  if (typeof binding === 'string' || !Object.values(binding).includes('deferred'))
    return null
  return ({ outside, afterwards }) =>
    defer(outside[name as never], binding as never, afterwards)
}
