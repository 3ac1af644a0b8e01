// Approximate number of pending deliveries per bot. This process counts what it enqueues and ends.
// Changes by other processes are read from the rows from time to time, for the bots that were
// queried lately. Queries never wait for a read.
import type { Logger } from 'pino'

interface BacklogOptions {
  /** Returns the pending deliveries per bot. A count above `enough` need not be exact. */
  read: (botIds: string[], enough: number) => Promise<Map<string, number>>
  /** Count from which a backlog is too large. */
  enough: number
  log: Logger
  now?: () => number
  /** A read is valid for this long, in ms. */
  freshMs?: number
  /** A bot that was not queried for this long, in ms, is no longer read. */
  interestMs?: number
}

interface Bot {
  count: number
  /** Moving average of the size of recent deliveries. */
  meanBytes: number
  queriedAt: number
  readAt: number
}

/** Weight of the newest delivery in the moving average. */
const newestWeight = 1 / 16

export class Backlog {
  readonly #options: Required<BacklogOptions>
  readonly #bots = new Map<string, Bot>()
  #reading = false

  constructor(options: BacklogOptions) {
    this.#options = {
      now: () => performance.now(),
      freshMs: 5_000,
      interestMs: 60_000,
      ...options,
    }
  }

  entered(botId: string, bytes?: number) {
    const bot = this.#bots.get(botId)
    if (!bot) return
    bot.count++
    if (bytes !== undefined) bot.meanBytes += (bytes - bot.meanBytes) * newestWeight
  }

  ended(botId: string) {
    const bot = this.#bots.get(botId)
    if (bot) bot.count = Math.max(0, bot.count - 1)
  }

  /** Returns the current estimate, and starts a read if the last one is too old. */
  of(botId: string): { count: number; bytes: number } {
    const at = this.#options.now()
    const bot = this.#bots.get(botId) ?? {
      count: 0,
      meanBytes: 0,
      queriedAt: at,
      readAt: Number.NEGATIVE_INFINITY,
    }
    this.#bots.set(botId, bot)
    bot.queriedAt = at
    if (at - bot.readAt > this.#options.freshMs) void this.#read()
    return { count: bot.count, bytes: bot.count * bot.meanBytes }
  }

  /** Reads all outdated bots in one statement, and removes the bots that are no longer queried. */
  async #read() {
    if (this.#reading) return
    this.#reading = true
    const { read, enough, log, now, freshMs, interestMs } = this.#options
    const at = now()
    for (const [botId, bot] of this.#bots)
      if (at - bot.queriedAt > interestMs) this.#bots.delete(botId)
    const due = [...this.#bots].filter(([, bot]) => at - bot.readAt > freshMs)
    for (const [, bot] of due) bot.readAt = at
    try {
      const counts = await read(
        due.map(([botId]) => botId),
        enough,
      )
      for (const [botId, bot] of due) bot.count = counts.get(botId) ?? 0
    } catch (error) {
      log.warn({ err: error }, 'cannot count the pending deliveries')
    } finally {
      this.#reading = false
    }
  }
}
