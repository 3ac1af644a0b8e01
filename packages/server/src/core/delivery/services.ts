// The services of this module, and how they behave inside of a transaction.

import { defer } from '@botstead/lib'
import type { Bindings } from '../db/index.ts'
import type { ActionCache } from './calls/action-cache.ts'
import type { Invoker } from './calls/invoker.ts'
import type { DeliveryHooks } from './hooks.ts'

export interface DeliveryServices {
  /** Calls a bot or an integration and waits for the response. */
  invoker: Invoker
  /** Caches outputs of actions that are declared cacheable. */
  actionCache: ActionCache
  hooks: DeliveryHooks
}

/**
 * Called code may call the API, which would wait for this transaction while this transaction waits
 * for the code.
 */
const rejectCall = () =>
  Promise.reject(
    new Error(
      'Call code after the commit (services.afterCommit), or list the operation in ' +
        'core/idempotency/outside-transaction.ts',
    ),
  )

export const bindings: Bindings<DeliveryServices> = {
  invoker: ({ outside: { invoker }, afterwards }) =>
    defer(
      { ...invoker, invoke: rejectCall },
      { recycle: 'deferred', recycleIntegration: 'deferred' },
      afterwards,
    ),
  actionCache: { set: 'deferred' },
  hooks: 'unchanged',
}
