// Telemetry of deliveries: a span per attempt, metrics, and one log line at the end. It contains
// ids and outcomes only; reasons may contain data of a bot and stay in the delivery's row.
import { timeOfId } from '@botstead/lib'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { Logger } from 'pino'
import type { DeliveryOutcome, Enqueued, QueueReports } from '../queue/index.ts'
import { type Metrics, traceContext, tracing } from '../telemetry/index.ts'

/** Continues the trace of the delivery's cause, whichever process makes the attempt. */
export async function deliverTraced(
  deliver: (delivery: Enqueued) => Promise<DeliveryOutcome>,
  delivery: Enqueued,
): Promise<DeliveryOutcome> {
  const { id, botId, kind, subjectId, attempts = 0 } = delivery
  const attributes = {
    'messaging.system': 'botstead',
    'messaging.operation.type': 'process',
    'messaging.message.id': id,
    'botstead.bot.id': botId,
    'botstead.subject.id': subjectId,
    'botstead.attempt': attempts + 1,
  }
  const { span, context } = tracing.start(
    `deliver ${kind}`,
    SpanKind.CONSUMER,
    attributes,
    traceContext.fromCarried(delivery.trace),
  )
  try {
    const outcome = await tracing.within(context, () => deliver(delivery))
    span.setAttribute('botstead.outcome', outcome.result)
    if (outcome.result === 'retry' || outcome.result === 'failed')
      span.setStatus({ code: SpanStatusCode.ERROR })
    return outcome
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

/** Returns the report of the queue that counts attempts and logs finished deliveries. */
export function createAttemptReporter(
  log: Logger,
  metrics: Metrics['deliveries'],
): QueueReports['attempted'] {
  return ({ delivery, result, attempt, ms }) => {
    const { kind } = delivery
    metrics.attempted(kind, result)
    if (attempt === 1 && result !== 'postponed')
      metrics.waited(kind, Math.max(0, Date.now() - ms - timeOfId(delivery.id)) / 1000)
    if (result === 'postponed' || result === 'retry') return
    metrics.ended(kind, result)
    if (log.isLevelEnabled('info'))
      log.info(
        { outcome: result, attempt, ms: Math.round(ms), ...toAttributes(delivery) },
        'delivery',
      )
  }
}

const toAttributes = ({
  id,
  botId,
  lane,
  kind,
  subjectId,
  trace,
  requestId,
}: Enqueued) => ({
  deliveryId: id,
  botId,
  lane,
  kind,
  subjectId,
  ...(requestId && { requestId }),
  ...(trace && { traceId: trace.slice(3, 35) }),
})
