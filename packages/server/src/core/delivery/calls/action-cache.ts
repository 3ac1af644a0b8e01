// In-memory cache of outputs of `cacheable` actions. The key covers everything that an output
// depends on: the target with its code, secrets and configuration, and the input. So no change
// needs an invalidation, on whichever server it is made. Expired and evicted entries cause a new
// call.
import { sha256 } from '@botstead/lib'

type Json = Record<string, unknown>

export interface ActionCache {
  /** Returns null if there is no entry. */
  get(botId: string, key: string): Json | null
  /** Stores an output unless it is longer than `maxOutputLength`. */
  set(botId: string, key: string, output: Json): void
}

export const actionCacheMs = 300_000
const maxOutputLength = 256 * 1024
/**
 * Maximum length of one bot's entries and of all entries: characters of JSON, with `entryLength`
 * for each entry.
 */
const maxLengthOfBot = 4 * 1_048_576
const maxLength = 64 * 1_048_576
const entryLength = 500

interface Entry {
  botId: string
  text: string
  until: number
}

export function createActionCache({ now = () => performance.now() } = {}): ActionCache {
  /** In order of age, as are the keys of each bot. */
  const all = new Map<string, Entry>()
  const lengths = new Map<string, number>()
  const keysByBot = new Map<string, Set<string>>()
  let length = 0

  function remove(key: string): void {
    const entry = all.get(key)
    if (!entry) return
    const { botId, text } = entry
    all.delete(key)
    keysByBot.get(botId)!.delete(key)
    length -= text.length + entryLength
    lengths.set(botId, lengths.get(botId)! - text.length - entryLength)
    if (keysByBot.get(botId)!.size > 0) return
    keysByBot.delete(botId)
    lengths.delete(botId)
  }

  return {
    get(botId, key) {
      const entry = all.get(`${botId} ${key}`)
      if (!entry) return null
      if (entry.until > now()) return JSON.parse(entry.text)
      remove(`${botId} ${key}`)
      return null
    },
    set(botId, key, output) {
      const text = JSON.stringify(output)
      if (text.length > maxOutputLength) return
      const name = `${botId} ${key}`
      remove(name)
      all.set(name, { botId, text, until: now() + actionCacheMs })
      const keys = keysByBot.get(botId) ?? new Set()
      keysByBot.set(botId, keys.add(name))
      length += text.length + entryLength
      lengths.set(botId, (lengths.get(botId) ?? 0) + text.length + entryLength)
      while (lengths.get(botId)! > maxLengthOfBot) remove(keys.values().next().value!)
      while (length > maxLength) remove(all.keys().next().value!)
    },
  }
}

/**
 * Returns the cache key. `target` is the invoker's fingerprint. The order of object keys makes no
 * difference.
 */
export const actionKey = (target: string, action: string, input: Json): string =>
  sha256(JSON.stringify([target, action, sorted(input)])).toString('base64url')

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  // Entries instead of an object, so that keys such as `__proto__` need no special case.
  return {
    object: Object.entries(value)
      .sort(byName)
      .map(([name, inside]) => [name, sorted(inside)]),
  }
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
