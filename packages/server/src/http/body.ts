// Reads request bodies. Counts bytes as they arrive, so that the limit is exact for every framing.
// A rejected body is read to its end first, up to a ceiling, because otherwise the client would see
// a broken connection instead of the response. Past the ceiling the connection is closed. json.ts
// parses the bodies. Parsing takes about 10 ms of the event loop per megabyte, and memory. Only
// Admin and Tables accept large bodies: the server reads few of them at a time, while the others
// wait in their senders, and parses each as it arrives.
import type { IncomingMessage } from 'node:http'
import { ApiError } from '@botstead/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createSemaphore, type Permit } from '../infra/lib/semaphore.ts'
import { largeJsonParser, parseJson } from './json.ts'
import { part } from './large-json.ts'
import { defaultTimeouts, type Timeouts } from './timeouts.ts'

/** Bytes past the limit that are still read and discarded. */
const maxRest = 64 * 1_048_576
/** Bytes past which a body is large. */
const large = 4 * 1_048_576
/** Large bodies in memory at a time. */
const maxLarge = 2

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the body is large; then the response may be large as well. */
    isLarge: boolean
  }
}

export function readBodies(server: FastifyInstance, timeouts: Timeouts) {
  server.decorateRequest('isLarge', false)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', async (request: FastifyRequest, stream: IncomingMessage) => {
    const limit = request.routeOptions.config.bodyLimit ?? 1_048_576
    if (limit <= large) return parse(request, await readAll(stream, limit, timeouts))
    const parser = largeJsonParser()
    const rest = await readAll(stream, limit, timeouts, undefined, async (chunks) => {
      if (!request.isLarge) {
        await permitOf(request).granted
        checkHeaders(request)
        request.isLarge = true
      }
      await parser.take(chunks)
    })
    if (!request.isLarge) return parse(request, rest)
    await parser.take([rest])
    return parser.end()
  })
  const capacity = createSemaphore(maxLarge)
  const permits = new WeakMap<IncomingMessage, Permit>()
  const permitOf = ({ raw }: FastifyRequest) => {
    const permit = capacity.acquire()
    permits.set(raw, permit)
    return permit
  }
  // The parsed body stays in memory until the request ends.
  server.addHook('onRequest', ({ raw }, reply: FastifyReply, done) => {
    if (mayBeLarge(raw)) reply.raw.once('close', () => permits.get(raw)?.release())
    done()
  })
  server.addHook('onResponse', ({ raw }, _reply, done) => {
    throwAwayRest(raw, timeouts)
    done()
  })
}

/** Without a length, a body may have any size. */
const mayBeLarge = ({ headers }: IncomingMessage) =>
  headers['content-length'] === undefined
    ? headers['transfer-encoding'] !== undefined
    : Number(headers['content-length']) > large

function parse(request: FastifyRequest, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  checkHeaders(request)
  return parseJson(bytes)
}

function checkHeaders(request: FastifyRequest) {
  rejectEncodings(request)
  checkContentType(request)
}

export function rejectEncodings({ headers }: FastifyRequest) {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ApiError(
      'UnsupportedMediaType',
      'Send the body without `content-encoding`: compressed bodies are not supported',
    )
}

function checkContentType({ headers }: FastifyRequest) {
  const type = (headers['content-type'] ?? 'application/json').split(';')[0]!.trim().toLowerCase()
  if (type !== 'application/json' && !type.endsWith('+json'))
    throw new ApiError(
      'UnsupportedMediaType',
      'Send the body as JSON, with `content-type: application/json`',
    )
}

/**
 * Reads a whole body. Throws PayloadTooLarge past the limit, Unavailable without capacity,
 * RequestTimeout when it takes too long, InvalidPayload if the connection closes early.
 */
export function readAll(
  stream: IncomingMessage,
  limit: number,
  timeouts: Timeouts = defaultTimeouts,
  reserve: (bytes: number) => boolean = () => true,
  /**
   * Receives the parts of a large body, except the last; reading pauses until it resolves. A
   * rejection rejects the body.
   */
  takePart?: (chunks: Buffer[]) => Promise<void>,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let kept = 0
    let handedOver = 0
    let busy: NodeJS.Timeout | undefined
    let rejection: ConstructorParameters<typeof ApiError> | null = null
    let ended = false
    const idle = setTimeout(giveUp, timeouts.idle)
    const timers = [idle, setTimeout(giveUp, timeouts.body)]

    function end(settle: () => void) {
      if (ended) return
      ended = true
      timers.forEach(clearTimeout)
      clearInterval(busy)
      stream.removeListener('data', onData)
      settle()
    }
    // Creates the error only when it is needed: a stream also closes after success.
    function fail(...reason: ConstructorParameters<typeof ApiError>) {
      end(() => reject(new ApiError(...reason)))
    }
    function giveUp() {
      fail(...(rejection ?? ['RequestTimeout', 'The body did not arrive in time']))
    }
    const onClosed = (error?: Error) =>
      fail('InvalidPayload', 'The connection closed before the whole body arrived', {
        cause: error,
      })

    function onData(chunk: Buffer) {
      size += chunk.length
      idle.refresh()
      if (!rejection && size <= limit && reserve(chunk.length)) {
        kept = size
        chunks.push(chunk)
        if (size > large && size - handedOver >= part) handOver()
        return
      }
      if (size > limit) rejectBody('PayloadTooLarge', `The body is larger than ${limit} bytes`)
      else
        rejectBody(
          'Unavailable',
          'The server is receiving too many large bodies: retry later; nothing was changed',
        )
      if (size - kept > maxRest) giveUp()
    }
    /**
     * Pauses the sender while a part is parsed: the idle time-out is refreshed, only the time-out
     * of the whole body continues.
     */
    function handOver() {
      if (!takePart) return
      handedOver = size
      stream.pause()
      busy = setInterval(() => idle.refresh(), timeouts.idle / 2)
      const resume = () => {
        clearInterval(busy)
        stream.resume()
      }
      takePart(chunks.splice(0)).then(resume, (error) => {
        if (!(error instanceof ApiError)) return end(() => reject(error))
        rejectBody(error.type, error.message)
        resume()
      })
    }
    function rejectBody(...reason: ConstructorParameters<typeof ApiError>) {
      if (!rejection) timers.push(setTimeout(giveUp, timeouts.rest))
      if (!rejection || reason[0] === 'PayloadTooLarge') rejection = reason
      chunks.length = 0
    }
    if (stream.destroyed) return onClosed()
    stream.on('data', onData)
    stream.on('end', () => (rejection ? giveUp() : end(() => resolve(whole(chunks)))))
    stream.on('error', onClosed)
    stream.on('close', () => onClosed())
  })
}

/**
 * Joins the chunks and releases them: the stream that delivered them lives as long as its request.
 */
function whole(chunks: Buffer[]): Buffer {
  const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  chunks.length = 0
  return all
}

/**
 * Discards a body that is still arriving after the response. Node would read it without a time
 * limit.
 */
function throwAwayRest(request: IncomingMessage, { rest }: Timeouts) {
  if (request.complete || request.destroyed) return
  const enough = setTimeout(() => request.destroy(), rest)
  request.once('close', () => clearTimeout(enough))
}
