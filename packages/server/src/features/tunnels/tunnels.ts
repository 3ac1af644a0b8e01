// Tunnels to bots and integrations on developers' machines, for `bp dev`. The developer's end (the
// tail) keeps one WebSocket open; requests for its id are sent through it and answered from it.
// The id is enough to send requests or replace the tail, so ids must be long. All state is in
// memory: after a restart, tails reconnect to this or another server.
import type { WebSocket } from 'ws'
import {
  closeCodes,
  readTailFrame,
  requestFrame,
  type TunnelAnswer,
  type TunnelRequest,
} from './frames.ts'

/**
 * Why there is no answer: no tail is connected; it disconnected; it took too long; it has too many
 * pending requests; the request is too large for a frame.
 */
export type TunnelProblem = 'disconnected' | 'closed' | 'late' | 'busy' | 'too-large'

export class TunnelFailed extends Error {
  readonly problem: TunnelProblem
  constructor(problem: TunnelProblem) {
    super(`tunnel: ${problem}`)
    this.problem = problem
  }
}

interface TunnelSettings {
  /** Maximum number of open tunnels. */
  maxTunnels: number
  /** Interval of pings; after four unanswered ones the connection is closed. */
  beatMs?: number
  /**
   * When a tunnel without requests and without messages of its tail is closed. The official command
   * line sends a hello every five seconds. Pongs do not count, because every WebSocket library
   * sends them.
   */
  idleMs?: number
  /**
   * When a tunnel without requests may be replaced by another of the same address, if all are in
   * use.
   */
  unusedMs?: number
  /** Timeout of a request. */
  timeoutMs?: number
}

/** Maximum size of a frame in either direction, in bytes. */
export const maxFrameBytes = 16 * 1_048_576
const maxWaiting = 500
const maxUnsentBytes = 4 * maxFrameBytes
const maxSilentBeats = 4

/** Accepts a UUID, as the command line creates them, or another id that is as hard to guess. */
export const isTunnelId = (id: string) => /^[\w-]{20,64}$/.test(id)

interface Waiting {
  settle(outcome: TunnelAnswer | TunnelFailed): void
}

interface Tunnel {
  socket: WebSocket
  /** The client's network address. */
  address: string
  /** When the last request was sent, or the tunnel was opened. */
  usedAt: number
  /** When the tail last sent a message, or the last request was sent. */
  aliveAt: number
  waiting: Map<string, Waiting>
  silentBeats: number
}

export class Tunnels {
  readonly #open = new Map<string, Tunnel>()
  readonly #settings: Required<TunnelSettings>
  #requestCount = 0

  constructor({
    maxTunnels,
    beatMs = 5_000,
    idleMs = 30_000,
    unusedMs = 10_000,
    timeoutMs = 900_000,
  }: TunnelSettings) {
    this.#settings = { maxTunnels, beatMs, idleMs, unusedMs, timeoutMs }
  }

  get count() {
    return this.#open.size
  }

  /**
   * Returns whether a tail with this id may connect from this address; a reconnecting one always
   * may.
   */
  canOpen(id: string, address: string) {
    return (
      this.#open.has(id) ||
      this.#open.size < this.#settings.maxTunnels ||
      this.#spare(address) !== null
    )
  }

