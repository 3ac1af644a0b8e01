// Writes signals to Server-Sent Events streams. Frames are written raw; those that follow within two milliseconds go together.
// One clock serves the heartbeats of all streams.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Signal } from '../realtime/signals.ts'

/** A comment: the official client on Node loses a stream that is silent for four seconds (a time-out of its pooled socket). */
const commentMs = 3_000
/** A frame: the same client reports a time-out after a minute without one, and comments do not count. */
const pingEvery = 8
const gatherMs = 2
/** Signals written together with the headers are lost by the official client, which listens only a moment later. */
const graceMs = 40
/** What may lie unsent before a listener is too slow: it is closed, and resumes where it was. */
const mostUnsent = 1_048_576
/** What is read back waits when so much lies unsent, and for no longer than this. */
const enoughUnsent = 131_072
const patienceMs = 30_000

const open = new Set<EventStream>()
let beat = 0
setInterval(tick, commentMs).unref()

export const openStreams = () => open.size

export class EventStream {
  readonly #raw: import('node:http').ServerResponse
  #gathered = ''
  readonly #begun = performance.now()
  #timer: NodeJS.Timeout | null
  #ended = false
  /** Looks whether there is room again. */
  #look: (() => void) | null = null
  readonly closed: Promise<void>

  constructor(request: FastifyRequest, reply: FastifyReply) {
    reply.hijack()
    this.#raw = reply.raw
    this.#raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    this.#raw.flushHeaders()
    this.#timer = setTimeout(() => this.#flush(), graceMs)
    this.#raw.on('drain', () => this.#look?.())
    this.#raw.on('error', () => {}) // the other side is gone; `close` follows
    request.raw.socket.setNoDelay(true)
    open.add(this)
    this.closed = new Promise((resolve) => {
      // Who left while it was looked up who it is: `close` came already, and comes no more.
      if (this.#raw.destroyed) this.#close(resolve)
      else this.#raw.once('close', () => this.#close(resolve))
    })
  }

  send(signal: Signal) {
    const id = signal.number === null ? '' : `id: ${signal.number}\n`
    this.#write(`${id}event: message\ndata: ${jsonOf(signal)}\n\n`)
  }

  /** Undefined, or when there is room for more. Who takes nothing for too long is closed. */
  ready(): Promise<void> | undefined {
    if (this.#ended || this.#unsent <= enoughUnsent) return undefined
    return new Promise((resolve) => {
      const tooLong = setTimeout(() => this.#raw.destroy(), patienceMs)
      this.#look = () => {
        if (!this.#ended && this.#unsent > enoughUnsent) return
        clearTimeout(tooLong)
        this.#look = null
        resolve()
      }
    })
  }

  get #unsent() {
    return this.#raw.writableLength + this.#gathered.length
  }

  beat(text: string) {
    if (!this.#timer) this.#write(text)
  }

  /** What was sent before goes out first. */
  end() {
    if (this.#ended) return
    this.#ended = true
    // Not before the grace has passed, or the last signals would be lost with the headers; and no later.
    const graceLeft = this.#begun + graceMs - performance.now()
    if (graceLeft > 0) setTimeout(() => this.#finish(), graceLeft)
    else this.#finish()
  }

  #finish() {
    this.#flush()
    this.#raw.end()
  }

  #write(frame: string) {
    if (this.#ended) return
    this.#gathered += frame
    if (!this.#timer) this.#flush()
    if (this.#unsent > mostUnsent) this.#raw.destroy()
  }

  /** Writes what was gathered; what comes in the next two milliseconds is gathered again. */
  #flush() {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#gathered === '' || this.#raw.destroyed) return
    this.#raw.write(this.#gathered)
    this.#gathered = ''
    this.#timer = setTimeout(() => this.#flush(), gatherMs)
    this.#look?.()
  }

  #close(resolve: () => void) {
    this.#ended = true
    if (this.#timer) clearTimeout(this.#timer)
    open.delete(this)
    this.#look?.()
    resolve()
  }
}

/** Made once for all listeners: the same signal goes to each of them. */
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
