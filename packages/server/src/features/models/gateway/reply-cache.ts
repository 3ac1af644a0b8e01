// Responses of identical requests, in memory: off unless the operator sets `cache` in
// BOTSTEAD_MODELS. Bots do not share responses.
import type { TextResult } from './call.ts'

export class ReplyCache {
  readonly #entries = new Map<string, { result: TextResult; until: number }>()
  readonly #ms: number
  readonly #maxEntries: number

  constructor({
    cacheSeconds,
    cacheEntries,
  }: { cacheSeconds: number; cacheEntries: number }) {
    this.#ms = cacheSeconds * 1_000
    this.#maxEntries = cacheEntries
  }

  get isOn(): boolean {
    return this.#ms > 0
  }

  get(key: string): TextResult | null {
    const entry = this.#entries.get(key)
    if (!entry) return null
    this.#entries.delete(key)
    if (entry.until < performance.now()) return null
    this.#entries.set(key, entry)
    return entry.result
  }

  set(key: string, result: TextResult): void {
    this.#entries.delete(key)
    this.#entries.set(key, { result, until: performance.now() + this.#ms })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#maxEntries) this.#entries.delete(oldest!)
  }
}
