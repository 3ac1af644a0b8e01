// Runs operations of hosted code as one transaction that ends with a check of the fence
// (queue/fencing.ts).

import { fencing } from '../queue/index.ts'
import { outsideTransaction } from './outside-transaction.ts'
import {
  type Bind,
  CodeCallAnnounced,
  runRequestInTransaction,
  type TransactionServices,
} from './request-transaction.ts'

/** Frequent operations with statements that check the fence themselves. */
const checkedByStatement = new Set([
  'runtime.createMessage',
  'runtime.createEvent',
  'runtime.setState',
  'runtime.patchState',
  'runtime.getOrSetState',
])

/**
 * Runs an operation with a fence. Operations that call code cannot be one transaction; their fence
 * is checked before they begin.
 */
export function performFenced<Services extends TransactionServices<Services>, T>(
  services: Services,
  bind: Bind<Services>,
  operation: string,
  fence: string,
  perform: (services: Services) => Promise<T>,
): Promise<T> {
  return checkedByStatement.has(operation)
    ? perform(services)
    : performChecked(services, bind, operation, fence, perform)
}

async function performChecked<Services extends TransactionServices<Services>, T>(
  services: Services,
  bind: Bind<Services>,
  operation: string,
  fence: string,
  perform: (services: Services) => Promise<T>,
): Promise<T> {
  if (!Object.hasOwn(outsideTransaction, operation)) {
    try {
      return await runRequestInTransaction(services, bind, perform, fence)
    } catch (error) {
      if (!(error instanceof CodeCallAnnounced)) throw error
    }
  }
  await fencing.check(services.database, fence)
  return perform(services)
}
