// How soon code that crashed may start again: 1, 2, 4 … 60 s after it last might have started, counted per key and forgotten after an answer. Who waited longer
// than it had to has that counted, up to three seconds: an event that is given up after attempts at 0, 1 and 5 s leaves the next one a pause of one second, not
// of four. Code that ran for longer than its pause starts again at once; no code starts more than once a second because of crashes.
export interface Restarts {
  /** How long the next start has to wait. */
  pauseMs(key: string): number
  started(key: string): void
  crashed(key: string): void
  /** It answered: what follows is the first crash again. */
  forgive(key: string): void
  /** Other code has its place now. */
  forget(key: string): void
  /** Why it did not start the last time, for who asks while it has to wait; empty when nobody knows. */
  heard(key: string, words: string): void
  lastWords(key: string): string
  /** Of those that crashed. */
  keys(): string[]
}

const countedMost = 3000
const leastApart = 1000

const mayStartAt = ({ startedAt, from, crashes }: { startedAt: number; from: number; crashes: number }) =>
  Math.max(startedAt + leastApart, from + Math.min(60_000, 1000 * 2 ** (crashes - 1)))

export function createRestarts(now: () => number = () => performance.now()): Restarts {
  const records = new Map<string, { startedAt: number; from: number; crashes: number; words: string }>()
  return {
    pauseMs(key) {
      const record = records.get(key)
      if (!record?.crashes) return 0
      return Math.max(0, mayStartAt(record) - now())
    },
    started(key) {
      const record = records.get(key)
      const startedAt = now()
      if (record?.crashes)
        records.set(key, {
          startedAt,
          from: Math.max(mayStartAt(record), startedAt - countedMost),
          crashes: record.crashes,
          words: '',
        })
      else records.set(key, { startedAt, from: startedAt, crashes: 0, words: '' })
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
    heard(key, words) {
      const record = records.get(key)
      if (record) record.words = words
    },
    lastWords: (key) => records.get(key)?.words ?? '',
    keys: () => [...records].filter(([, { crashes }]) => crashes > 0).map(([key]) => key),
  }
}
