// Trace contexts in transit: W3C `traceparent` and `tracestate` in headers, and both in one text in
// rows and in memory.
import {
  type Context,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  type TraceState,
  trace,
} from '@opentelemetry/api'

/** `<traceparent>`, or `<traceparent> <tracestate>`. */
export type CarriedTrace = string

type Headers = Record<string, string | string[] | undefined>

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const zeros = /^0+$/
/** The specification allows dropping longer states; this limits the size of deliveries. */
const maxStateLength = 512

/** Returns the context of a caller's headers, or the root context when they have no valid one. */
function traceOfHeaders({ traceparent, tracestate }: Headers): Context {
  if (typeof traceparent !== 'string') return ROOT_CONTEXT
  return parseContext(
    traceparent,
    Array.isArray(tracestate) ? tracestate.join(',') : tracestate,
  )
}

/** Returns the context of a stored text. */
function traceOfCarried(carried: CarriedTrace | undefined): Context {
  if (carried === undefined) return ROOT_CONTEXT
  const [traceparent, ...state] = carried.split(' ')
  return parseContext(traceparent!, state.join(' '))
}

function parseContext(traceparent: string, tracestate = ''): Context {
  const [, version, traceId, spanId, flags, more] = form.exec(traceparent.trim()) ?? []
  if (
    !traceId ||
    !spanId ||
    version === 'ff' ||
    (version === '00' && more) ||
    zeros.test(traceId) ||
    zeros.test(spanId)
  )
    return ROOT_CONTEXT
  const known: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags!, 16) & 1,
    isRemote: true,
  }
  const state = parseState(tracestate)
  return trace.setSpanContext(
    ROOT_CONTEXT,
    state ? { ...known, traceState: state } : known,
  )
}

function parseState(text: string): TraceState | undefined {
  const state =
    text.trim() && text.length <= maxStateLength
      ? createTraceState(text.trim())
      : undefined
  return state?.serialize() ? state : undefined
}

/** Returns undefined for a context without a valid trace. */
function findSpanContext(context: Context): SpanContext | undefined {
  const found = trace.getSpanContext(context)
  return found && isSpanContextValid(found) ? found : undefined
}

/** Returns the headers for a call within this context; none without a trace. */
function traceHeaders(context: Context): {
  traceparent?: string
  tracestate?: string
} {
  const found = findSpanContext(context)
  if (!found) return {}
  const state = found.traceState?.serialize()
  return { traceparent: toTraceparent(found), ...(state && { tracestate: state }) }
}

export function toCarriedTrace(context: Context): CarriedTrace | undefined {
  const { traceparent, tracestate } = traceHeaders(context)
  return tracestate ? `${traceparent} ${tracestate}` : traceparent
}

const toTraceparent = ({ traceId, spanId, traceFlags }: SpanContext) =>
  `00-${traceId}-${spanId}-${traceFlags & 1 ? '01' : '00'}`

/** Trace context of W3C headers and of stored events. */
export const traceContext = {
  findSpanContext,
  toHeaders: traceHeaders,
  fromCarried: traceOfCarried,
  fromHeaders: traceOfHeaders,
}
