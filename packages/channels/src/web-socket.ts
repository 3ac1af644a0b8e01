// A WebSocket to a provider, with messages that are JSON objects.
import { on, once } from 'node:events'
import { isIP, type LookupFunction } from 'node:net'
import { WebSocket } from 'ws'
import { ChannelError, type Context } from './channel.ts'

export interface JsonSocket {
  /** Yields what arrives, and ends when the socket is closed. Can be read once. */
  messages(): AsyncGenerator<Record<string, unknown>>
  /** Does nothing if the socket is closed. */
  send(value: unknown): void
  close(code?: number): void
  /** Why the provider closed the socket; null as long as it is open. */
  closed(): { code: number; reason: string } | null
}

const handshakeTimeoutMs = 15_000
const maxMessageBytes = 8 * 2 ** 20
/** Reading stops while so many messages wait to be stored. */
const maxPending = 200

/**
 * Connects to a ws: or wss: URL. `pingMs`: how often to check that the provider is still there; default:
 * never. `onMessage`: called before a message waits to be read. Throws ChannelError, without the URL, which
 * may contain a token.
 */
export async function openJsonSocket(
  { resolve, signal }: Pick<Context, 'resolve' | 'signal'>,
  url: string,
  { pingMs, onMessage }: { pingMs?: number; onMessage?: (text: string) => void } = {},
): Promise<JsonSocket> {
  const { hostname } = parseUrl(url)
  const address = await resolve(hostname.replace(/^\[|\]$/g, ''))
  const socket = new WebSocket(url, {
    lookup: lookUpOnly(address),
    handshakeTimeout: handshakeTimeoutMs,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
  })
  let closed: { code: number; reason: string } | null = null
  socket.once('close', (code, reason) => {
    closed = { code, reason: reason.toString() }
  })
  // Failures are thrown by those who wait for the socket.
  socket.on('error', () => {})
  if (onMessage) socket.on('message', (data) => onMessage(String(data)))
  const arriving = on(socket, 'message', {
    signal,
    close: ['close'],
    highWaterMark: maxPending,
  })
  await untilOpen(socket, hostname, signal)
  if (pingMs !== undefined) keepAlive(socket, pingMs)
  return {
    messages: () => readMessages(arriving, hostname),
    send: (value) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(value))
    },
    close: (code) => endSocket(socket, code),
    closed: () => closed,
  }
}

function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed && /^wss?:$/.test(parsed.protocol)) return parsed
  throw new ChannelError('unavailable', 'The provider named no address of a WebSocket')
}

/** The address was checked: another look-up could find another one. */
const lookUpOnly =
  (address: string): LookupFunction =>
  (_host, { all }, done) =>
    all
      ? done(null, [{ address, family: isIP(address) }])
      : done(null, address, isIP(address))

async function untilOpen(
  socket: WebSocket,
  host: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await once(socket, 'open', { signal })
  } catch (error) {
    socket.terminate()
    throw toUnavailable(error, host)
  }
}

async function* readMessages(
  arriving: AsyncIterable<unknown[]>,
  host: string,
): AsyncGenerator<Record<string, unknown>> {
  try {
    for await (const [data] of arriving) yield parseMessage(String(data))
  } catch (error) {
    throw toUnavailable(error, host)
  }
}

function parseMessage(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)
    : {}
}

function toUnavailable(error: unknown, host: string): ChannelError {
  if (error instanceof ChannelError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new ChannelError('unavailable', `The connection to "${host}" failed: ${reason}`)
}

/** A broken network closes nothing: without any sign of life for one to two periods, the socket ends. */
function keepAlive(socket: WebSocket, periodMs: number): void {
  let isAlive = true
  for (const sign of ['message', 'ping', 'pong'])
    socket.on(sign, () => {
      isAlive = true
    })
  const timer = setInterval(() => {
    if (!isAlive && !socket.isPaused) return socket.terminate()
    isAlive = false
    socket.ping()
  }, periodMs)
  socket.once('close', () => clearInterval(timer))
}

/** Leaves the provider a moment to answer. */
function endSocket(socket: WebSocket, code = 1_000): void {
  if (socket.readyState === WebSocket.CLOSED) return
  socket.resume()
  socket.close(code)
  const timer = setTimeout(() => socket.terminate(), 1_000)
  socket.once('close', () => clearTimeout(timer))
}
