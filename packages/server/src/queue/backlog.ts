// How much waits for each bot, about: what this process enqueued and ended is counted as it happens, and what others did is read from the
// rows now and then, for the bots that somebody asks about. Nobody waits for it.
import type { Logger } from 'pino'

export interface BacklogOptions {
  /** Deliveries that wait per bot; a count that passes `enough` need not be exact. */
  read: (botIds: string[], enough: number) => Promise<Map<string, number>>
  /** As many are too many. */
  enough: number
  log: Logger
  now?: () => number
  /** A reading is good for so long. */
  freshMs?: number
  /** Who was not asked about for so long is not read any more. */
  interestMs?: number
}

interface Bot {
  count: number
  /** Of what came lately, the mean. */
  meanBytes: number
  askedAt: number
  readAt: number
}

/** The share of the newest in the mean. */
const newest = 1 / 16

export class Backlog {
  readonly #options: Required<BacklogOptions>
  readonly #bots = new Map<string, Bot>()
  #reading = false

  constructor(options: BacklogOptions) {
    this.#options = { now: () => performance.now(), freshMs: 5_000, interestMs: 60_000, ...options }
  }

  entered(botId: string, bytes?: number) {
    const bot = this.#bots.get(botId)
    if (!bot) return
    bot.count++
    if (bytes !== undefined) bot.meanBytes += (bytes - bot.meanBytes) * newest
  }

  ended(botId: string) {
    const bot = this.#bots.get(botId)
    if (bot) bot.count = Math.max(0, bot.count - 1)
  }

  /** As far as is known; somebody asks, so it will soon be known better. */
  of(botId: string): { count: number; bytes: number } {
    const at = this.#options.now()
    const bot = this.#bots.get(botId) ?? {
      count: 0,
      meanBytes: 0,
      askedAt: at,
      readAt: Number.NEGATIVE_INFINITY,
    }
    this.#bots.set(botId, bot)
    bot.askedAt = at
    if (at - bot.readAt > this.#options.freshMs) void this.#read()
    return { count: bot.count, bytes: bot.count * bot.meanBytes }
  }

  /** All that are due, in one statement; a bot that nobody asks about any more is forgotten. */
  async #read() {
    if (this.#reading) return
    this.#reading = true
    const { read, enough, log, now, freshMs, interestMs } = this.#options
    const at = now()
    for (const [botId, bot] of this.#bots) if (at - bot.askedAt > interestMs) this.#bots.delete(botId)
    const due = [...this.#bots].filter(([, bot]) => at - bot.readAt > freshMs)
    for (const [, bot] of due) bot.readAt = at
    try {
      const counts = await read(
        due.map(([botId]) => botId),
        enough,
      )
      for (const [botId, bot] of due) bot.count = counts.get(botId) ?? 0
    } catch (error) {
      log.warn({ err: error }, 'how much waits could not be read')
    } finally {
      this.#reading = false
    }
  }
}
