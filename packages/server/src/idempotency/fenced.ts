// Operations of hosted code: each is one transaction, which ends with the check of its fence (queue/fencing.ts).
import { checkFence } from '../queue/fencing.ts'
import type { Services } from '../services.ts'
import { outside } from './outside.ts'
import { asOneUnit, CallsCode } from './unit.ts'

/** Operations of many calls, whose own statements check the fence. */
const checkedByStatement = new Set([
  'runtime.createMessage',
  'runtime.createEvent',
  'runtime.setState',
  'runtime.patchState',
  'runtime.getOrSetState',
])

/** Operations that call code cannot be one transaction: they are checked before they begin. */
export async function performFenced<T>(
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
