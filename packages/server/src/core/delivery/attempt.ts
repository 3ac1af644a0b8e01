// One attempt of a delivery: its call, and what the response means for the delivery.
import type { Logger } from 'pino'
import type { LogDeps } from '../bots/index.ts'
import type { Database } from '../db/index.ts'
import type { RateServices } from '../http/index.ts'
import type { MessagingHooks } from '../messaging/index.ts'
import type { DeliveryOutcome, Enqueued, Queue } from '../queue/index.ts'
import type { ChangeFeed, Signals, Stops } from '../realtime/index.ts'
import { postponeIfLimited, toFailure, toOutcome } from './attempt-outcomes.ts'
import type { Invoker, Reply } from './calls/invoker.ts'
import type { Targets } from './calls/targets.ts'
import type { DeliveryHooks } from './hooks.ts'

export interface DeliveryDeps extends LogDeps {
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
  invoker: Invoker
  targets: Targets
  limitedCalls: Pick<RateServices['limitedCalls'], 'watch'>
  stops: Pick<Stops, 'follow' | 'unfollow' | 'stop'>
  signals: Signals
  changeFeed: Pick<ChangeFeed, 'publish'>
  log: Logger
  hooks: Pick<MessagingHooks, 'messageAnswered' | 'messageDelivered'> &
    Pick<DeliveryHooks, 'completeMessage'>
  /** Maximum number of retries of a failed delivery. */
  retries: number
}

export const isOver = (
  deps: DeliveryDeps,
  { attempts = 0 }: Enqueued,
  { result }: DeliveryOutcome,
) => (result === 'retry' ? attempts >= deps.retries : result !== 'postponed')

export async function attempt(
  { limitedCalls }: DeliveryDeps,
  delivery: Enqueued,
  call: () => Promise<Reply>,
): Promise<DeliveryOutcome> {
  const endWatch = limitedCalls.watch(delivery.subjectId)
  let limitedMs: number | null = null
  const outcome = await call()
    .then(toOutcome, toFailure)
    .finally(() => {
      limitedMs = endWatch()
    })
  return limitedMs === null ? outcome : postponeIfLimited(delivery, outcome, limitedMs)
}
