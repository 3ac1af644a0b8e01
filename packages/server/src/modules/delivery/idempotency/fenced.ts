// Runs operations of hosted code as one transaction that ends with a check of the fence (queue/fencing.ts).

import { checkFence } from '../../../infra/queue/fencing.ts'
import { outside } from './outside.ts'
import { asOneUnit, CallsCode, type UnitServices } from './unit.ts'

/** Frequent operations with statements that check the fence themselves. */
const checkedByStatement = new Set([
  'runtime.createMessage',
  'runtime.createEvent',
  'runtime.setState',
  'runtime.patchState',
  'runtime.getOrSetState',
])

/**
 * Runs an operation with a fence. Operations that call code cannot be one transaction; their fence is checked
 * before they begin.
 */
export async function performFenced<Services extends UnitServices<Services>, T>(
  services: Services,
  operation: string,
  fence: string,
  perform: (services: Services) => Promise<T>,
): Promise<T> {
  if (checkedByStatement.has(operation)) return perform(services)
  if (!Object.hasOwn(outside, operation)) {
    try {
      return await asOneUnit(services, perform, fence)
    } catch (error) {
      if (!(error instanceof CallsCode)) throw error
    }
  }
  await checkFence(services.database, fence)
  return perform(services)
}
