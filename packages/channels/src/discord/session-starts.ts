// Beginning sessions at Discord's gateway: so many at once, and so many a day, as it admits. It resets the
// token of a bot that begins too many.
import { setTimeout as pause } from 'node:timers/promises'
import { ChannelError, type Context } from '../channel.ts'
import { get } from './api.ts'
import { toBotId } from './arrivals.ts'

interface GatewayInfo {
  url: string
  /** As many as Discord recommends. */
  shards?: number
  session_start_limit?: {
    remaining: number
    reset_after: number
    max_concurrency?: number
  }
}

const freshMs = 60_000
/** As many sessions as `max_concurrency` may begin in this time: one of each remainder of their numbers. */
const periodMs = 5_000
/** Each is a connection of this server. */
const maxShards = 32

/** When the next session may begin; also those of a connection that has failed count. */
const turns = new Map<string, Promise<void>>()

export class SessionStarts {
  readonly #context: Context
  #known: { at: number; info: Promise<GatewayInfo> } | null = null
  #begun = 0

  constructor(context: Context) {
    this.#context = context
  }

  /** Throws ChannelError. */
  async countShards(): Promise<number> {
    const { shards = 1 } = await this.#find()
    if (Number.isInteger(shards) && shards >= 1 && shards <= maxShards) return shards
    throw new ChannelError(
      'rejected',
      `The bot is on more servers than this channel can receive from: Discord asks for ${shards} ` +
        `connections, and ${maxShards} are possible.`,
    )
  }

  /** Waits until the shard may begin a session. Returns the address of the gateway. Throws ChannelError. */
  async begin(shard: number): Promise<string> {
    const { session_start_limit: limit } = await this.#find()
    await this.#turn(shard % Math.max(1, limit?.max_concurrency ?? 1))
    const { url, session_start_limit: now } = await this.#find()
    if (now && now.remaining - this.#begun <= 0)
      throw new ChannelError(
        'limited',
        'The bot has begun too many sessions today',
        now.reset_after,
      )
    this.#begun++
    return url
  }

  #find(): Promise<GatewayInfo> {
    if (this.#known && Date.now() - this.#known.at < freshMs) return this.#known.info
    const info = get<GatewayInfo>(this.#context, '/gateway/bot')
    this.#known = { at: Date.now(), info }
    this.#begun = 0
    info.catch(() => {
      this.#known = null
    })
    return info
  }

  async #turn(remainder: number): Promise<void> {
    const { apiUrl, ...configuration } = this.#context.configuration
    const key = JSON.stringify([apiUrl, toBotId(configuration), remainder])
    const before = turns.get(key)
    const wait = () => pause(periodMs, undefined, { ref: false })
    const after = before ? before.then(wait) : wait()
    turns.set(key, after)
    void after.then(() => turns.get(key) === after && turns.delete(key))
    await before
  }
}
