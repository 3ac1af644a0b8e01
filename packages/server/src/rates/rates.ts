// The limits on how often something may happen. Each process counts for itself, without waiting for anything. Those by the minute are told to
// the other processes once a second, so that all of them together let pass what passed within a second too much, at most; and they are
// kept in the database as often, so that a restart forgets no more than a second. Those by the second hold in each process on its own.
import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Database } from '../db/open.ts'
import { Rate } from './rate.ts'
import { keepWindows, readWindows, removeOldWindows } from './store.ts'

export type RateName = 'requests' | 'webhooks' | 'messages' | 'userMessages' | 'failures'

/** Per window; Infinity for no limit. */
export type RateSettings = Record<RateName, number>

export interface Rates {
  /** Null where there is no limit. */
  of(name: RateName): Rate | null
  /** For the other processes, and from them. */
  heard(note: RatesNote): void
  close(): Promise<void>
}

export interface RatesNote {
  kind: 'rates'
  passed: [RateName, key: string, count: number][]
}

export interface RatesOptions {
  log: Logger
  tell: (note: () => string) => void
  now?: () => number
}

const windows: Record<RateName, number> = {
  requests: 1_000,
  webhooks: 1_000,
  messages: 60_000,
  userMessages: 60_000,
  failures: 60_000,
}
const isShared = (name: RateName) => windows[name] >= 10_000
/** So many fit into one note. */
const perNote = 40

/** A clock of the wall may be set; this one only goes forward. */
const monotonic = () => performance.now()

export async function openRates(
  database: Database,
  settings: RateSettings,
  { log, tell, now = monotonic }: RatesOptions,
): Promise<Rates> {
  const limited = (Object.entries(settings) as [RateName, number][]).filter(
    ([, limit]) => limit !== Number.POSITIVE_INFINITY,
  )
  const rates = new Map(
    limited.map(([name, limit]) => [name, new Rate({ limit, windowMs: windows[name], now })]),
  )
  for (const { window, ageMs } of await readWindows(database.db)) {
    const [name, key] = namesOf(window[0])
    rates.get(name)?.restore([key, window[1]], ageMs)
  }
  await removeOldWindows(database.db)

  const share = async () => {
    const kept: ReturnType<Rate['dump']> = []
    const passed: RatesNote['passed'] = []
    for (const [name, rate] of rates) {
      const fresh = rate.takeFresh()
      if (!isShared(name)) continue
      for (const [key, count] of fresh) passed.push([name, key, count])
      kept.push(
        ...rate.dump(fresh.keys()).map(([key, counts]): (typeof kept)[number] => [`${name} ${key}`, counts]),
      )
    }
    for (let i = 0; i < passed.length; i += perNote)
      tell(() => JSON.stringify({ kind: 'rates', passed: passed.slice(i, i + perNote) } satisfies RatesNote))
    await keepWindows(database, kept)
  }
  const shareSafely = () =>
    share().catch((error) => log.warn({ err: error }, 'what passed could not be kept'))
  let sharing: Promise<unknown> | null = null
  const tick = () => {
    sharing ??= shareSafely().finally(() => {
      sharing = null
    })
  }
  const timer = setInterval(tick, 1_000).unref()

  return {
    of: (name) => rates.get(name) ?? null,
    heard({ passed }) {
      for (const [name, key, count] of passed) rates.get(name)?.add(key, count)
    },
    async close() {
      clearInterval(timer)
      await sharing
      await shareSafely()
    },
  }
}

function namesOf(kept: string): [RateName, string] {
  const space = kept.indexOf(' ')
  return [kept.slice(0, space) as RateName, kept.slice(space + 1)]
}
