// The services that lead into the transaction of a request.
import type { Bindings } from '../db/index.ts'
import { performFenced } from './fenced.ts'
import { createKeyedResponses, type KeyedServices } from './keyed-responses.ts'
import { outsideTransaction } from './outside-transaction.ts'
import {
  createBind,
  runRequestInTransaction,
  type TransactionServices,
} from './request-transaction.ts'

interface Options<Services> {
  /** All services, outside of a transaction. */
  services: () => Services
  bindings: Bindings<Omit<Services, keyof TransactionServices<Services>>>
  workerId: () => string
}

export function openTransactions<Services extends KeyedServices<Services>>({
  services,
  bindings,
  workerId,
}: Options<Services>) {
  const bind = createBind<Services>(bindings)
  return {
    inTransaction: <T>(work: (inside: Services) => Promise<T>) =>
      runRequestInTransaction(services(), bind, work),
    fenced: <T>(
      operation: string,
      fence: string,
      perform: (services: Services) => Promise<T>,
    ) => performFenced(services(), bind, operation, fence, perform),
    runsOutsideTransaction: (operation: string) =>
      Object.hasOwn(outsideTransaction, operation),
    keyedResponses: createKeyedResponses({ services, bind, workerId }),
    afterCommit: (step: (services: Services) => Promise<void>) => step(services()),
    announceCodeCall: () => {},
  }
}
