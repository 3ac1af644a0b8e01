// Writes signals to Server-Sent Events streams, as raw frames. The first frame is written at once;
// those that follow in the same turn of the event loop, or while the socket is full, are written
// together. Large frames are written in parts of bytes that all listeners share, so a slow reader
// holds no copy. One timer sends the heartbeats of all streams.
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A signal of a conversation (core/realtime). */
interface Signal {
  /** Position in the conversation; null for a signal without one. */
  number: string | null
  type: string
  data: unknown
}

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
/** Characters past which the bytes of a frame are shared and written in parts. */
const largeFrame = 32_768
const partBytes = 65_536

const open = new Set<EventStream>()
let beat = 0
setInterval(tick, commentMs).unref()

export const openStreams = () => open.size

export class EventStream {
  readonly #raw: import('node:http').ServerResponse
  #gathered = ''
  /** Bytes before the gathered frames, while a large frame is written. */
  readonly #queue: Buffer[] = []
  #queuedBytes = 0
  readonly #begun = performance.now()
  /** Set during the grace period. */
  #grace: NodeJS.Timeout | null
  /** Set while the frames of this turn are gathered. */
  #turn: NodeJS.Immediate | null = null
  #ended = false
  /** Ends the response when everything is written. */
  #isFinishing = false
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
    this.sendJson(signal.number, toJson(signal))
  }

  sendJson(id: string | null, json: string) {
    const begin = `${id === null ? '' : `id: ${id}\n`}event: message\ndata: `
    if (json.length < largeFrame) return this.#write(`${begin}${json}\n\n`)
    if (this.#ended) return
    this.#enqueue(Buffer.from(this.#gathered + begin))
    this.#enqueue(toBytes(json))
    this.#gathered = ''
    this.#write('\n\n')
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
    return this.#raw.writableLength + this.#gathered.length + this.#queuedBytes
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
    this.#isFinishing = true
    this.#endGrace()
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
    if (this.#queue.length > 0) this.#writePart()
    else if (this.#gathered !== '' && !this.#raw.destroyed) {
      this.#raw.write(this.#gathered)
      this.#gathered = ''
      this.#turn ??= setImmediate(() => {
        this.#turn = null
        if (!this.#raw.writableNeedDrain) this.#flush()
      })
    }
    this.#checkCapacity?.()
    if (this.#isFinishing && this.#queue.length === 0 && this.#gathered === '')
      this.#raw.end()
  }

  #enqueue(bytes: Buffer) {
    this.#queue.push(bytes)
    this.#queuedBytes += bytes.length
  }

  /** Writes a part of the queue; the next one follows when the socket has taken this one. */
  #writePart() {
    if (this.#raw.destroyed) return
    const bytes = this.#queue[0]!
    const part = bytes.subarray(0, partBytes)
    if (part.length === bytes.length) this.#queue.shift()
    else this.#queue[0] = bytes.subarray(partBytes)
    this.#queuedBytes -= part.length
    if (this.#raw.write(part)) setImmediate(() => this.#flush())
  }

  #close(resolve: () => void) {
    this.#ended = true
    this.#queue.length = 0
    this.#queuedBytes = 0
    if (this.#grace) clearTimeout(this.#grace)
    open.delete(this)
    this.#checkCapacity?.()
    resolve()
  }
}

/** Caches the JSON of a signal, which goes to all its listeners. */
const texts = new WeakMap<Signal, string>()
function toJson(signal: Signal): string {
  const known = texts.get(signal)
  if (known) return known
  const text = JSON.stringify({ type: signal.type, data: signal.data })
  texts.set(signal, text)
  return text
}

/** The bytes of the last text: a signal goes to all its listeners in a row. */
let last = { json: '', bytes: Buffer.alloc(0) }
function toBytes(json: string): Buffer {
  if (json !== last.json) last = { json, bytes: Buffer.from(json) }
  return last.bytes
}

/** Returns the JSON of a signal, as bytes that all its listeners share. */
export const toSharedJson = (signal: Signal): Buffer => toBytes(toJson(signal))

function tick() {
  beat++
  const text = beat % pingEvery === 0 ? 'event: message\ndata: ping\n\n' : ':\n\n'
  for (const stream of open) stream.beat(text)
}
