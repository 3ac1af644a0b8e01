// Schedules lanes. Each bot has a fixed number of slots in which its lanes take turns. A backlog,
// however slow, leaves slots for new deliveries.
import type { Lane } from './lane.ts'

interface Bot {
  running: number
  /** Of these, lanes claimed from the backlog. */
  runningClaimed: number
  /** Queued lanes: `fresh` with new deliveries, `claimed` from the backlog. */
  fresh: Lane[]
  claimed: Lane[]
  /** Whether the last claim filled the bot's capacity, so that more unowned lanes may exist. */
  wantsMore: boolean
}

interface TurnsOptions {
  /** Concurrent lanes of one bot. */
  perBot: number
  /** Runs one turn of a lane; must not throw. A lane with more deliveries queues up again. */
  step: (lane: Lane) => Promise<void>
  /** A bot has capacity for more of its backlog. */
  onHungry: () => void
}

export class Turns {
  readonly #options: TurnsOptions
  readonly #bots = new Map<string, Bot>()
  #running = 0
  #stopping = false
  #whenIdle: (() => void) | null = null

  constructor(options: TurnsOptions) {
    this.#options = options
  }

  get running() {
    return this.#running
  }

  queueUp(lane: Lane) {
    lane.state = 'queued'
    const bot = this.#bots.get(lane.botId) ?? {
      running: 0,
      runningClaimed: 0,
      fresh: [],
      claimed: [],
      wantsMore: false,
    }
    this.#bots.set(lane.botId, bot)
    if (lane.isClaimed) bot.claimed.push(lane)
    else bot.fresh.push(lane)
    this.#startNext(lane.botId, bot)
  }

  #startNext(botId: string, bot: Bot) {
    for (let lane = this.#nextOf(bot); lane; lane = this.#nextOf(bot)) {
      lane.state = 'running'
      this.#running++
      bot.running++
      if (lane.isClaimed) bot.runningClaimed++
      const started = lane
      void this.#options.step(started).finally(() => this.#ended(started, bot))
    }
    if (bot.wantsMore && bot.claimed.length < this.#options.perBot / 2)
      this.#options.onHungry()
    if (bot.running + bot.fresh.length + bot.claimed.length === 0)
      this.#bots.delete(botId)
  }

  /**
   * Returns the next lane. A backlog leaves slots for new deliveries, and new deliveries leave some
   * for the backlog.
   */
  #nextOf(bot: Bot): Lane | undefined {
    const { perBot } = this.#options
    if (this.#stopping || bot.running >= perBot) return undefined
    const share = bot.fresh.length > 0 ? perBot / 4 : perBot - Math.floor(perBot / 5)
    return (
      (bot.runningClaimed < share ? bot.claimed.shift() : undefined) ?? bot.fresh.shift()
    )
  }

  #ended(lane: Lane, bot: Bot) {
    bot.running--
    if (lane.isClaimed) bot.runningClaimed--
    this.#running--
    this.#startNext(lane.botId, bot)
    if (this.#running === 0) this.#whenIdle?.()
  }

  /** Returns how many more lanes each active bot can claim, and how many any other bot can. */
  capacity(): { of: Map<string, number>; ofOthers: number } {
    const perBot = 2 * this.#options.perBot
    return {
      of: new Map(
        [...this.#bots].map(([botId, bot]) => [
          botId,
          Math.max(0, perBot - bot.runningClaimed - bot.claimed.length),
        ]),
      ),
      ofOthers: perBot,
    }
  }

  /** Notes which lanes were claimed. A bot that used all of its capacity may have more. */
  claimed(botIds: string[], { of, ofOthers }: ReturnType<Turns['capacity']>) {
    const counts = new Map<string, number>()
    for (const botId of botIds) counts.set(botId, (counts.get(botId) ?? 0) + 1)
    for (const [botId, bot] of this.#bots)
      bot.wantsMore = (counts.get(botId) ?? 0) >= (of.get(botId) ?? ofOthers)
  }

  /** Starts no more turns. */
  stop() {
    this.#stopping = true
  }

  /** Resolves when the running turns have ended. */
  async quiet() {
    while (this.#running > 0)
      await new Promise<void>((resolve) => (this.#whenIdle = resolve))
  }
}
