// How soon code that crashed may start again: 1, 2, 4 … 60 s after its last start, counted per key and forgotten after an answer. Code that ran for
// longer than its pause starts again at once; no code starts more than once a second because of crashes.
export interface Restarts {
  /** How long the next start has to wait. */
  pauseMs(key: string): number
  started(key: string): void
  crashed(key: string): void
  /** It answered: what follows is the first crash again. */
  forgive(key: string): void
  /** Other code has its place now. */
  forget(key: string): void
}

export function createRestarts(now: () => number = () => performance.now()): Restarts {
  const records = new Map<string, { startedAt: number; crashes: number }>()
  return {
    pauseMs(key) {
      const record = records.get(key)
      if (!record?.crashes) return 0
      return Math.max(0, record.startedAt + Math.min(60_000, 1000 * 2 ** (record.crashes - 1)) - now())
    },
    started(key) {
      records.set(key, { startedAt: now(), crashes: records.get(key)?.crashes ?? 0 })
    },
    crashed(key) {
      const record = records.get(key)
      if (record) record.crashes += 1
    },
    forgive(key) {
      const record = records.get(key)
      if (record) record.crashes = 0
    },
    forget: (key) => void records.delete(key),
  }
}
