// Spans, by the OpenTelemetry API alone. An SDK that the operator loads earlier records them;
// without one they cost almost nothing. Without an SDK the caller's trace is propagated unchanged,
// so our callees appear as called by our caller.
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
import { type CarriedTrace, toCarriedTrace } from './trace-context.ts'

const tracer = trace.getTracer('botstead')

/**
 * A span and the context inside it. The context is null without a trace; then there is nothing to
 * propagate.
 */
export interface TracedSpan {
  span: Span
  context: Context | null
}

function startSpan(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  parent: Context,
): TracedSpan {
  const span = tracer.startSpan(name, { kind, attributes }, parent)
  return {
    span,
    context: isSpanContextValid(span.spanContext()) ? trace.setSpan(parent, span) : null,
  }
}

/**
 * Runs work inside this context; with null, outside of any context, even if the caller is inside
 * one.
 */
function within<Result>(inside: Context | null, work: () => Result): Result {
  if (inside) return context.with(inside, work)
  return context.active() === ROOT_CONTEXT ? work() : context.with(ROOT_CONTEXT, work)
}

const activeContext = (): Context => context.active()

/** Returns the current trace, to be stored with work for later. */
function currentTrace(): CarriedTrace | undefined {
  const active = context.active()
  return active === ROOT_CONTEXT ? undefined : toCarriedTrace(active)
}

/**
 * Propagates contexts through asynchronous work when no SDK does. AsyncLocalStorage makes Node
 * track every promise from its first use on, which costs a few percent, so nothing uses it until a
 * request with a trace arrives.
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
    return this.#store.run(inside, () => work.call(self, ...args))
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

/**
 * Registers the context manager unless an SDK has. Called once at the start; an SDK that is loaded
 * later has no effect.
 */
function followContexts() {
  const followed = context.with(
    ROOT_CONTEXT.setValue(probe, true),
    () => context.active().getValue(probe) === true,
  )
  if (!followed) context.setGlobalContextManager(new Contexts())
}

/** Spans and their contexts. */
export const tracing = {
  getActiveContext: activeContext,
  getCurrentTrace: currentTrace,
  followContexts,
  start: startSpan,
  within,
}
