// Collects many small items for a moment and writes them together, per key. Drops items instead of
// queueing them without bound when the database falls behind.

interface BatchedWrites<Item> {
  add(key: string, item: Item): void
  close(): Promise<void>
}

interface BatchOptions {
  gatherMs: number
  maxKeys: number
  /** Per key. */
  maxItems: number
  /** The items of a key to drop beyond `maxItems`. */
  drops: 'newest' | 'oldest'
}

const usual: BatchOptions = {
  gatherMs: 200,
  maxKeys: Number.POSITIVE_INFINITY,
  maxItems: 2_000,
  drops: 'newest',
}

/** `write` gets the items of one key in the order of `add`; `lost` gets the error when it fails. */
export function createBatchedWrites<Item>(
  write: (key: string, items: Item[]) => Promise<void>,
  lost: (error: unknown) => void,
  { gatherMs, maxKeys, maxItems, drops }: BatchOptions = usual,
): BatchedWrites<Item> {
  const waiting = new Map<string, Item[]>()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<unknown> = Promise.resolve()

  const flush = () => {
    timer = null
    const batches = [...waiting]
    waiting.clear()
    writing = writing.then(() =>
      Promise.all(batches.map(([key, items]) => write(key, items).catch(lost))),
    )
    return writing
  }
  return {
    add(key, item) {
      const items = waiting.get(key) ?? []
      if (items.length === 0 && waiting.size >= maxKeys) return
      if (items.length >= maxItems && drops === 'newest') return
      items.push(item)
      if (items.length > maxItems) items.shift()
      waiting.set(key, items)
      timer ??= setTimeout(flush, gatherMs)
    },
    async close() {
      if (timer) clearTimeout(timer)
      await flush()
    },
  }
}
