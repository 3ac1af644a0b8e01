import { PeriodicTask } from '@botstead/lib'
import type { Logger } from 'pino'
import type { Db } from '../../core/db/index.ts'
import type { Feature } from '../../core/feature.ts'
import type { Events } from '../../core/installation/index.ts'
import type { MessagingHooks } from '../../core/messaging/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { openOptOutWords } from './opt-out-words.ts'
import { takeWish } from './opt-outs.ts'
import { noteDelivery } from './recipients.ts'
import { type BroadcastServices, bindings } from './services.ts'
import { runBroadcasts, type StepDeps } from './steps.ts'
import { tables } from './table-rules.ts'

export const broadcasts = {
  name: 'broadcasts',
  tables,
  bindings,
  handlers,
  open: ({ db, events }: OpenDeps): { services: BroadcastServices } => ({
    services: { optOutWords: events.followBots(openOptOutWords(db)) },
  }),
  start: startBroadcasts,
  deliveryHooks: (hooks: MessagingHooks) =>
    hooks.messageDelivered.push(async (db, { tags, ...delivered }) => {
      if (Object.hasOwn(tags, 'broadcast')) await noteDelivery(db, delivered)
    }),
  /** Before all others: a rule for handoffs must not keep a person from opting out. */
  hooks: (hooks: MessagingHooks, { optOutWords }: BroadcastServices) =>
    hooks.takeMessage.unshift((message) => takeWish(optOutWords, message)),
} satisfies Feature

interface OpenDeps {
  db: Db
  events: Pick<Events, 'followBots'>
}

/** Makes the steps of running broadcasts: the servers take turns. */
function startBroadcasts(deps: StepDeps & { log: Logger }): PeriodicTask {
  return new PeriodicTask({
    task: () => runBroadcasts(deps),
    paceMs: 1_000,
    failed: (error) =>
      deps.log.warn({ err: error }, 'cannot look for running broadcasts'),
  })
}
