// Measures each call of a model: checks the budgets before it, and afterwards writes the ledger,
// the budgets' use, the workspace's usage, the metrics and a span of the trace.

import { ApiError } from '@botstead/contract'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { Logger } from 'pino'
import { type Metrics, type TracedSpan, tracing } from '../../../core/telemetry/index.ts'
import type { UsageCounter } from '../../../core/usage/index.ts'
import type { ModelKind } from '../providers/catalog.ts'
import type { Budgets, Reservation } from './budgets.ts'
import { type CallRecord, type ModelCaller, noUsage, type Usage } from './call.ts'
import type { Ledger } from './ledger.ts'

export interface MeterDeps {
  log: Logger
  ledger: Pick<Ledger, 'record'>
  budgets: Pick<Budgets, 'reserve' | 'spend'>
  usage: Pick<UsageCounter, 'count'>
  metrics: Metrics['models']
}

interface Outcome {
  model: string
  provider: string
  usage: Usage
  cost: number
  outcome: CallRecord['outcome']
  error?: string | null
  firstTokenMs?: number | null
  cached?: boolean
  fallbackPath?: string[]
}

export class Meter {
  readonly #deps: MeterDeps
  readonly #caller: ModelCaller
  readonly #kind: ModelKind
  readonly #span: TracedSpan
  readonly #startedAt = new Date()
  readonly #begun = performance.now()
  #reservation: Reservation = []
  #ended = false

  private constructor(
    deps: MeterDeps,
    caller: ModelCaller,
    kind: ModelKind,
    requested: string,
  ) {
    this.#deps = deps
    this.#caller = caller
    this.#kind = kind
    this.#span = tracing.start(
      `model.${kind}`,
      SpanKind.CLIENT,
      { 'gen_ai.request.model': requested, 'botstead.bot.id': caller.botId },
      tracing.getActiveContext(),
    )
  }

  /** Throws QuotaExceeded if a budget is used up; the ledger then has the rejected call. */
  static async begin(
    deps: MeterDeps,
    caller: ModelCaller,
    kind: ModelKind,
    requested: string,
  ): Promise<Meter> {
    const meter = new Meter(deps, caller, kind, requested)
    try {
      meter.#reservation = await deps.budgets.reserve(caller)
    } catch (error) {
      const outcome = error instanceof ApiError ? 'rejected' : 'failed'
      const failed = { model: requested, provider: '', usage: noUsage, cost: 0 }
      await meter.end({ ...failed, outcome, error: (error as Error).message })
      throw error
    }
    return meter
  }

  get ms() {
    return performance.now() - this.#begun
  }

  /** Idempotent. Waits for the budgets, so that the caller's next call sees its use. */
  async end(outcome: Outcome): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    const record = this.#record(outcome)
    const { ledger, budgets, usage, metrics, log } = this.#deps
    ledger.record(record)
    metrics.called(record)
    if (record.cost > 0) usage.count('ai_spend', this.#caller.botId, record.cost)
    this.#endSpan(record)
    if (this.#reservation.length === 0) return
    const { inputTokens, outputTokens } = record.usage
    await budgets
      .spend(this.#reservation, {
        dollars: record.cost,
        tokens: inputTokens + outputTokens,
      })
      .catch((error) =>
        log.warn({ err: error }, 'the use of a model was not added to its budget'),
      )
  }

  #record({ model, provider, usage, cost, outcome, ...more }: Outcome): CallRecord {
    return {
      ...this.#caller,
      kind: this.#kind,
      model,
      provider,
      usage,
      cost,
      outcome,
      error: more.error ?? null,
      ms: this.ms,
      firstTokenMs: more.firstTokenMs ?? null,
      cached: more.cached ?? false,
      fallbackPath: more.fallbackPath ?? [],
      startedAt: this.#startedAt,
    }
  }

  #endSpan({
    model,
    provider,
    usage,
    cost,
    outcome,
    cached,
    conversationId,
  }: CallRecord) {
    const { span } = this.#span
    if (!span.isRecording()) return
    span.setAttributes({
      'gen_ai.response.model': model,
      'gen_ai.provider.name': provider,
      'gen_ai.usage.input_tokens': usage.inputTokens,
      'gen_ai.usage.output_tokens': usage.outputTokens,
      'botstead.model.cost': cost,
      'botstead.model.cached': cached,
      'botstead.model.outcome': outcome,
      ...(conversationId && { 'botstead.conversation.id': conversationId }),
    })
    if (outcome !== 'ok') span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }
}
