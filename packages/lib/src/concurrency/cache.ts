// An LRU cache with an expiry. Concurrent calls for one key share a load. It does not store failed
// loads, nor loads during which `forget` or `clear` was called.

export interface Cache<Value> {
  get(key: string): Promise<Value>
  /** Returns the cached value without loading. */
  peek(key: string): Value | undefined
  invalidate(matches: (key: string, value: Value) => boolean): void
  clear(): void
}

export function openCache<Value>(
  load: (key: string) => Promise<Value>,
  {
    size,
    ttlMs,
    keeps = () => true,
  }: {
    size: number
    ttlMs: number
    /** Whether to cache this value. Default: always. */
    keeps?: (value: Value) => boolean
  },
): Cache<Value> {
  const known = new Map<string, { value: Value; until: number }>()
  const loading = new Map<string, Promise<Value>>()

  const peek = (key: string) => {
    const entry = known.get(key)
    if (!entry) return undefined
    known.delete(key)
    if (entry.until < performance.now()) return undefined
    known.set(key, entry)
    return entry.value
  }
  const fetch = (key: string) => {
    const promise = load(key).finally(
      () => loading.get(key) === promise && loading.delete(key),
    )
    loading.set(key, promise)
    return promise.then((value) => {
      // After `clear` or `forget` this value may be stale; a newer load may be running.
      if (!loading.has(key) && !overtaken.has(promise)) remember(key, value)
      return value
    })
  }
  const overtaken = new WeakSet<Promise<Value>>()
  const remember = (key: string, value: Value) => {
    if (!keeps(value)) return
    known.set(key, { value, until: performance.now() + ttlMs })
    if (known.size > size) known.delete(known.keys().next().value!)
  }
  const overtakeAll = () => {
    for (const promise of loading.values()) overtaken.add(promise)
    loading.clear()
  }

  return {
    peek,
    async get(key) {
      const value = peek(key)
      return value !== undefined ? value : (loading.get(key) ?? fetch(key))
    },
    invalidate(matches) {
      for (const [key, { value }] of known) if (matches(key, value)) known.delete(key)
      overtakeAll()
    },
    clear() {
      known.clear()
      overtakeAll()
    },
  }
}