  /**
   * Returns the tunnel to close for a new one when all are in use: the least recently used of the
   * address with the most tunnels. Within one address it must have been unused for a while,
   * otherwise clients that reconnect immediately would replace each other without end. Null when
   * there is none.
   */
  #spare(address: string): string | null {
    const byAddress = new Map<string, [string, Tunnel][]>()
    for (const [id, tunnel] of this.#open) {
      const others = byAddress.get(tunnel.address)
      if (others) others.push([id, tunnel])
      else byAddress.set(tunnel.address, [[id, tunnel]])
    }
    const own = byAddress.get(address)?.length ?? 0
    const most = [...byAddress.values()].sort((a, b) => b.length - a.length)[0] ?? []
    const unusedMs = most.length > own + 1 ? 0 : this.#settings.unusedMs
    const before = performance.now() - unusedMs
    const [spare] = most
      .filter(([, { waiting, usedAt }]) => waiting.size === 0 && usedAt <= before)
      .sort(([, a], [, b]) => a.usedAt - b.usedAt)
    return spare?.[0] ?? null
  }

  /**
   * Registers an open connection. Closes an earlier one of the same id for good: it belongs to the
   * same developer.
   */
  open(id: string, socket: WebSocket, address: string) {
    const before = this.#open.get(id)
    if (!before && this.#open.size >= this.#settings.maxTunnels) this.#makeRoom(address)
    const now = performance.now()
    const tunnel: Tunnel = {
      socket,
      address,
      usedAt: now,
      aliveAt: now,
      waiting: new Map(),
      silentBeats: 0,
    }
    this.#open.set(id, tunnel)
    if (before)
      end(before, closeCodes.idTaken, 'another client has connected with this tunnel id')
    const beat = setInterval(() => {
      if (
        performance.now() - tunnel.aliveAt > this.#settings.idleMs &&
        tunnel.waiting.size === 0
      )
        end(tunnel, closeCodes.idle, 'the tunnel was idle')
      if (++tunnel.silentBeats > maxSilentBeats) socket.terminate()
      else socket.ping()
    }, this.#settings.beatMs)
    socket.on('message', (data, isBinary) =>
      this.#receive(tunnel, isBinary ? '' : String(data)),
    )
    socket.on('pong', () => {
      tunnel.silentBeats = 0
    })
    socket.on('error', () => {}) // `close` follows
    socket.on('close', () => {
      clearInterval(beat)
      if (this.#open.get(id) === tunnel) this.#open.delete(id)
      abandon(tunnel)
    })
  }

  #makeRoom(address: string) {
    const spare = this.#spare(address)
    const tunnel = spare === null ? undefined : this.#open.get(spare)
    if (!tunnel) return
    this.#open.delete(spare!)
    end(tunnel, closeCodes.idle, 'all tunnels are in use, and other addresses have fewer')
  }

  /**
   * Sends a request through the tunnel. Throws TunnelFailed; `disconnected` aborts when the caller
   * has disconnected.
   */
  request(
    id: string,
    request: TunnelRequest,
    disconnected: AbortSignal,
  ): Promise<TunnelAnswer> {
    const tunnel = this.#open.get(id)
    if (!tunnel || tunnel.socket.readyState !== tunnel.socket.OPEN)
      throw new TunnelFailed('disconnected')
    if (
      tunnel.waiting.size >= maxWaiting ||
      tunnel.socket.bufferedAmount > maxUnsentBytes
    )
      throw new TunnelFailed('busy')
    tunnel.usedAt = tunnel.aliveAt = performance.now()
    const requestId = String(++this.#requestCount)
    const frame = requestFrame(requestId, request)
    if (Buffer.byteLength(frame) > maxFrameBytes) throw new TunnelFailed('too-large')
    return new Promise((resolve, reject) => {
      const settle: Waiting['settle'] = (outcome) => {
        if (!tunnel.waiting.delete(requestId)) return
        clearTimeout(timer)
        disconnected.removeEventListener('abort', leave)
        if (outcome instanceof TunnelFailed) reject(outcome)
        else resolve(outcome)
      }
      const timer = setTimeout(
        () => settle(new TunnelFailed('late')),
        this.#settings.timeoutMs,
      )
      const leave = () => settle(new TunnelFailed('closed'))
      disconnected.addEventListener('abort', leave)
      tunnel.waiting.set(requestId, { settle })
      tunnel.socket.send(frame)
    })
  }

  close() {
    for (const tunnel of this.#open.values())
      end(tunnel, closeCodes.serverStops, 'the server is stopping')
  }

  #receive(tunnel: Tunnel, text: string) {
    tunnel.silentBeats = 0
    tunnel.aliveAt = performance.now()
    const frame = readTailFrame(text)
    if (!frame) end(tunnel, closeCodes.invalidFrame, 'invalid response payload')
    else if (frame !== 'hello') tunnel.waiting.get(frame.requestId)?.settle(frame.answer)
  }
}

function end(tunnel: Tunnel, code: number, reason: string) {
  abandon(tunnel)
  tunnel.socket.close(code, reason)
}

const abandon = ({ waiting }: Tunnel) => {
  for (const { settle } of [...waiting.values()]) settle(new TunnelFailed('closed'))
}
