// Calls of hosted code in the trace of the event that it handles.
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../core/http/index.ts'
import type { EventTraces } from './event-traces.ts'

/** Operations with effects that the trace shows by themselves. Their failures are added. */
const withEffects = new Set([
  'callAction',
  'captureObservation',
  'createEvent',
  'createMessage',
  'generateText',
  'generateTextStream',
  'getOrCreateMessage',
  'trackAnalytics',
])

/** Adds an answered request, if code of a bot or an integration made it to handle an event. */
export function traceCall(
  traces: Pick<EventTraces, 'called'>,
  request: FastifyRequest,
  { status, ms }: { status: number; ms: number },
): void {
  const { botId, tracedEvent, integration } = (request.caller ?? {}) as Partial<
    Caller<'bot'>
  >
  if (!tracedEvent || !botId) return
  const operation = request.routeOptions.config.operationId
  if (!operation || (status < 400 && withEffects.has(operation))) return
  traces.called(
    { botId, eventId: tracedEvent },
    {
      at: Date.now() - Math.round(ms),
      ms: Math.round(ms),
      operation,
      subject: toSubject(request),
      integration: integration?.alias ?? null,
      status,
      error: request.failureMessage,
    },
  )
}

/** The values of the path, and the type or name in the body. */
function toSubject({ params, body }: FastifyRequest): string {
  const { type, name } = (body ?? {}) as { type?: unknown; name?: unknown }
  const named = [type, name].filter((value) => typeof value === 'string')
  return [...Object.values((params ?? {}) as Record<string, string>), ...named].join(' ')
}
