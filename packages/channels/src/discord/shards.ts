// The connections of a bot to Discord's gateway: on many servers, it needs several, each for a part of them
// (https://discord.com/developers/docs/events/gateway#sharding).
import { setTimeout as pause } from 'node:timers/promises'
import { type Batch, ChannelError, type Context } from '../channel.ts'
import {
  readGateway,
  type Session,
  type Shard,
  type ShardBatch,
  ShardingRequired,
} from './gateway.ts'
import { openGatewaySocket } from './gateway-socket.ts'
import { keepSession } from './heartbeat.ts'
import { SessionStarts } from './session-starts.ts'

/** The cursor has the session of each shard, with the number of its last event. */
type Sessions = (Session | null)[]

/** Earlier versions had one session. */
function readSessions(cursor: string): Sessions {
  const read = JSON.parse(cursor) as Session | Sessions
  return Array.isArray(read) ? read : [read]
}

/** Receives by as many shards as Discord recommends. */
export async function* receiveDispatches(
  context: Context,
  cursor: string | null,
): AsyncGenerator<Batch> {
  const starts = new SessionStarts(context)
  const stored = cursor === null ? [] : readSessions(cursor)
  try {
    yield* receiveByShards(context, starts, stored)
  } catch (error) {
    // The bot is on more servers than before: its sessions end.
    if (!(error instanceof ShardingRequired)) throw error
    if ((await starts.countShards()) === stored.length)
      throw new ChannelError('unavailable', error.message)
    yield* receiveByShards(context, starts, [])
  }
}

interface Delivered extends ShardBatch {
  index: number
  /** It is stored. */
  done: () => void
}

async function* receiveByShards(
  context: Context,
  starts: SessionStarts,
  stored: Sessions,
): AsyncGenerator<Batch> {
  const count = stored.length || (await starts.countShards())
  const sessions: Sessions = Array.from(
    { length: count },
    (_, index) => stored[index] ?? null,
  )
  const stopping = new AbortController()
  const signal = AbortSignal.any([context.signal, stopping.signal])
  const arriving = new Handover<Delivered>()
  const delivering = new Set<() => void>()
  const running = sessions.map((session, index) => {
    const deliver = (batch: ShardBatch) =>
      new Promise<void>((done) => {
        delivering.add(done)
        arriving.put({ ...batch, index, done })
      })
    return runShard({ ...context, signal }, starts, { session, index, count }, deliver)
  })
  const ended = Promise.race(running).then(() => null)
  // It may fail while a batch is stored.
  ended.catch(() => {})
  try {
    for (;;) {
      const next = await Promise.race([arriving.take(), ended])
      if (!next) return
      sessions[next.index] = next.session
      yield { arrivals: next.arrivals, cursor: JSON.stringify(sessions) }
      next.done()
      delivering.delete(next.done)
    }
  } finally {
    stopping.abort()
    for (const done of delivering) done()
    await Promise.allSettled(running)
  }
}

/** Values of several givers, in order, for one taker. */
class Handover<T> {
  readonly #waiting: T[] = []
  #wake = () => {}

  put(value: T): void {
    this.#waiting.push(value)
    this.#wake()
  }

  async take(): Promise<T> {
    while (this.#waiting.length === 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    return this.#waiting.shift()!
  }
}

/** So often, a shard of several connects again before all do. */
const maxFailures = 5

/** Keeps one connection, and resumes its session, until the signal aborts. Throws ChannelError. */
async function runShard(
  context: Context,
  starts: SessionStarts,
  shard: Shard,
  deliver: (batch: ShardBatch) => Promise<void>,
): Promise<void> {
  let failures = 0
  while (!context.signal.aborted) {
    try {
      const url = shard.session?.url ?? (await starts.begin(shard.index))
      const socket = await openGatewaySocket(context, url)
      try {
        for await (const batch of readGateway(context, socket, shard)) {
          failures = 0
          await deliver(batch)
          shard.session = batch.session
        }
      } finally {
        socket.close(keepSession)
      }
    } catch (error) {
      const isAlone = shard.count === 1 || ++failures > maxFailures
      const mayPass = error instanceof ChannelError && error.kind === 'unavailable'
      if (context.signal.aborted || isAlone || !mayPass) throw error
      await pause(1_000 * failures, undefined, { signal: context.signal })
    }
  }
}
