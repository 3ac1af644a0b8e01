// Discord's gateway: a WebSocket with heartbeats; its session can be resumed after its last event
// (https://discord.com/developers/docs/events/gateway).
import { setTimeout as pause } from 'node:timers/promises'
import { type Batch, ChannelError, type Context } from '../channel.ts'
import { type JsonSocket, openJsonSocket } from '../web-socket.ts'
import { get, wrongToken } from './api.ts'
import { toArrivals } from './arrivals.ts'
import { Heart, keepSession } from './heartbeat.ts'
import { operations } from './operations.ts'
import { missingIntent } from './setup.ts'

interface Session {
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

/** The cursor is the session with the number of its last event. */
export async function* receiveDispatches(
  context: Context,
  cursor: string | null,
): AsyncGenerator<Batch> {
  const state = { session: cursor === null ? null : (JSON.parse(cursor) as Session) }
  while (!context.signal.aborted) {
    const url = state.session?.url ?? (await findGateway(context))
    const socket = await openJsonSocket(context, `${url.replace(/\/+$/, '')}/?v=10&encoding=json`)
    try {
      yield* readGateway(context, socket, state)
    } finally {
      socket.close(keepSession)
    }
  }
}

interface GatewayInfo {
  url: string
  session_start_limit?: { remaining: number; reset_after: number }
}

/** Discord resets the token of a bot that begins too many sessions. */
async function findGateway(context: Context): Promise<string> {
  const { url, session_start_limit: limit } = await get<GatewayInfo>(context, '/gateway/bot')
  if (limit && limit.remaining <= 0)
    throw new ChannelError(
      'limited',
      'The bot has begun too many sessions today',
      limit.reset_after,
    )
  return url
}

interface State {
  session: Session | null
}

/** Ends when Discord asks for another connection. */
async function* readGateway(
  context: Context,
  socket: JsonSocket,
  state: State,
): AsyncGenerator<Batch> {
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
      } else if (op === operations.dispatch) yield* readDispatch(context, state, payload as Payload)
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

const intents = { guildMessages: 1 << 9, guildReactions: 1 << 10, messageContent: 1 << 15 }
const directIntents = (1 << 12) | (1 << 13)

function begin(
  { configuration }: Context,
  socket: JsonSocket,
  { session }: State,
  heart: Heart,
  hello: unknown,
): void {
  const { botToken: token, onlyOnBotMention } = configuration
  heart.start((hello as { heartbeat_interval: number }).heartbeat_interval)
  const resumed = session && { token, session_id: session.id, seq: session.sequence }
  if (resumed) socket.send({ op: operations.resume, d: resumed })
  else identify(socket, token, onlyOnBotMention === true)
}

function identify(socket: JsonSocket, token: unknown, onlyOnBotMention: boolean): void {
  const content = onlyOnBotMention ? 0 : intents.messageContent
  socket.send({
    op: operations.identify,
    d: {
      token,
      intents: intents.guildMessages | intents.guildReactions | directIntents | content,
      properties: { os: process.platform, browser: 'botstead', device: 'botstead' },
    },
  })
}

async function* readDispatch(
  context: Context,
  state: State,
  { t, d, s }: Payload,
): AsyncGenerator<Batch> {
  if (t === 'READY') {
    const { session_id: id, resume_gateway_url: url } = d as Record<string, string>
    state.session = { id: String(id), url: String(url), sequence: 0 }
  }
  if (!state.session) return
  const arrivals = await toArrivals(context, t, d)
  const next = { ...state.session, sequence: s ?? state.session.sequence }
  yield { arrivals, cursor: JSON.stringify(next) }
  state.session = next
}

const newSessionCodes = [4_003, 4_007, 4_009]
const settingCodes: Record<number, string | undefined> = {
  4004: wrongToken,
  4011:
    'The bot is on more servers than one connection admits: above 2,500, Discord needs several, which this ' +
    'channel does not open.',
  4013: missingIntent,
  4014: missingIntent,
}

function toClosed(socket: JsonSocket): ChannelError {
  const { code, reason } = socket.closed() ?? { code: 0, reason: '' }
  const wrong = settingCodes[code]
  if (wrong !== undefined) return new ChannelError('credentials', `${wrong} (Discord: ${code})`)
  return new ChannelError('unavailable', `Discord closed the connection: ${code} ${reason}`)
}
