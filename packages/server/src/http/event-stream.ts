// Writes signals to Server-Sent Events streams, as raw frames. The first frame is written at once;
// those that follow in the same turn of the event loop, or while the socket is full, are written
// together. One timer sends the heartbeats of all streams.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Signal } from '../infra/realtime/signals.ts'

/**
 * Interval of comments: the official client on Node drops a stream after four seconds of silence (a
 * time-out of its pooled socket).
 */
const commentMs = 3_000
/**
 * Every eighth heartbeat is a frame: the same client reports a time-out after a minute without
 * frames; comments do not count.
 */
const pingEvery = 8
/**
 * The official client begins to listen a moment after the headers arrive, and loses signals written
 * together with them.
 */
const graceMs = 40
/**
 * Unsent bytes past which a listener is too slow: the server closes it, and it resumes from its
 * last event.
 */
const maxUnsent = 1_048_576
/** Unsent bytes past which reading back pauses, for at most `drainTimeoutMs`. */
const enoughUnsent = 131_072
const drainTimeoutMs = 30_000

const open = new Set<EventStream>()
let beat = 0
setInterval(tick, commentMs).unref()

export const openStreams = () => open.size

export class EventStream {
  readonly #raw: import('node:http').ServerResponse
  #gathered = ''
  readonly #begun = performance.now()
  /** Set during the grace period. */
  #grace: NodeJS.Timeout | null
  /** Set while the frames of this turn are gathered. */
  #turn: NodeJS.Immediate | null = null
  #ended = false
  /** Checks whether there is capacity again. */
  #checkCapacity: (() => void) | null = null
  readonly closed: Promise<void>

  constructor(request: FastifyRequest, reply: FastifyReply) {
    reply.hijack()
    this.#raw = reply.raw
    // Without chunked encoding, each frame is one plain write; the stream ends when its connection
    // closes.
    this.#raw.removeHeader('transfer-encoding')
    this.#raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    this.#raw.flushHeaders()
    this.#grace = setTimeout(() => this.#endGrace(), graceMs)
    this.#raw.on('drain', () => this.#flush())
    this.#raw.on('error', () => {}) // the client disconnected; `close` follows
    request.raw.socket.setNoDelay(true)
    open.add(this)
    this.closed = new Promise((resolve) => {
      // If the client disconnected during authentication, `close` was emitted already.
      if (this.#raw.destroyed) this.#close(resolve)
      else this.#raw.once('close', () => this.#close(resolve))
    })
  }

  send(signal: Signal) {
    this.sendJson(signal.number, jsonOf(signal))
  }

  sendJson(id: string | null, json: string) {
    this.#write(`${id === null ? '' : `id: ${id}\n`}event: message\ndata: ${json}\n\n`)
  }

  /**
   * Returns undefined, or a promise that resolves when there is capacity. Closes a listener that
   * reads nothing for too long.
   */
  ready(): Promise<void> | undefined {
    if (this.#ended || this.#unsent <= enoughUnsent) return undefined
    return new Promise((resolve) => {
      const tooLong = setTimeout(() => this.#raw.destroy(), drainTimeoutMs)
      this.#checkCapacity = () => {
        if (!this.#ended && this.#unsent > enoughUnsent) return
        clearTimeout(tooLong)
        this.#checkCapacity = null
        resolve()
      }
    })
  }

  get #unsent() {
    return this.#raw.writableLength + this.#gathered.length
  }

  beat(text: string) {
    if (!this.#grace) this.#write(text)
  }

  /** Ends the stream after everything sent before. */
  end() {
    if (this.#ended) return
    this.#ended = true
    // Waits only for the grace period, or the client would lose the last signals with the headers.
    const graceLeft = this.#begun + graceMs - performance.now()
    if (graceLeft > 0) setTimeout(() => this.#finish(), graceLeft)
    else this.#finish()
  }

  #finish() {
    this.#endGrace()
    this.#raw.end()
  }

  #write(frame: string) {
    if (this.#ended) return
    this.#gathered += frame
    if (!this.#grace && !this.#turn && !this.#raw.writableNeedDrain) this.#flush()
    if (this.#unsent > maxUnsent) this.#raw.destroy()
  }

  #endGrace() {
    if (this.#grace) clearTimeout(this.#grace)
    this.#grace = null
    this.#flush()
  }

  /** Writes the gathered frames, and gathers those of the rest of this turn. */
  #flush() {
    if (this.#gathered !== '' && !this.#raw.destroyed) {
      this.#raw.write(this.#gathered)
      this.#gathered = ''
      this.#turn ??= setImmediate(() => {
        this.#turn = null
        if (!this.#raw.writableNeedDrain) this.#flush()
      })
    }
    this.#checkCapacity?.()
  }

  #close(resolve: () => void) {
    this.#ended = true
    if (this.#grace) clearTimeout(this.#grace)
    open.delete(this)
    this.#checkCapacity?.()
    resolve()
  }
}

/** Caches the JSON of a signal, which goes to all its listeners. */
const texts = new WeakMap<Signal, string>()
export function jsonOf(signal: Signal): string {
  const known = texts.get(signal)
  if (known) return known
  const text = JSON.stringify({ type: signal.type, data: signal.data })
  texts.set(signal, text)
  return text
}

function tick() {
  beat++
  const text = beat % pingEvery === 0 ? 'event: message\ndata: ping\n\n' : ':\n\n'
  for (const stream of open) stream.beat(text)
}
