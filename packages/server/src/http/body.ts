// Reads bodies: counts bytes as they arrive, so that the limit holds to the byte however they are framed. What is refused is read to its end
// first, or the caller would see a broken pipe instead of the answer; up to a ceiling, past which the connection ends.
// What is in them, json.ts decides. Parsing takes the event loop about 10 ms per megabyte, and memory: of large bodies, which only Admin and Tables let in,
// few are read at a time (the others wait in their senders), and each is parsed while it arrives.
import type { IncomingMessage } from 'node:http'
import { ApiError } from '@botstead/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openSeats, type Seat } from '../lib/seats.ts'
import { largeJsonParser, parseJson } from './json.ts'
import { part } from './large-json.ts'
import { type Patience, usualPatience } from './patience.ts'

/** Past the limit, so many more bytes are read and thrown away. */
const mostRest = 64 * 1_048_576
/** Bytes past which a body is large. */
const large = 4 * 1_048_576
/** As many large ones are held at a time. */
const mostLarge = 2

declare module 'fastify' {
  interface FastifyRequest {
    /** It has a large body: its answer may be large as well. */
    isLarge: boolean
  }
}

export function readBodies(server: FastifyInstance, patience: Patience) {
  server.decorateRequest('isLarge', false)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', async (request: FastifyRequest, stream: IncomingMessage) => {
    const limit = request.routeOptions.config.bodyLimit ?? 1_048_576
    if (limit <= large) return parse(request, await readAll(stream, limit, patience))
    const parser = largeJsonParser()
    const rest = await readAll(stream, limit, patience, undefined, async (chunks) => {
      if (!request.isLarge) {
        await seatOf(request).taken
        refuseOthers(request)
        request.isLarge = true
      }
      await parser.take(chunks)
    })
    if (!request.isLarge) return parse(request, rest)
    await parser.take([rest])
    return parser.end()
  })
  const seats = openSeats(mostLarge)
  const seated = new WeakMap<IncomingMessage, Seat>()
  const seatOf = ({ raw }: FastifyRequest) => {
    const seat = seats.take()
    seated.set(raw, seat)
    return seat
  }
  // What was made of it is in memory for as long as it is worked on.
  server.addHook(
    'onRequest',
    async ({ raw }, reply: FastifyReply) => void reply.raw.once('close', () => seated.get(raw)?.leave()),
  )
  server.addHook('onResponse', async ({ raw }) => throwAwayRest(raw, patience))
}

function parse(request: FastifyRequest, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  refuseOthers(request)
  return parseJson(bytes)
}

function refuseOthers(request: FastifyRequest) {
  refuseEncodings(request)
  refuseOtherTypes(request)
}

export function refuseEncodings({ headers }: FastifyRequest) {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ApiError('UnsupportedMediaType', 'Bodies are sent as they are, without Content-Encoding')
}

function refuseOtherTypes({ headers }: FastifyRequest) {
  const type = (headers['content-type'] ?? 'application/json').split(';')[0]!.trim().toLowerCase()
  if (type !== 'application/json' && !type.endsWith('+json'))
    throw new ApiError('UnsupportedMediaType', 'Bodies are JSON: content-type application/json')
}

/**
 * Throws PayloadTooLarge past the limit, Unavailable when there is no room for it, RequestTimeout when it takes too long, InvalidPayload when the
 * caller goes away.
 */
export function readAll(
  stream: IncomingMessage,
  limit: number,
  patience: Patience = usualPatience,
  takeRoom: (bytes: number) => boolean = () => true,
  /** Gets a body that turns out to be large, but for its rest, as it comes; what comes after waits for it. Throws why it is refused. */
  takePart?: (chunks: Buffer[]) => Promise<void>,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let kept = 0
    let handedOver = 0
    let busy: NodeJS.Timeout | undefined
    let refusal: ConstructorParameters<typeof ApiError> | null = null
    let ended = false
    const idle = setTimeout(giveUp, patience.idle)
    const timers = [idle, setTimeout(giveUp, patience.body)]

    function end(settle: () => void) {
      if (ended) return
      ended = true
      timers.forEach(clearTimeout)
      clearInterval(busy)
      stream.removeListener('data', onData)
      settle()
    }
    // The error is made only when it is needed: a stream also closes when all went well.
    function fail(...reason: ConstructorParameters<typeof ApiError>) {
      end(() => reject(new ApiError(...reason)))
    }
    function giveUp() {
      fail(...(refusal ?? ['RequestTimeout', 'The body did not arrive in time']))
    }
    const brokeOff = (error?: Error) => fail('InvalidPayload', 'The body broke off', { cause: error })

    function onData(chunk: Buffer) {
      size += chunk.length
      idle.refresh()
      if (!refusal && size <= limit && takeRoom(chunk.length)) {
        kept = size
        chunks.push(chunk)
        if (size > large && size - handedOver >= part) handOver()
        return
      }
      if (size > limit) refuse('PayloadTooLarge', `The body is larger than ${limit} bytes`)
      else refuse('Unavailable', 'Too much is arriving at the same time; nothing was done')
      if (size - kept > mostRest) giveUp()
    }
    /** Meanwhile the sender cannot send, which is no fault of theirs: only the time for the whole body goes on. */
    function handOver() {
      if (!takePart) return
      handedOver = size
      stream.pause()
      busy = setInterval(() => idle.refresh(), patience.idle / 2)
      const goOn = () => {
        clearInterval(busy)
        stream.resume()
      }
      takePart(chunks.splice(0)).then(goOn, (error) => {
        if (!(error instanceof ApiError)) return end(() => reject(error))
        refuse(error.type, error.message)
        goOn()
      })
    }
    function refuse(...reason: ConstructorParameters<typeof ApiError>) {
      if (!refusal) timers.push(setTimeout(giveUp, patience.rest))
      if (!refusal || reason[0] === 'PayloadTooLarge') refusal = reason
      chunks.length = 0
    }
    if (stream.destroyed) return brokeOff()
    stream.on('data', onData)
    stream.on('end', () => (refusal ? giveUp() : end(() => resolve(whole(chunks)))))
    stream.on('error', brokeOff)
    stream.on('close', () => brokeOff())
  })
}

/** The pieces are let go: the stream that brought them lives as long as its request. */
function whole(chunks: Buffer[]): Buffer {
  const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  chunks.length = 0
  return all
}

/** An answer that needed no body leaves the body on its way; Node reads it on for as long as it comes. */
function throwAwayRest(request: IncomingMessage, { rest }: Patience) {
  if (request.complete || request.destroyed) return
  const enough = setTimeout(() => request.destroy(), rest)
  request.once('close', () => clearTimeout(enough))
}
