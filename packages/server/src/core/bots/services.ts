// The services of this module, and how they behave inside of a transaction.

import type { GetRedactors } from '../compute/index.ts'
import type { Bindings } from '../db/index.ts'
import type { BotHooks } from './hooks.ts'
import type { Issues } from './issues/issues.ts'

export interface BotServices {
  /** Records problems of a bot for its owner, in the background. */
  issues: Pick<Issues, 'report' | 'resolveRegistration'>
  /** What to redact in data of a bot, from a cache. */
  getRedactors: GetRedactors
  hooks: BotHooks
}

export const bindings = {
  issues: { report: 'deferred', resolveRegistration: 'deferred' },
  getRedactors: 'unchanged',
  hooks: 'unchanged',
} satisfies Bindings<BotServices>
