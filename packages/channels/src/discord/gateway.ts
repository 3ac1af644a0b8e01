// Discord's gateway: a WebSocket with heartbeats; its session can be resumed after its last event
// (https://discord.com/developers/docs/events/gateway).
import { setTimeout as pause } from 'node:timers/promises'
import { type Batch, ChannelError, type Context } from '../channel.ts'
import type { JsonSocket } from '../web-socket.ts'
import { wrongToken } from './api.ts'
import { toArrivals } from './arrivals.ts'
import { Heart } from './heartbeat.ts'
import { operations } from './operations.ts'
import { missingIntent } from './setup.ts'

export interface Session {
  id: string
  url: string
  /** Of the last event that was stored. */
  sequence: number
}

interface Payload {
  op?: number
  d?: unknown
  s?: number | null
  t?: string
}

/** One of the connections of a bot, by their number. */
export interface Shard {
  index: number
  count: number
  session: Session | null
}

export interface ShardBatch extends Pick<Batch, 'arrivals'> {
  /** After the batch. */
  session: Session
}

/** The bot is on more servers than its connections admit. */
export class ShardingRequired extends Error {}

/** Ends when Discord asks for another connection. Throws ChannelError, and ShardingRequired. */
export async function* readGateway(
  context: Context,
  socket: JsonSocket,
  state: Shard,
): AsyncGenerator<ShardBatch> {
  const heart = new Heart(socket, () => state.session?.sequence ?? null)
  try {
    for await (const payload of socket.messages()) {
      heart.feel()
      const { op, d } = payload as Payload
      if (op === operations.hello) begin(context, socket, state, heart, d)
      else if (op === operations.heartbeat) heart.beat()
      else if (op === operations.reconnect) return
      else if (op === operations.invalidSession) {
        if (d !== true) state.session = null
        return await waitBeforeNext(context)
      } else if (op === operations.dispatch)
        yield* readDispatch(context, state, payload as Payload)
    }
  } finally {
    heart.stop()
  }
  if (!newSessionCodes.includes(socket.closed()?.code ?? 0)) throw toClosed(socket)
  state.session = null
  await waitBeforeNext(context)
}

/** As Discord asks for before another session: one to five seconds. */
const waitBeforeNext = ({ signal }: Context) =>
  pause(1_000 + Math.random() * 4_000, undefined, { signal })

const intents = {
  guildMessages: 1 << 9,
  guildReactions: 1 << 10,
  messageContent: 1 << 15,
}
const directIntents = (1 << 12) | (1 << 13)

function begin(
  { configuration }: Context,
  socket: JsonSocket,
  { session, index, count }: Shard,
  heart: Heart,
  hello: unknown,
): void {
  const { botToken: token, onlyOnBotMention } = configuration
  heart.start((hello as { heartbeat_interval: number }).heartbeat_interval)
  const resumed = session && { token, session_id: session.id, seq: session.sequence }
  if (resumed) socket.send({ op: operations.resume, d: resumed })
  else identify(socket, { token, shard: [index, count] }, onlyOnBotMention === true)
}

function identify(
  socket: JsonSocket,
  known: { token: unknown; shard: [number, number] },
  onlyOnBotMention: boolean,
): void {
  const content = onlyOnBotMention ? 0 : intents.messageContent
  socket.send({
    op: operations.identify,
    d: {
      ...known,
      intents: intents.guildMessages | intents.guildReactions | directIntents | content,
      properties: { os: process.platform, browser: 'botstead', device: 'botstead' },
    },
  })
}

async function* readDispatch(
  context: Context,
  state: Shard,
  { t, d, s }: Payload,
): AsyncGenerator<ShardBatch> {
  if (t === 'READY') {
    const { session_id: id, resume_gateway_url: url } = d as Record<string, string>
    state.session = { id: String(id), url: String(url), sequence: 0 }
  }
  if (!state.session) return
  const arrivals = await toArrivals(context, t, d)
  yield { arrivals, session: { ...state.session, sequence: s ?? state.session.sequence } }
}

const newSessionCodes = [4_003, 4_007, 4_009]
const settingCodes: Record<number, string | undefined> = {
  4004: wrongToken,
  4013: missingIntent,
  4014: missingIntent,
}

const shardingRequired = 4_011

function toClosed(socket: JsonSocket): Error {
  const { code, reason } = socket.closed() ?? { code: 0, reason: '' }
  if (code === shardingRequired)
    return new ShardingRequired('The bot is on more servers than its connections admit')
  const wrong = settingCodes[code]
  if (wrong !== undefined)
    return new ChannelError('credentials', `${wrong} (Discord: ${code})`)
  return new ChannelError(
    'unavailable',
    `Discord closed the connection: ${code} ${reason}`,
  )
}
