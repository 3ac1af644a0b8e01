// Reads one request body. Counts bytes as they arrive, so that the limit is exact for every framing.
// A rejected body is read to its end first, up to a ceiling, because otherwise the client would see
// a broken connection instead of the response. Past the ceiling the connection is closed.
import type { IncomingMessage } from 'node:http'
import { ApiError } from '@botstead/contract'
import { defaultTimeouts, minBytesPerSecond, type Timeouts } from '../limits/timeouts.ts'
import { part } from './large-json.ts'

/** Bytes past the limit that are still read and discarded. */
const maxRest = 64 * 1_048_576
/** Bytes past which a body is large. */
export const large = 4 * 1_048_576

interface ReadOptions {
  /** Default: those of the server. */
  timeouts?: Timeouts | undefined
  /** Returns whether there is capacity for the bytes. */
  reserve?: (bytes: number) => boolean
  /**
   * Receives the parts of a large body, except the last; reading pauses until it resolves. A
   * rejection rejects the body.
   */
  takePart?: (chunks: Buffer[]) => Promise<void>
  /**
   * Bytes past which the body must arrive at a minimum speed, because it occupies a capacity that
   * others need.
   */
  pacedFrom?: number
}

/**
 * Reads a whole body. Throws PayloadTooLarge past the limit, Unavailable without capacity,
 * RequestTimeout when it takes too long, InvalidPayload if the connection closes early.
 */
export const readAll = async (
  stream: IncomingMessage,
  limit: number,
  options: ReadOptions = {},
): Promise<Buffer> => joined(await readChunks(stream, limit, options))

/** As `readAll`, without copying the chunks. */
export const readChunks = (
  stream: IncomingMessage,
  limit: number,
  options: ReadOptions = {},
): Promise<Buffer[]> =>
  new Promise((resolve, reject) =>
    new BodyReader(stream, { ...options, limit, resolve, reject }).start(),
  )

type Reason = ConstructorParameters<typeof ApiError>

interface Reading extends ReadOptions {
  limit: number
  resolve: (chunks: Buffer[]) => void
  reject: (error: unknown) => void
}

class BodyReader {
  readonly #stream: IncomingMessage
  readonly #reading: Reading
  readonly #timeouts: Timeouts
  readonly #chunks: Buffer[] = []
  #size = 0
  #kept = 0
  #handedOver = 0
  /** When the speed was last checked. */
  #sizeBefore = 0
  /** The error of a body that is read to its end only to be discarded. */
  #rejection: Reason | null = null
  #ended = false
  #idle: NodeJS.Timeout | undefined
  #whole: NodeJS.Timeout | undefined
  #rest: NodeJS.Timeout | undefined
  #busy: NodeJS.Timeout | undefined
  #pace: NodeJS.Timeout | undefined

  constructor(stream: IncomingMessage, reading: Reading) {
    this.#stream = stream
    this.#reading = reading
    this.#timeouts = reading.timeouts ?? defaultTimeouts
  }

  start() {
    const stream = this.#stream
    if (stream.destroyed) return this.#onClosed()
    this.#idle = setTimeout(this.#giveUp, this.#timeouts.idle)
    this.#whole = setTimeout(this.#giveUp, this.#timeouts.body)
    stream.on('data', this.#onData)
    stream.on('end', this.#onEnd)
    stream.on('error', this.#onClosed)
    stream.on('close', this.#onClosed)
  }

  readonly #onData = (chunk: Buffer) => {
    const { limit, reserve } = this.#reading
    this.#size += chunk.length
    this.#idle?.refresh()
    if (!this.#rejection && this.#size <= limit && (!reserve || reserve(chunk.length)))
      return this.#keep(chunk)
    if (this.#size > limit)
      this.#rejectBody('PayloadTooLarge', `The body is larger than ${limit} bytes`)
    else
      this.#rejectBody(
        'Unavailable',
        'The server is receiving too many large bodies: retry later; nothing was changed',
      )
    if (this.#size - this.#kept > maxRest) this.#giveUp()
  }

  #keep(chunk: Buffer) {
    const { pacedFrom } = this.#reading
    this.#kept = this.#size
    this.#chunks.push(chunk)
    if (!this.#pace && this.#size > (pacedFrom ?? Number.POSITIVE_INFINITY))
      this.#startPacing()
    if (this.#size > large && this.#size - this.#handedOver >= part) this.#handOver()
  }

  #startPacing() {
    if (this.#ended) return
    clearInterval(this.#pace)
    this.#sizeBefore = this.#size
    const minBytes = (minBytesPerSecond * this.#timeouts.pace) / 1_000
    this.#pace = setInterval(() => {
      const isSlow = this.#size - this.#sizeBefore < minBytes
      this.#sizeBefore = this.#size
      if (isSlow && !this.#stream.isPaused()) this.#giveUp()
    }, this.#timeouts.pace)
  }

  /**
   * Pauses the sender while a part is parsed: the idle time-out is refreshed, only the time-out of
   * the whole body continues.
   */
  #handOver() {
    const { takePart, reject } = this.#reading
    if (!takePart) return
    this.#handedOver = this.#size
    this.#stream.pause()
    this.#busy = setInterval(() => this.#idle?.refresh(), this.#timeouts.idle / 2)
    takePart(this.#chunks.splice(0)).then(this.#resume, (error) => {
      if (error instanceof ApiError) {
        this.#rejectBody(error.type, error.message)
        this.#resume()
      } else if (this.#end()) reject(error)
    })
  }

  readonly #resume = () => {
    clearInterval(this.#busy)
    if (this.#pace) this.#startPacing() // the sender was paused
    this.#stream.resume()
  }

  #rejectBody(...reason: Reason) {
    this.#rest ??= setTimeout(this.#giveUp, this.#timeouts.rest)
    if (!this.#rejection || reason[0] === 'PayloadTooLarge') this.#rejection = reason
    this.#chunks.length = 0
  }

  readonly #onEnd = () => {
    if (this.#rejection) this.#giveUp()
    else if (this.#end()) this.#reading.resolve(this.#chunks.splice(0))
  }

  readonly #onClosed = (error?: Error) =>
    this.#fail('InvalidPayload', 'The connection closed before the whole body arrived', {
      cause: error,
    })

  readonly #giveUp = () =>
    this.#fail(
      ...(this.#rejection ?? ['RequestTimeout', 'The body did not arrive in time']),
    )

  #fail(...reason: Reason) {
    // Creates the error only when it is needed: a stream also closes after success.
    if (this.#end()) this.#reading.reject(new ApiError(...reason))
  }

  /** Returns whether the reading has just ended; false if it ended before. */
  #end(): boolean {
    if (this.#ended) return false
    this.#ended = true
    clearTimeout(this.#idle)
    clearTimeout(this.#whole)
    clearTimeout(this.#rest)
    clearInterval(this.#busy)
    clearInterval(this.#pace)
    this.#stream.removeListener('data', this.#onData)
    return true
  }
}

export const joined = (chunks: Buffer[]): Buffer =>
  chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
