// The model gateway: one way to all models, for bots, people, computed columns and embeddings.
// A call resolves its names to a chain of models (../providers/catalog.ts), runs it (chain.ts), and is
// measured (meter.ts).
import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'
import { ApiError } from '@botstead/contract'
import type { ModelAccess, ModelAccessDeps, Resolved } from '../model-access.ts'
import { Breakers } from '../providers/breakers.ts'
import {
  type Catalog,
  type Model,
  type ModelKind,
  resolveModels,
} from '../providers/catalog.ts'
import { ModelFailure } from '../providers/failures.ts'
import { type OpenedProvider, Providers } from '../providers/providers.ts'
import { type Send, toFetch } from '../providers/transport.ts'
import type { ModelCaller, TextCall, TextEvent, TextResult } from './call.ts'
import {
  type Attempt,
  type ChainDeps,
  ProviderTurns,
  runChain,
  toBreakerKey,
} from './chain.ts'
import { toApiError } from './errors.ts'
import { Hearing } from './hearing.ts'
import { hasModel, unknownModel } from './known-models.ts'
import { Meter } from './meter.ts'
import { estimateUsage, toCosts } from './prices.ts'
import type { Recordings } from './recordings.ts'
import { redactCall } from './redacted-calls.ts'
import type { ReplyCache } from './reply-cache.ts'
import { hashRequest, toHashedRequest } from './request-hash.ts'
import { type Opened, restartEvent, streamEvents } from './stream-events.ts'
import { listFailedModels, summarize, warn } from './summary.ts'
import { generate, openStream } from './text.ts'

interface GatewayDeps extends ModelAccessDeps {
  /** The models of a workspace, without those of its bots' integrations. */
  workspaceCatalogOf: (workspaceId: string) => Promise<Catalog>
  /** The models of a bot. */
  getCatalog: (caller: ModelCaller) => Promise<Catalog>
  /** Called for a bot that needs a kind of model of which none is configured. */
  onNoModel: (caller: ModelCaller, error: ApiError) => void
  /** The sender for a provider: with rules for addresses if a workspace configured it. */
  getSend: (workspaceId: string | null) => Promise<Send>
  cache: ReplyCache
  /** Null: calls are neither recorded nor replayed. */
  recordings: Recordings | null
  /** Whether the log contains prompts and responses. */
  logContents: boolean
  /** Returns the options with media as the model can read them. */
  prepareMedia: (
    model: Model,
    opened: OpenedProvider,
    call: TextCall,
    caller: ModelCaller,
  ) => Promise<LanguageModelV3CallOptions>
}

export class Gateway implements ModelAccess {
  readonly deps: GatewayDeps
  readonly chainDeps: ChainDeps = { breakers: new Breakers(), turns: new ProviderTurns() }
  readonly providers: Providers
  readonly #hearing = new Hearing(this)

  constructor(deps: GatewayDeps) {
    this.deps = deps
    this.providers = new Providers(async ({ workspaceId }) =>
      toFetch(await deps.getSend(workspaceId)),
    )
  }

  async resolve(
    caller: ModelCaller,
    kind: ModelKind,
    names: string[],
    isOptional = false,
  ): Promise<Resolved> {
    const catalog = await this.deps.getCatalog(caller)
    const chain = [
      ...new Set(names.flatMap((name) => resolveModels(catalog, name, kind))),
    ]
    if (chain.length === 0) {
      const error = unknownModel(catalog, kind, names)
      if (!isOptional && !hasModel(catalog, kind)) this.deps.onNoModel(caller, error)
      throw error
    }
    const unknown = names.filter(
      (name) => resolveModels(catalog, name, kind).length === 0,
    )
    const deprecated = chain[0]!.lifecycle === 'deprecated' ? [chain[0]!.id] : []
    return {
      chain,
      warnings: [
        ...unknown.map((name) => warn('fallback_used', `There is no model "${name}"`)),
        ...deprecated.map((id) =>
          warn('deprecated_model', `The model "${id}" is deprecated`),
        ),
      ],
    }
  }

  async hasTextModel(workspaceId: string): Promise<boolean> {
    return hasModel(await this.deps.workspaceCatalogOf(workspaceId), 'text')
  }

  /** Throws ApiError. */
  async generateText(caller: ModelCaller, sent: TextCall): Promise<TextResult> {
    const call = await redactCall(this.deps.getRedactors, caller, sent)
    const known = await this.#known(caller, call)
    if (known) return known.response
    const result = await this.#generateNew(caller, call)
    await this.#keep(caller, call, result, [result.output])
    return result
  }

