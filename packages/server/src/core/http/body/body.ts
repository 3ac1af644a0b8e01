// Reads and parses request bodies: body-reader.ts reads them, json.ts parses them. Parsing takes
// about 10 ms of the event loop per megabyte, and memory. Few families and operations accept large
// bodies: the server reads few of them at a time, while the others wait in their senders, and
// parses each as it arrives.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '@botstead/contract'
import { nextSlice } from '@botstead/lib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Section } from '../../config/index.ts'
import { getTenant } from '../limits/admission.ts'
import { getPrincipal } from '../limits/connections.ts'
import type { Timeouts } from '../limits/timeouts.ts'
import { joined, large, readChunks } from './body-reader.ts'
import { largeJsonParser, parseJson } from './json.ts'
import { openLargeBodies } from './large-bodies.ts'
import type { PartsParser } from './large-json.ts'
import { part } from './large-json.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Whether the body is large; then the response may be large as well. A handler whose response
     * alone may be large sets it.
     */
    isLarge: boolean
  }
}

export function readBodies(
  server: FastifyInstance,
  config: Pick<Section<'http'>, 'trustProxy'>,
  timeouts: Timeouts,
) {
  server.decorateRequest('isLarge', false)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    '*',
    async (request: FastifyRequest, stream: IncomingMessage) => {
      const limit = request.routeOptions.config.bodyLimit ?? 1_048_576
      const paced = limit > large ? { takePart, pacedFrom: large } : {}
      let parser: PartsParser | undefined
      const parseParts = (chunks: Buffer[]) => {
        const tenant = principalIn(config, request)
        parser ??= largeJsonParser({ ...jsonOptions(request), tenant })
        return parser.take(chunks)
      }
      async function takePart(chunks: Buffer[]) {
        if (!request.isLarge) {
          await bodies.enter(principalIn(config, request), responses.get(request.raw)!)
          checkHeaders(request)
          request.isLarge = true
        }
        await parseParts(chunks)
      }
      const rest = await readChunks(stream, limit, { timeouts, ...paced })
      const isShort = rest.reduce((size, { length }) => size + length, 0) <= part
      if (!parser && isShort) return parse(request, joined(rest))
      if (!request.isLarge) {
        checkHeaders(request)
        request.isLarge = true
        await bodies.process(principalIn(config, request), responses.get(request.raw)!)
      }
      await parseParts(rest)
      const body = await parser!.end()
      await nextSlice(principalIn(config, request))
      return body
    },
  )
  const bodies = openLargeBodies(timeouts)
  const responses = new WeakMap<IncomingMessage, ServerResponse>()
  // The parsed body stays in memory until the request ends.
  server.addHook('onRequest', ({ raw }, reply: FastifyReply, done) => {
    if (mayBeLong(raw)) responses.set(raw, reply.raw)
    done()
  })
  server.addHook('onResponse', ({ raw }, _reply, done) => {
    throwAwayRest(raw, timeouts)
    done()
  })
}

const principalIn = (
  config: Pick<Section<'http'>, 'trustProxy'>,
  { caller, raw }: FastifyRequest,
) => getTenant(caller) ?? getPrincipal(config, raw)

/** Without a length, a body may have any size. */
const mayBeLong = ({ headers }: IncomingMessage) =>
  headers['content-length'] === undefined
    ? headers['transfer-encoding'] !== undefined
    : Number(headers['content-length']) > part

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
  const type = (headers['content-type'] ?? 'application/json')
    .split(';')[0]!
    .trim()
    .toLowerCase()
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
