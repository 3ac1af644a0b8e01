// Telemetry of each call of a bot or an integration: a span, with its trace passed to the code, and
// the duration.

import {
  type HandlerRequest,
  type HandlerResponse,
  InvocationFailed,
} from '@botstead/sandbox'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { type Metrics, traceContext, tracing } from '../../telemetry/index.ts'
import type { UsageCounter } from '../../usage/index.ts'

export interface ObservationDeps {
  metrics: Metrics['invocations']
  usage: Pick<UsageCounter, 'count'>
}

interface Labels {
  botId: string
  alias: string | null
  operation: string
  place: 'hosted' | 'url'
}

/** Calls of the server itself, such as after a deployment: no message or event caused them. */
const uncounted = new Set(['register', 'unregister', 'ping'])

/** Adds `traceparent` to the request's headers when there is a trace. */
export async function observeInvocation(
  { metrics, usage }: ObservationDeps,
  { botId, alias, operation, place }: Labels,
  request: HandlerRequest,
  call: () => Promise<HandlerResponse>,
): Promise<HandlerResponse> {
  const attributes = {
    'botstead.bot.id': botId,
    'botstead.operation': operation,
    'botstead.place': place,
    ...(alias !== null && { 'botstead.alias': alias }),
  }
  const { span, context } = tracing.start(
    `invoke ${operation}`,
    SpanKind.CLIENT,
    attributes,
    tracing.getActiveContext(),
  )
  if (context) Object.assign(request.headers, traceContext.toHeaders(context))
  if (!uncounted.has(operation)) usage.count('invocation_calls', botId)
  const begun = performance.now()
  let outcome = 'failed'
  try {
    const reply = await tracing.within(context, call)
    outcome = `${Math.floor(reply.status / 100)}xx`
    span.setAttribute('http.response.status_code', reply.status)
    return reply
  } catch (error) {
    if (error instanceof InvocationFailed) outcome = error.reason
    span.setAttribute('error.type', outcome)
    throw error
  } finally {
    metrics.ended(
      place,
      alias === null ? 'bot' : 'integration',
      outcome,
      (performance.now() - begun) / 1000,
    )
    if (outcome[0] !== '2') span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }
}
