// Rate limits. Each process counts on its own, without waiting. Limits per minute are shared: each
// process sends its counts to the others once a second, so together they exceed a limit at most by
// one second's calls. The counts are also stored once a second, so a restart loses at most one
// second. The same holds for limits per hour. Limits per second apply to each process separately.
import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import { type FloodLimit, floodLimits, type Limits } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import { Rate } from './rate.ts'
import { keepWindows, readWindows } from './store.ts'

type RateName = keyof typeof windows

/** Limit per window; Infinity for none. */
type RateSettings = Record<RateName, number>

export interface Rates {
  /** Returns null if there is no limit. */
  of(name: RateName): Rate | null
  /** Adds the counts in a note of another process. */
  receive(note: RatesNote): void
  close(): Promise<void>
}

interface RatesNote {
  kind: 'rates'
  passed: [RateName, key: string, count: number][]
}

export interface RatesOptions {
  log: Logger
  publish: (note: () => string) => void
  now?: () => number
}

const minuteMs = 60_000
const hourMs = 3_600_000
/** The limits of visitors have the names of their settings. */
const windows = {
  requests: 1_000,
  webhooks: 1_000,
  messages: minuteMs,
  failures: minuteMs,
  userMessagesPerMinute: minuteMs,
  addressMessagesPerMinute: minuteMs,
  chatUsersPerMinute: minuteMs,
  userConversationsPerMinute: minuteMs,
  addressConversationsPerMinute: minuteMs,
  userUploadsPerHour: hourMs,
  addressUploadsPerHour: hourMs,
  userUploadBytesPerHour: hourMs,
  addressUploadBytesPerHour: hourMs,
}
const isShared = (name: RateName) => windows[name] >= 10_000
/** Entries per note. */
const maxPerNote = 40

/** Monotonic, because the system clock may be changed. */
const monotonic = () => performance.now()

export async function openRates(
  database: Database,
  limits: Limits,
  { log, publish, now = monotonic }: RatesOptions,
): Promise<Rates> {
  const limited = (Object.entries(toSettings(limits)) as [RateName, number][]).filter(
    ([, limit]) => limit !== Number.POSITIVE_INFINITY,
  )
  const rates = new Map(
    limited.map(([name, limit]) => [
      name,
      new Rate({ limit, windowMs: windows[name], now }),
    ]),
  )
  for (const { window, ageMs } of await readWindows(database.db)) {
    const [name, key] = splitName(window[0])
    rates.get(name)?.restore([key, window[1]], ageMs)
  }

  const share = async () => {
    const kept: ReturnType<Rate['dump']> = []
    const passed: RatesNote['passed'] = []
    for (const [name, rate] of rates) {
      const fresh = rate.takeFresh()
      if (!isShared(name)) continue
      for (const [key, count] of fresh) passed.push([name, key, count])
      kept.push(
        ...rate
          .dump(fresh.keys())
          .map(([key, counts]): (typeof kept)[number] => [`${name} ${key}`, counts]),
      )
    }
    for (let i = 0; i < passed.length; i += maxPerNote)
      publish(() =>
        JSON.stringify({
          kind: 'rates',
          passed: passed.slice(i, i + maxPerNote),
        } satisfies RatesNote),
      )
    await keepWindows(database, kept)
  }
  const shareSafely = () =>
    share().catch((error) => log.warn({ err: error }, 'cannot store the rate counters'))
  let sharing: Promise<unknown> | null = null
  const tick = () => {
    sharing ??= shareSafely().finally(() => {
      sharing = null
    })
  }
  const timer = setInterval(tick, 1_000).unref()

  return {
    of: (name) => rates.get(name) ?? null,
    receive({ passed }) {
      for (const [name, key, count] of passed) rates.get(name)?.add(key, count)
    },
    async close() {
      clearInterval(timer)
      await sharing
      await shareSafely()
    },
  }
}

function splitName(kept: string): [RateName, string] {
  const space = kept.indexOf(' ')
  return [kept.slice(0, space) as RateName, kept.slice(space + 1)]
}

const toSettings = (limits: Limits): RateSettings => ({
  ...toFloodRates(limits),
  requests: limits.requestsPerSecond,
  webhooks: limits.webhooksPerSecond,
  messages: limits.messagesPerMinute,
  failures: limits.failuresPerMinute,
})

const toFloodRates = (limits: Limits) =>
  Object.fromEntries(floodLimits.map((name) => [name, limits[name]])) as Record<
    FloodLimit,
    number
  >
