// Call-backs of hosted code that got 429, by the event or message that caused them. A delivery
// watches its own while it runs. Others are not kept, so memory is bounded by the number of running
// deliveries.

export interface LimitedCalls {
  /**
   * Watches call-backs with this cause until the returned function is called, which returns the
   * longest wait in ms, or null.
   */
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
