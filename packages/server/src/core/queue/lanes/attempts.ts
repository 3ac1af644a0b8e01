// One attempt of a delivery in this process, and its report.
import type { DeliveryOutcome, Enqueued } from '../deliveries.ts'
import type { QueueOptions } from '../queue-options.ts'

type Options = Required<Pick<QueueOptions, 'handler' | 'attempted' | 'retryMs' | 'log'>>

export async function attemptDelivery(
  options: Options,
  delivery: Enqueued,
  queue: Parameters<QueueOptions['handler']>[1],
): Promise<{ outcome: DeliveryOutcome; startedAt: Date; ms: number }> {
  const startedAt = new Date()
  const begun = performance.now()
  const outcome = await handle(options, delivery, queue)
  const ms = performance.now() - begun
  report(options, delivery, outcome, ms)
  return { outcome, startedAt, ms }
}

async function handle(
  { handler, log }: Options,
  ...[delivery, queue]: Parameters<Options['handler']>
): Promise<DeliveryOutcome> {
  try {
    return await handler(delivery, queue)
  } catch (error) {
    log.error(
      { err: error, deliveryId: delivery.id },
      'unexpected error in the handler of a delivery',
    )
    return {
      result: 'retry',
      reason: error instanceof Error ? error.message : String(error),
    }
  }
}

function report(
  options: Options,
  delivery: Enqueued,
  { result }: DeliveryOutcome,
  ms: number,
) {
  const attempt = (delivery.attempts ?? 0) + 1
  const isDead = result === 'retry' && options.retryMs[attempt - 1] === undefined
  options.attempted({ delivery, result: isDead ? 'dead' : result, attempt, ms })
}
