// Socket Mode: Slack sends envelopes by a WebSocket
// (https://docs.slack.dev/apis/events-api/using-socket-mode).
import { type Arrival, type Batch, ChannelError, type Context } from '../channel.ts'
import { type JsonSocket, openJsonSocket } from '../web-socket.ts'
import { call } from './api.ts'
import { toArrivals } from './arrivals.ts'
import { explain } from './errors.ts'
import { toCommand, toPresses } from './interactions.ts'
import type { EventCallback, Interaction, SlashCommand } from './types.ts'

const pingMs = 20_000

interface Envelope {
  type?: string
  envelope_id?: string
  payload?: unknown
  reason?: string
}

export const openConnection = (context: Context) =>
  call<{ url: string }>(context, 'apps.connections.open', {}, 'appToken')

/** Slack has no positions: an envelope that is not acknowledged arrives again. */
export async function* receiveEnvelopes(context: Context): AsyncGenerator<Batch> {
  while (!context.signal.aborted) {
    const { url } = await openConnection(context)
    const socket = await openJsonSocket(context, url, { pingMs })
    try {
      yield* readEnvelopes(context, socket)
    } finally {
      socket.close()
    }
  }
}

/** Ends when Slack asks for another connection, as it does every few hours. */
async function* readEnvelopes(
  context: Context,
  socket: JsonSocket,
): AsyncGenerator<Batch> {
  for await (const envelope of socket.messages()) {
    const { type, envelope_id, payload, reason } = envelope as Envelope
    if (type === 'hello') yield { arrivals: [], cursor: null }
    else if (type === 'disconnect') {
      if (reason !== 'link_disabled') return
      throw new ChannelError(
        'credentials',
        explain(reason, { token: 'appToken', details: '' }),
      )
    } else if (envelope_id) {
      yield { arrivals: await readEnvelope(context, type, payload), cursor: null }
      socket.send({ envelope_id })
    }
  }
  throw new ChannelError('unavailable', 'Slack closed the connection')
}

async function readEnvelope(
  context: Context,
  type: string | undefined,
  payload: unknown,
): Promise<Arrival[]> {
  if (type === 'events_api') return toArrivals(context, payload as EventCallback)
  if (type === 'interactive') return toPresses(context, payload as Interaction)
  if (type === 'slash_commands') return toCommand(context, payload as SlashCommand)
  return []
}
