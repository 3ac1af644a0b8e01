import { PeriodicTask } from '@botstead/lib'
import type { Logger } from 'pino'
import type { Feature } from '../../core/feature.ts'
import type { MessagingHooks } from '../../core/messaging/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { takeWish } from './opt-outs.ts'
import { noteDelivery } from './recipients.ts'
import type { BroadcastServices } from './services.ts'
import { runBroadcasts, type StepDeps } from './steps.ts'

export const broadcasts = { name: 'broadcasts', handlers } satisfies Feature
export { openOptOutWords } from './opt-out-words.ts'
export { type BroadcastServices, broadcastBindings } from './services.ts'
export { tables } from './table-rules.ts'

/** Before all others: a rule for handoffs must not keep a person from opting out. */
export const addOptOutHooks = (hooks: MessagingHooks, { optOutWords }: BroadcastServices) =>
  hooks.takeMessage.unshift((message) => takeWish(optOutWords, message))

export const addReportHooks = (hooks: MessagingHooks) =>
  hooks.messageDelivered.push(async (db, { tags, ...delivered }) => {
    if (Object.hasOwn(tags, 'broadcast')) await noteDelivery(db, delivered)
  })

/** Makes the steps of running broadcasts: the servers take turns. */
export const startBroadcasts = (deps: StepDeps & { log: Logger }): PeriodicTask =>
  new PeriodicTask({
    task: () => runBroadcasts(deps),
    paceMs: 1_000,
    failed: (error) => deps.log.warn({ err: error }, 'cannot look for running broadcasts'),
  })
