// Tunnels to bots and integrations on developers' machines, for `bp dev`. The developer's end (the tail) connects and keeps one WebSocket open; what
// comes for its id is sent down there, and answered from there. Who knows the id may ask through it and may take it over, so ids are long. Everything here
// is memory of this process: a tail whose server is gone comes back to it, or to the next.
import type { WebSocket } from 'ws'
import { closeCodes, readTailFrame, requestFrame, type TunnelAnswer, type TunnelRequest } from './frames.ts'

/** Why there is no answer: nobody is at the other end, it went away meanwhile, took too long, has too much to do, or cannot take so much at once. */
export type TunnelProblem = 'nobody' | 'gone' | 'late' | 'busy' | 'too-large'

export class TunnelFailed extends Error {
  readonly problem: TunnelProblem
  constructor(problem: TunnelProblem) {
    super(`tunnel: ${problem}`)
    this.problem = problem
  }
}

export interface TunnelSettings {
  /** How many may be open. */
  most: number
  /** By which a tail is asked whether it is there; it may be silent four times. */
  beatMs?: number
  /**
   * After which a tunnel is idle: nothing was asked through it, and its tail sent nothing. The official command line says hello every five seconds;
   * answers to pings do not count, for every WebSocket library gives them.
   */
  idleMs?: number
  /** After which a tunnel through which nothing was asked may make room for another of the same address, when all are taken. */
  unusedMs?: number
  /** After which an answer is not waited for any more. */
  patienceMs?: number
}

/** Of one frame, in bytes, either way. */
export const mostFrameBytes = 16 * 1_048_576
const mostWaiting = 500
const mostUnsentBytes = 4 * mostFrameBytes
const mostSilentBeats = 4

/** A UUID, as the command line makes them, or as hard to guess. */
export const isTunnelId = (id: string) => /^[\w-]{20,64}$/.test(id)

interface Waiting {
  settle(outcome: TunnelAnswer | TunnelFailed): void
}

interface Tunnel {
  socket: WebSocket
  /** The client's. */
  address: string
  /** When something was last asked through it, or it was opened. */
  usedAt: number
  /** When its tail last sent something, or something was asked. */
  aliveAt: number
  waiting: Map<string, Waiting>
  silentBeats: number
}

export class Tunnels {
  readonly #open = new Map<string, Tunnel>()
  readonly #settings: Required<TunnelSettings>
  #asked = 0

  constructor({
    most,
    beatMs = 5_000,
    idleMs = 30_000,
    unusedMs = 10_000,
    patienceMs = 900_000,
  }: TunnelSettings) {
    this.#settings = { most, beatMs, idleMs, unusedMs, patienceMs }
  }

  get count() {
    return this.#open.size
  }

  /** Whether one more tail may come from this address under this id; one that comes back always may. */
  hasRoomFor(id: string, address: string) {
    return this.#open.has(id) || this.#open.size < this.#settings.most || this.#spare(address) !== null
  }

  /**
   * The tunnel that is closed for a new one when all are taken: of the address with most of them, the one used longest ago. Within one address it must
   * have been unused for a while, or clients that reconnect at once would push each other out without end. Null when there is none.
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

  /** Takes a connection that was just opened. Who had the id before is told to give up: it is the same developer, elsewhere or after a break. */
  open(id: string, socket: WebSocket, address: string) {
    const before = this.#open.get(id)
    if (!before && this.#open.size >= this.#settings.most) this.#makeRoom(address)
    const now = performance.now()
    const tunnel: Tunnel = { socket, address, usedAt: now, aliveAt: now, waiting: new Map(), silentBeats: 0 }
    this.#open.set(id, tunnel)
    if (before) end(before, closeCodes.idTaken, 'another one has connected under this id')
    const beat = setInterval(() => {
      if (performance.now() - tunnel.aliveAt > this.#settings.idleMs && tunnel.waiting.size === 0)
        end(tunnel, closeCodes.idle, 'nothing came through this tunnel for a while')
      if (++tunnel.silentBeats > mostSilentBeats) socket.terminate()
      else socket.ping()
    }, this.#settings.beatMs)
    socket.on('message', (data, isBinary) => this.#hear(tunnel, isBinary ? '' : String(data)))
    socket.on('pong', () => {
      tunnel.silentBeats = 0
    })
    socket.on('error', () => {}) // it closes, too
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
    end(tunnel, closeCodes.idle, 'all tunnels are taken, and others have fewer')
  }

  /** Asks through the tunnel. Throws TunnelFailed; `left` when nobody waits for the answer any more. */
  ask(id: string, request: TunnelRequest, left: AbortSignal): Promise<TunnelAnswer> {
    const tunnel = this.#open.get(id)
    if (!tunnel || tunnel.socket.readyState !== tunnel.socket.OPEN) throw new TunnelFailed('nobody')
    if (tunnel.waiting.size >= mostWaiting || tunnel.socket.bufferedAmount > mostUnsentBytes)
      throw new TunnelFailed('busy')
    tunnel.usedAt = tunnel.aliveAt = performance.now()
    const requestId = String(++this.#asked)
    const frame = requestFrame(requestId, request)
    if (Buffer.byteLength(frame) > mostFrameBytes) throw new TunnelFailed('too-large')
    return new Promise((resolve, reject) => {
      const settle: Waiting['settle'] = (outcome) => {
        if (!tunnel.waiting.delete(requestId)) return
        clearTimeout(timer)
        left.removeEventListener('abort', leave)
        if (outcome instanceof TunnelFailed) reject(outcome)
        else resolve(outcome)
      }
      const timer = setTimeout(() => settle(new TunnelFailed('late')), this.#settings.patienceMs)
      const leave = () => settle(new TunnelFailed('gone'))
      left.addEventListener('abort', leave)
      tunnel.waiting.set(requestId, { settle })
      tunnel.socket.send(frame)
    })
  }

  close() {
    for (const tunnel of this.#open.values()) end(tunnel, closeCodes.serverStops, 'the server stops')
  }

  #hear(tunnel: Tunnel, text: string) {
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
  for (const { settle } of [...waiting.values()]) settle(new TunnelFailed('gone'))
}
