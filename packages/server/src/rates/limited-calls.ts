// Call-backs of hosted code that were answered 429, by the event or message that they follow from. A delivery watches its own while it runs; whatever
// nobody watches is not kept, so this holds no more than the deliveries that are running.

export interface LimitedCalls {
  /** Notes call-backs with this cause until the returned function is called; it returns the longest wait that one was answered, or null. */
  watch(cause: string): () => number | null
  note(cause: string, msUntilFree: number): void
}

export function openLimitedCalls(): LimitedCalls {
  const watched = new Map<string, number | null>()
  return {
    watch(cause) {
      watched.set(cause, null)
      return () => {
        const ms = watched.get(cause) ?? null
        watched.delete(cause)
        return ms
      }
    },
    note(cause, msUntilFree) {
      const known = watched.get(cause)
      if (known !== undefined) watched.set(cause, Math.max(known ?? 0, msUntilFree))
    },
  }
}
