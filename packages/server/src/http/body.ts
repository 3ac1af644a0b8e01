// Reads and parses request bodies: body-reader.ts reads them, json.ts parses them. Parsing takes
// about 10 ms of the event loop per megabyte, and memory. Few families and operations accept large
// bodies: the server reads few of them at a time, while the others wait in their senders, and
// parses each as it arrives.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '@botstead/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../infra/config/config.ts'
import { tenantOf } from './admission.ts'
import { large, readAll } from './body-reader.ts'
import { principalOf } from './connections.ts'
import { largeJsonParser, parseJson } from './json.ts'
import { openLargeBodies } from './large-bodies.ts'
import { part } from './large-json.ts'
import type { Timeouts } from './timeouts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the body is large; then the response may be large as well. */
    isLarge: boolean
  }
}

export function readBodies(
  server: FastifyInstance,
  config: Pick<Config, 'trustProxy'>,
  timeouts: Timeouts,
) {
  server.decorateRequest('isLarge', false)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', async (request: FastifyRequest, stream: IncomingMessage) => {
    const limit = request.routeOptions.config.bodyLimit ?? 1_048_576
    if (limit <= large) return parse(request, await readAll(stream, limit, { timeouts }))
    const parser = largeJsonParser(jsonOptions(request))
    const takePart = async (chunks: Buffer[]) => {
      if (!request.isLarge) {
        await bodies.enter(principalIn(config, request), responses.get(request.raw)!)
        checkHeaders(request)
        request.isLarge = true
      }
      await parser.take(chunks)
    }
    const rest = await readAll(stream, limit, { timeouts, takePart, pacedFrom: large })
    if (!request.isLarge && rest.length <= part) return parse(request, rest)
    if (!request.isLarge) checkHeaders(request)
    for (let at = 0; at < rest.length; at += part) await parser.take([rest.subarray(at, at + part)])
    return parser.end()
  })
  const bodies = openLargeBodies(timeouts)
  const responses = new WeakMap<IncomingMessage, ServerResponse>()
  // The parsed body stays in memory until the request ends.
  server.addHook('onRequest', ({ raw }, reply: FastifyReply, done) => {
    if (mayBeLarge(raw)) responses.set(raw, reply.raw)
    done()
  })
  server.addHook('onResponse', ({ raw }, _reply, done) => {
    throwAwayRest(raw, timeouts)
    done()
  })
}

const principalIn = (config: Pick<Config, 'trustProxy'>, { caller, raw }: FastifyRequest) =>
  tenantOf(caller) ?? principalOf(config, raw)

/** Without a length, a body may have any size. */
const mayBeLarge = ({ headers }: IncomingMessage) =>
  headers['content-length'] === undefined
    ? headers['transfer-encoding'] !== undefined
    : Number(headers['content-length']) > large

function parse(request: FastifyRequest, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  checkHeaders(request)
  return parseJson(bytes, jsonOptions(request))
}

/** Cells of tables are stored exactly as they were sent. */
const jsonOptions = ({ routeOptions }: FastifyRequest) => ({
  isExact: /^\/v1\/(?:platform\/)?tables\b/.test(routeOptions.url ?? ''),
})

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
 * Discards a body that is still arriving after the response. Node would read it without a time
 * limit.
 */
function throwAwayRest(request: IncomingMessage, { rest }: Timeouts) {
  if (request.complete || request.destroyed) return
  const enough = setTimeout(() => request.destroy(), rest)
  request.once('close', () => clearTimeout(enough))
}