  /**
   * Yields the events of a stream. Throws ApiError before the first event; afterwards ModelFailure.
   */
  async *streamText(
    caller: ModelCaller,
    sent: TextCall,
  ): AsyncGenerator<TextEvent, void> {
    const call = await redactCall(this.deps.getRedactors, caller, sent)
    const known = await this.#known(caller, call)
    if (known) return yield* toEvents(known)
    if (!this.#keeps) return yield* this.#streamNew(caller, call)
    const [pieces, reasoning]: string[][] = [[], []]
    for await (const event of this.#streamNew(caller, call)) {
      if (event.type === 'restart') pieces!.length = reasoning!.length = 0
      if (event.type === 'text') pieces!.push(event.text)
      if (event.type === 'reasoning') reasoning!.push(event.text)
      if (event.type === 'finish') {
        const [output, thought] = [pieces!.join(''), reasoning!.join('')]
        await this.#keep(
          caller,
          call,
          { ...event.summary, output, reasoning: thought },
          pieces!,
        )
      }
      yield event
    }
  }

  /** Returns a recorded or cached response, which the ledger has as a call without costs. */
  async #known(caller: ModelCaller, call: TextCall): Promise<Known | null> {
    const { recordings, cache } = this.deps
    const replayed =
      recordings?.mode === 'replay'
        ? await recordings.find(caller, toHashedRequest(call))
        : null
    const cached =
      cache.isOn && !call.skipCache ? cache.get(cacheKey(caller, call)) : null
    if (!replayed && !cached) return null
    const { model, provider } = (replayed?.response ?? cached)!
    const meter = await Meter.begin(this.deps, caller, 'text', call.models[0]!)
    await meter.end({
      model,
      provider,
      usage: noTokens,
      cost: 0,
      cached: true,
      outcome: 'ok',
    })
    if (replayed) return replayed
    const free = {
      cached: true,
      transcription: null,
      inputCost: 0,
      outputCost: 0,
      ms: meter.ms,
      firstTokenMs: null,
    }
    return { response: { ...cached!, ...free }, pieces: [cached!.output] }
  }

  /** Whether anything keeps responses; otherwise a stream need not be collected. */
  get #keeps(): boolean {
    const { recordings, cache, logContents } = this.deps
    return logContents || cache.isOn || recordings?.mode === 'record'
  }

  async #keep(
    caller: ModelCaller,
    call: TextCall,
    response: TextResult,
    pieces: string[],
  ) {
    const { recordings, cache, logContents, log } = this.deps
    if (logContents)
      log.info({ ...caller, request: toHashedRequest(call), response }, 'model call')
    if (cache.isOn) cache.set(cacheKey(caller, call), response)
    if (recordings?.mode === 'record') {
      const { workspaceId, botId, eventId, conversationId, userId } = caller
      const recorded = { workspaceId, botId, eventId, conversationId, userId }
      await recordings.store({
        caller: recorded,
        request: toHashedRequest(call),
        response,
        pieces,
      })
    }
  }

  async #generateNew(caller: ModelCaller, call: TextCall): Promise<TextResult> {
    const resolved = await this.resolve(caller, 'text', call.models, call.isOptional)
    const meter = await Meter.begin(this.deps, caller, 'text', call.models[0]!)
    const failures: ModelFailure[] = []
    try {
      const { attempt, value } = await runChain(
        this.chainDeps,
        chainCall(caller, call, resolved.chain, failures),
        async (attempt) => {
          const opened = await this.providers.of(attempt.model)
          const options = await this.#optionsFor(opened, attempt, call, caller)
          return generate(opened, attempt, call, options)
        },
      )
      const { ms } = meter
      attempt.end()
      const transcription = await this.#hearing.usedBy(call)
      const ended = { attempt, collected: value, call, failures, ms, transcription }
      const summary = summarize({ ...ended, ...resolved })
      await meter.end({
        ...summary,
        cost: summary.inputCost + summary.outputCost,
        outcome: 'ok',
      })
      return { ...summary, output: value.output, reasoning: value.reasoning }
    } catch (error) {
      throw await this.#failed(meter, error, failures)
    }
  }

  async *#streamNew(
    caller: ModelCaller,
    call: TextCall,
  ): AsyncGenerator<TextEvent, void> {
    const resolved = await this.resolve(caller, 'text', call.models, call.isOptional)
    const meter = await Meter.begin(this.deps, caller, 'text', call.models[0]!)
    const failures: ModelFailure[] = []
    let open = await this.#open(caller, call, resolved.chain, failures).catch(
      async (error) => {
        throw await this.#failed(meter, error, failures)
      },
    )
    const firstTokenMs = meter.ms
    let isComplete = false
    try {
      for (let number = 2; ; number++) {
        try {
          yield* streamEvents(open, call)
          isComplete = true
          break
        } catch (error) {
          const failure = open.attempt.failureOf(error)
          failures.push(failure)
          this.chainDeps.breakers.failed(toBreakerKey(open.attempt.model), failure)
          open.attempt.end()
          if (!call.midStreamFallback || !failure.fallsBack || open.rest.length === 0)
            throw failure
          open = await this.#open(caller, call, open.rest, failures)
          yield restartEvent(number, failure, open.attempt.model)
        }
      }
      const { ms } = meter
      const { attempt, collected } = open
      const transcription = await this.#hearing.usedBy(call)
      const ended = { attempt, collected, call, failures, ms, transcription }
      const summary = { ...summarize({ ...ended, ...resolved }), firstTokenMs }
      await meter.end({
        ...summary,
        cost: summary.inputCost + summary.outputCost,
        outcome: 'ok',
      })
      yield { type: 'finish', summary }
    } catch (error) {
      await this.#interrupted(meter, open, call, failures, error)
      throw error
    } finally {
      // Also when the reader stops, because its client disconnected.
      if (!isComplete) await this.#interrupted(meter, open, call, failures, null)
      open.attempt.end()
      open.reader.cancel().catch(() => {})
    }
  }

  async #open(
    caller: ModelCaller,
    call: TextCall,
    chain: Model[],
    failures: ModelFailure[],
  ) {
    const { attempt, value, rest } = await runChain(
      this.chainDeps,
      chainCall(caller, call, chain, failures),
      async (attempt) => {
        const opened = await this.providers.of(attempt.model)
        return openStream(
          opened,
          attempt,
          call,
          await this.#optionsFor(opened, attempt, call, caller),
        )
      },
    )
    return { attempt, rest, idleMs: call.idleMs, ...value }
  }

  async #optionsFor(
    opened: OpenedProvider,
    { model, signal }: Attempt,
    call: TextCall,
    caller: ModelCaller,
  ): Promise<LanguageModelV3CallOptions> {
    const readable = await this.#hearing.forModel(model, call, caller)
    const options = await this.deps.prepareMedia(model, opened, readable, caller)
    return { ...options, abortSignal: signal }
  }

  /** Measures the failure and returns the error for the caller. */
  async #failed(
    meter: Meter,
    error: unknown,
    failures: ModelFailure[],
  ): Promise<unknown> {
    const failure = error instanceof ModelFailure ? error : null
    await meter.end({
      model: failure?.model ?? '',
      provider: '',
      usage: { ...noTokens },
      cost: 0,
      outcome: failure?.kind === 'canceled' ? 'canceled' : 'failed',
      error:
        failure?.message ??
        (error instanceof ApiError ? error.message : 'The server failed'),
      fallbackPath: listFailedModels(failures),
    })
    if (failure) this.deps.log.warn({ err: failure }, 'a call of a model failed')
    return failure ? toApiError(failure) : error
  }

  /** A provider charges for the tokens of a stream that ends early, too: they are estimated. */
  async #interrupted(
    meter: Meter,
    { attempt: { model }, collected }: Opened,
    call: TextCall,
    failures: ModelFailure[],
    error: unknown,
  ): Promise<void> {
    const usage = collected.usage ?? estimateUsage(call.options.prompt, collected)
    const { inputCost, outputCost } = toCosts(model, usage)
    const isCanceled =
      error === null || (error instanceof ModelFailure && error.kind === 'canceled')
    await meter.end({
      model: model.id,
      provider: model.provider.name,
      usage,
      cost: inputCost + outputCost,
      outcome: isCanceled ? 'canceled' : 'failed',
      error: isCanceled ? null : (error as Error).message,
      fallbackPath: listFailedModels(failures),
    })
  }
}

interface Known {
  response: TextResult
  pieces: string[]
}

const cacheKey = ({ botId }: ModelCaller, call: TextCall) =>
  `${botId} ${hashRequest(toHashedRequest(call))}`

function* toEvents({ response, pieces }: Known): Generator<TextEvent, void> {
  const { output: _, reasoning, ...summary } = response
  const { model } = summary
  if (reasoning !== '') yield { type: 'reasoning', text: reasoning, model }
  for (const text of pieces) if (text !== '') yield { type: 'text', text, model }
  yield { type: 'finish', summary }
}

const noTokens = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }

const chainCall = (
  { botId }: ModelCaller,
  { signal, firstTokenMs: timeoutMs }: TextCall,
  chain: Model[],
  failures: ModelFailure[],
) => ({
  chain,
  botId,
  signal,
  timeoutMs,
  onFailure: (one: ModelFailure) => failures.push(one),
})
