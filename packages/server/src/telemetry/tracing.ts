// Spans, by the OpenTelemetry API alone: an SDK that the operator loads before us records them, and without one they cost next to nothing.
// What is passed on without one is the caller's own trace: whom we call then appears as called by our caller.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  type ContextManager,
  context,
  createContextKey,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  trace,
} from '@opentelemetry/api'
import { type CarriedTrace, carriedOf, spanContextOf } from './trace-context.ts'

const tracer = trace.getTracer('botstead')

/** A span and the context inside it, which is null where there is no trace: then nothing needs to be carried. */
export interface Traced {
  span: Span
  context: Context | null
}

export function startSpan(name: string, kind: SpanKind, attributes: Attributes, parent: Context): Traced {
  const span = tracer.startSpan(name, { kind, attributes }, parent)
  return { span, context: isSpanContextValid(span.spanContext()) ? trace.setSpan(parent, span) : null }
}

/** Does the work inside this context; without one, inside none, whatever the work was started from. */
export function within<Result>(inside: Context | null, work: () => Result): Result {
  if (inside) return context.with(inside, work)
  return context.active() === ROOT_CONTEXT ? work() : context.with(ROOT_CONTEXT, work)
}

export const activeContext = (): Context => context.active()

/** The trace in which this is called, to go with what is written down for later. */
export function currentTrace(): CarriedTrace | undefined {
  const active = context.active()
  return active === ROOT_CONTEXT ? undefined : carriedOf(active)
}

export const currentTraceId = (): string | undefined => spanContextOf(context.active())?.traceId

/**
 * Contexts follow asynchronous work by somebody's help: the SDK's, or this one's. Node watches every promise from the first time that it is
 * used, which costs some percent; so nothing uses it until a request comes with a trace.
 */
class Contexts implements ContextManager {
  readonly #store = new AsyncLocalStorage<Context>()
  active() {
    return this.#store.getStore() ?? ROOT_CONTEXT
  }
  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    inside: Context,
    work: F,
    self?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#store.run(inside, () => work.call(self as never, ...args))
  }
  bind<T>(inside: Context, target: T): T {
    if (typeof target !== 'function') return target
    return ((...args: unknown[]) => this.#store.run(inside, () => target(...args))) as T
  }
  enable() {
    return this
  }
  disable() {
    this.#store.disable()
    return this
  }
}

const probe = createContextKey('botstead probe')

/** Called once at the start; an SDK that comes later finds the place taken. */
export function followContexts() {
  const followed = context.with(
    ROOT_CONTEXT.setValue(probe, true),
    () => context.active().getValue(probe) === true,
  )
  if (!followed) context.setGlobalContextManager(new Contexts())
}
