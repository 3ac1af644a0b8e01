// Whose turn it is: each bot has so many places, its lanes take turns in them, and a backlog, however slow, leaves room for those who talk now.
import type { Lane } from './lane.ts'

interface Bot {
  running: number
  /** Of those, lanes that were claimed. */
  runningClaimed: number
  /** Lanes that wait for their turn: of people who talk now, and of the backlog. */
  fresh: Lane[]
  claimed: Lane[]
  /** More of its lanes lie unclaimed than it had room for. */
  hungry: boolean
}

export interface TurnsOptions {
  /** Lanes of one bot at a time. */
  perBot: number
  /** One turn of a lane, which never throws. A lane that wants another queues up again. */
  step: (lane: Lane) => Promise<void>
  /** A bot could take on more of its backlog. */
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
      hungry: false,
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
    if (bot.hungry && bot.claimed.length < this.#options.perBot / 2) this.#options.onHungry()
    if (bot.running + bot.fresh.length + bot.claimed.length === 0) this.#bots.delete(botId)
  }

  /** A backlog leaves room for those who talk now; and they, however many, leave it some. */
  #nextOf(bot: Bot): Lane | undefined {
    const { perBot } = this.#options
    if (this.#stopping || bot.running >= perBot) return undefined
    const share = bot.fresh.length > 0 ? perBot / 4 : perBot - Math.floor(perBot / 5)
    return (bot.runningClaimed < share ? bot.claimed.shift() : undefined) ?? bot.fresh.shift()
  }

  #ended(lane: Lane, bot: Bot) {
    bot.running--
    if (lane.isClaimed) bot.runningClaimed--
    this.#running--
    this.#startNext(lane.botId, bot)
    if (this.#running === 0) this.#whenIdle?.()
  }

  /** How many lanes of its backlog each bot that is at work can take on, and how many any other. */
  room(): { of: Map<string, number>; ofOthers: number } {
    const most = 2 * this.#options.perBot
    return {
      of: new Map(
        [...this.#bots].map(([botId, bot]) => [
          botId,
          Math.max(0, most - bot.runningClaimed - bot.claimed.length),
        ]),
      ),
      ofOthers: most,
    }
  }

  /** What was claimed of the room that was offered. Who took all of it may have more. */
  claimed(botIds: string[], { of, ofOthers }: ReturnType<Turns['room']>) {
    const counts = new Map<string, number>()
    for (const botId of botIds) counts.set(botId, (counts.get(botId) ?? 0) + 1)
    for (const [botId, bot] of this.#bots)
      bot.hungry = (counts.get(botId) ?? 0) >= (of.get(botId) ?? ofOthers)
  }

  /** Nobody gets another turn. */
  stop() {
    this.#stopping = true
  }

  /** When the turns that run have ended. */
  async quiet() {
    while (this.#running > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve))
  }
}
