// The metrics of this process. Names follow Prometheus' conventions: a unit, `_total` for counters,
// seconds. Labels have few, fixed values, except the ids of the few bots with the longest queues.
import { type Histogram, openRegistry, type Registry } from './registry.ts'

export interface Metrics {
  registry: Registry
  requests: RequestMetrics
  deliveries: DeliveryMetrics
  invocations: InvocationMetrics
  models: ModelMetrics
  /** Counts exceptions that no code caught (core/http/uncaught.ts). */
  uncaught(kind: 'exception' | 'rejection'): { add(): void }
}

interface RequestMetrics {
  /**
   * Counts an answered request. `seconds` is null where the duration is meaningless (streams).
   * `operation` is a route's name, never a URL.
   */
  answered(
    family: string,
    operation: string,
    status: number,
    seconds: number | null,
  ): void
}

type InvocationResult = 'done' | 'failed' | 'ignored' | 'dead'

interface DeliveryMetrics {
  /** Observes the delay between the creation of a delivery and its first attempt. */
  waited(kind: string, seconds: number): void
  attempted(kind: string, result: InvocationResult | 'retry' | 'postponed'): void
  ended(kind: string, outcome: InvocationResult): void
}

interface InvocationMetrics {
  ended(
    place: 'hosted' | 'url',
    callee: 'bot' | 'integration',
    outcome: string,
    seconds: number,
  ): void
}

interface ModelMetrics {
  /** Counts an ended call of a model. The models of a server are few. */
  called(call: {
    kind: string
    model: string
    outcome: string
    cached: boolean
    usage: { inputTokens: number; outputTokens: number }
    cost: number
    ms: number
  }): void
}

const quick = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const patient = [...quick, 30, 60, 120]
const lasting = [...quick, 60, 600, 3_600]

export function openMetrics(): Metrics {
  const registry = openRegistry()
  return {
    registry,
    requests: requestMetrics(registry),
    deliveries: deliveryMetrics(registry),
    invocations: invocationMetrics(registry),
    models: modelMetrics(registry),
    uncaught: registry.counter(
      'botstead_uncaught_exceptions_total',
      'Exceptions that no code caught; the server goes on',
      ['kind'],
    ),
  }
}

function requestMetrics(registry: Registry): RequestMetrics {
  const counter = registry.counter(
    'botstead_http_requests_total',
    'HTTP requests by operation and class of status',
    ['family', 'operation', 'status'],
  )
  const histogram = registry.histogram(
    'botstead_http_request_duration_seconds',
    'Duration of HTTP requests until the end of the response, without streams',
    ['family', 'operation'],
    quick,
  )
  const known = new Map<
    string,
    { byClass: ReturnType<typeof counter>[]; duration: Histogram | null }
  >()
  return {
    answered(family, operation, status, seconds) {
      const name = `${family}.${operation}`
      const found = known.get(name) ?? { byClass: [], duration: null }
      known.set(name, found)
      const level = Math.floor(status / 100)
      found.byClass[level] ??= counter(family, operation, `${level}xx`)
      found.byClass[level].add()
      if (seconds === null) return
      found.duration ??= histogram(family, operation)
      found.duration.observe(seconds)
    },
  }
}

function deliveryMetrics(registry: Registry): DeliveryMetrics {
  const ended = registry.counter(
    'botstead_deliveries_total',
    'Completed deliveries by kind and outcome',
    ['kind', 'outcome'],
  )
  const attempts = registry.counter(
    'botstead_delivery_attempts_total',
    'Delivery attempts by kind and result',
    ['kind', 'result'],
  )
  const waits = registry.histogram(
    'botstead_delivery_wait_seconds',
    'Time from the commit of a delivery to the start of its first attempt',
    ['kind'],
    lasting,
  )
  return {
    waited: (kind, seconds) => waits(kind).observe(seconds),
    attempted: (kind, result) => attempts(kind, result).add(),
    ended: (kind, outcome) => ended(kind, outcome).add(),
  }
}

function invocationMetrics(registry: Registry): InvocationMetrics {
  const labels = ['place', 'callee', 'outcome']
  const durations = registry.histogram(
    'botstead_invocation_duration_seconds',
    'Duration of calls to bots and integrations by place and outcome',
    labels,
    patient,
  )
  return {
    ended: (place, callee, outcome, seconds) =>
      durations(place, callee, outcome).observe(seconds),
  }
}

/** Names that callers invent must not create samples without limit. */
const maxModels = 500

function modelMetrics(registry: Registry): ModelMetrics {
  const calls = registry.counter(
    'botstead_model_calls_total',
    'Calls of models by outcome',
    ['kind', 'model', 'outcome'],
  )
  const tokens = registry.counter(
    'botstead_model_tokens_total',
    'Tokens of models by direction',
    ['model', 'direction'],
  )
  const cost = registry.counter('botstead_model_cost_dollars_total', 'Cost of models', [
    'model',
  ])
  const hits = registry.counter(
    'botstead_model_cache_hits_total',
    'Calls that the cache answered',
    ['model'],
  )
  const durations = registry.histogram(
    'botstead_model_duration_seconds',
    'Duration of calls of models',
    ['kind', 'model'],
    patient,
  )
  const known = new Set<string>()
  const toLabel = (model: string, outcome: string) => {
    if (outcome === 'rejected') return 'none'
    if (known.size < maxModels) known.add(model)
    return known.has(model) ? model : 'other'
  }
  return {
    called({ kind, outcome, cached, usage, cost: dollars, ms, ...call }) {
      const model = toLabel(call.model, outcome)
      calls(kind, model, outcome).add()
      if (cached) hits(model).add()
      tokens(model, 'input').add(usage.inputTokens)
      tokens(model, 'output').add(usage.outputTokens)
      if (dollars > 0) cost(model).add(dollars)
      durations(kind, model).observe(ms / 1_000)
    },
  }
}
