// Circuit breakers, one for each model of a provider. After several failures in a row, a breaker
// opens: calls skip the model. After a pause one call tries it again, and closes it or opens it
// for longer.
import type { ModelFailure } from './failures.ts'

const maxFailures = 5
const pauseMs = { first: 5_000, longest: 120_000 }

interface State {
  failures: number
  /** In the time of `performance.now()`; 0 while closed. */
  openUntil: number
  pauseMs: number
  isTrying: boolean
}

export class Breakers {
  readonly #states = new Map<string, State>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Returns whether to call the model. After the pause, true for one caller only. */
  allows(model: string): boolean {
    const state = this.#states.get(model)
    if (!state || state.openUntil === 0) return true
    if (this.#now() < state.openUntil || state.isTrying) return false
    state.isTrying = true
    return true
  }

  /** Returns the milliseconds until the model may be called again. */
  waitMs(model: string): number {
    return Math.max(0, (this.#states.get(model)?.openUntil ?? 0) - this.#now())
  }

  succeeded(model: string): void {
    this.#states.delete(model)
  }

  failed(model: string, failure: ModelFailure): void {
    const state = this.#states.get(model) ?? { ...closed }
    this.#states.set(model, state)
    const wasTrying = state.isTrying
    state.isTrying = false
    // A request that is wrong, or that its caller ended, says nothing about the model.
    if (!failure.fallsBack) return
    state.failures++
    if (state.failures < maxFailures && !wasTrying) return
    state.pauseMs = Math.min(state.pauseMs * 2 || pauseMs.first, pauseMs.longest)
    state.openUntil = this.#now() + Math.max(state.pauseMs, failure.retryAfterMs ?? 0)
  }

  /** The models that calls skip at the moment. */
  open(): string[] {
    return [...this.#states].flatMap(([model, { openUntil }]) =>
      openUntil > this.#now() ? [model] : [],
    )
  }
}

const closed: State = { failures: 0, openUntil: 0, pauseMs: 0, isTrying: false }
