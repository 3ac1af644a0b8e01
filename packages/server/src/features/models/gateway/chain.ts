// Runs a call on the first model of a chain that answers. An attempt holds a turn of its provider,
// has a deadline, and ends with its caller. Models with an open circuit breaker are skipped.
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '@botstead/contract'
import { FairTurns } from '@botstead/lib'
import type { Breakers } from '../providers/breakers.ts'
import type { Model, ProviderSettings } from '../providers/catalog.ts'
import { ModelFailure, toFailure } from '../providers/failures.ts'

/** Pauses before the last model is tried again. */
const pausesMs = [250, 1_000]
const maxPauseMs = 5_000

/** While others wait, one bot has at most half of a provider's turns. */
const aloneMs = 1_000

export class ProviderTurns {
  readonly #turns = new WeakMap<ProviderSettings, FairTurns>()

  of(provider: ProviderSettings): FairTurns {
    const known = this.#turns.get(provider)
    if (known) return known
    const { concurrency: capacity } = provider
    const turns = new FairTurns({ capacity, maxPerKey: Math.ceil(capacity / 2), aloneMs })
    this.#turns.set(provider, turns)
    return turns
  }
}

/** One attempt. `end` must be called; it also ends the request of an attempt that still runs. */
export class Attempt {
  readonly model: Model
  readonly begun = performance.now()
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal
  #timer: NodeJS.Timeout | undefined
  #leave: () => void = () => {}

  constructor(model: Model, caller: AbortSignal) {
    this.model = model
    this.#caller = caller
    if (caller.aborted) this.#cancel()
    else caller.addEventListener('abort', this.#cancel)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  readonly #cancel = () =>
    this.#controller.abort(
      new ModelFailure(
        { kind: 'canceled', model: this.model.id },
        'The caller ended the call',
      ),
    )

  /** Replaces the deadline. */
  within(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const message = `The provider of "${this.model.id}" did not answer within ${ms} ms`
      this.#controller.abort(
        new ModelFailure({ kind: 'timeout', model: this.model.id }, message),
      )
    }, ms)
  }

  /** Waits for a turn of the provider. */
  async takeTurn(turns: FairTurns, botId: string): Promise<void> {
    const turn = turns.take(botId)
    this.#leave = turn.leave
    if (turn.admitted) await this.race(turn.admitted)
  }

  /** Rejects when the attempt ends before the promise settles. */
  async race<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this
    // Also if the attempt has ended already: an unhandled rejection would end the server.
    promise.catch(() => {})
    signal.throwIfAborted()
    let onAbort = () => {}
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal.reason)
      signal.addEventListener('abort', onAbort)
    })
    try {
      return await Promise.race([promise, aborted])
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** A request that the attempt aborted fails with the reason, whatever error it throws. */
  failureOf(error: unknown): ModelFailure {
    return toFailure(this.model, this.signal.aborted ? this.signal.reason : error)
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#caller.removeEventListener('abort', this.#cancel)
    this.#leave()
    this.#controller.abort()
  }
}

export interface ChainDeps {
  breakers: Breakers
  turns: ProviderTurns
}

interface ChainCall {
  chain: Model[]
  botId: string
  signal: AbortSignal
  /** Null: the time-out of each provider. */
  timeoutMs: number | null
  /** Called for each failed attempt. */
  onFailure: (failure: ModelFailure) => void
}

/** Returns the result with its attempt, which still runs. Throws ModelFailure. */
export async function runChain<T>(
  deps: ChainDeps,
  call: ChainCall,
  perform: (attempt: Attempt) => Promise<T>,
): Promise<{ attempt: Attempt; value: T; rest: Model[] }> {
  let last: ModelFailure | null = null
  for (const [at, model] of call.chain.entries()) {
    if (!deps.breakers.allows(toBreakerKey(model))) {
      last ??= skipped(deps.breakers, model)
      continue
    }
    const isLast = at === call.chain.length - 1
    const outcome = await tryModel(deps, call, { model, isLast }, perform)
    if (!(outcome instanceof ModelFailure))
      return { ...outcome, rest: call.chain.slice(at + 1) }
    if (!outcome.fallsBack) throw outcome
    last = outcome
  }
  throw last!
}

/** Workspaces and bots may have models of the same id, which must not affect each other. */
export const toBreakerKey = ({ id, provider: { workspaceId, integration } }: Model) =>
  `${workspaceId ?? ''} ${integration?.botId ?? ''} ${id}`

const skipped = (breakers: Breakers, model: Model) =>
  new ModelFailure(
    {
      kind: 'unavailable',
      model: model.id,
      retryAfterMs: breakers.waitMs(toBreakerKey(model)),
    },
    `The model "${model.id}" failed several times in a row, and is not called at the moment`,
  )

/** Repeats a failed attempt only if no other model follows. */
async function tryModel<T>(
  deps: ChainDeps,
  call: ChainCall,
  { model, isLast }: { model: Model; isLast: boolean },
  perform: (attempt: Attempt) => Promise<T>,
): Promise<{ attempt: Attempt; value: T } | ModelFailure> {
  for (let repetition = 0; ; repetition++) {
    const outcome = await tryOnce(deps, call, model, perform)
    if (!(outcome instanceof ModelFailure)) return outcome
    call.onFailure(outcome)
    const pauseMs = outcome.retryAfterMs ?? pausesMs[repetition] ?? 0
    const ends = !isLast || !outcome.mayPass || repetition >= pausesMs.length
    if (ends || pauseMs > maxPauseMs) return outcome
    await pause(pauseMs, null, { signal: call.signal }).catch(() => {})
    if (call.signal.aborted || !deps.breakers.allows(toBreakerKey(model))) return outcome
  }
}

async function tryOnce<T>(
  { breakers, turns }: ChainDeps,
  { botId, signal, timeoutMs }: ChainCall,
  model: Model,
  perform: (attempt: Attempt) => Promise<T>,
): Promise<{ attempt: Attempt; value: T } | ModelFailure> {
  const attempt = new Attempt(model, signal)
  try {
    attempt.within(timeoutMs ?? model.provider.timeoutMs)
    await attempt.takeTurn(turns.of(model.provider), botId)
    const value = await attempt.race(perform(attempt))
    breakers.succeeded(toBreakerKey(model))
    return { attempt, value }
  } catch (error) {
    // The request is not valid, or a budget is used up: no model can answer it.
    if (error instanceof ApiError && !attempt.signal.aborted) {
      attempt.end()
      throw error
    }
    const failure = attempt.failureOf(error)
    attempt.end()
    breakers.failed(toBreakerKey(model), failure)
    return failure
  }
}
