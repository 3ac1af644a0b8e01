// Backoff after crashes: 1, 2, 4 … 60 s, measured from the earliest time the last start was
// allowed; counted per key and reset by an answer. A start that came later than necessary gets
// credit for up to three seconds of that wait. For example, an event that fails after attempts at
// 0, 1 and 5 s leaves the next event a pause of one second, not four. Code that ran for longer than
// its pause restarts at once, but never more than once a second.
interface Restarts {
  /** Returns how long the next start must wait. */
  pauseMs(key: string): number
  started(key: string): void
  crashed(key: string): void
  /** Resets the count of crashes after an answer. */
  forgive(key: string): void
  /** Deletes the record when other code replaces the key's code. */
  forget(key: string): void
  /**
   * Records why the last start failed, for errors of calls during the pause; `lastWords` is empty
   * without one.
   */
  noteLastWords(key: string, words: string): void
  lastWords(key: string): string
  /** Lists the keys with crashes. */
  keys(): string[]
}

const maxCreditMs = 3000
const minIntervalMs = 1000

const mayStartAt = ({
  startedAt,
  from,
  crashes,
}: {
  startedAt: number
  from: number
  crashes: number
}) =>
  Math.max(startedAt + minIntervalMs, from + Math.min(60_000, 1000 * 2 ** (crashes - 1)))

export function createRestarts(now: () => number = () => performance.now()): Restarts {
  const records = new Map<
    string,
    { startedAt: number; from: number; crashes: number; words: string }
  >()
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
          from: Math.max(mayStartAt(record), startedAt - maxCreditMs),
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
    noteLastWords(key, words) {
      const record = records.get(key)
      if (record) record.words = words
    },
    lastWords: (key) => records.get(key)?.words ?? '',
    keys: () => [...records].filter(([, { crashes }]) => crashes > 0).map(([key]) => key),
  }
}
