// Access tokens that a provider gives for an hour or so: kept until they end, so that not every call needs
// one.
import { createHash } from 'node:crypto'

interface AccessToken {
  token: string
  expiresInSeconds: number
}

/** Another token is loaded so long before the end. */
const marginMs = 5 * 60_000
const minKeptMs = 10_000
const maxKept = 10_000

/** Tokens belong to the settings by which they were loaded. */
export class AccessTokens {
  readonly #kept = new Map<string, { until: number; token: Promise<string> }>()

  /** Failures are not kept. */
  get(settings: unknown[], load: () => Promise<AccessToken>): Promise<string> {
    const key = toKey(settings)
    const found = this.#kept.get(key)
    if (found && found.until > Date.now()) return found.token
    const entry = { until: Number.POSITIVE_INFINITY, token: Promise.resolve('') }
    entry.token = load().then(({ token, expiresInSeconds }) => {
      entry.until = Date.now() + Math.max(minKeptMs, expiresInSeconds * 1_000 - marginMs)
      return token
    })
    entry.token.catch(() => this.#kept.delete(key))
    this.#kept.set(key, entry)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest)
    return entry.token
  }

  /** The provider no longer accepts it. */
  invalidate(settings: unknown[]): void {
    this.#kept.delete(toKey(settings))
  }
}

const toKey = (settings: unknown[]) =>
  createHash('sha256').update(JSON.stringify(settings)).digest('base64url')
