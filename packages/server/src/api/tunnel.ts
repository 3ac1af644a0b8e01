// Tunnels for `bp dev --tunnel-url <this server>`. The command line connects by WebSocket to
// /<tunnel id>,
// and registers http://<this server>/<tunnel id> as the URL of the bot or integration on the developer's
// machine. Requests to this URL go through the tunnel, and so do their responses. Paths of webchat
// operations below such a URL belong to the Webchat API (http/server.ts).
import type { IncomingMessage } from 'node:http'
import { ApiError } from '@botstead/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { rejectEncodings } from '../http/body.ts'
import { readAll } from '../http/body-reader.ts'
import { principalOf } from '../http/connections.ts'
import { inRequest } from '../http/observe.ts'
import type { Services } from '../http/services.ts'
import type { UpgradeRoute } from '../http/upgrades.ts'
import { closeCodes } from '../infra/tunnels/frames.ts'
import {
  isTunnelId,
  maxFrameBytes,
  TunnelFailed,
  type TunnelProblem,
  Tunnels,
} from '../infra/tunnels/tunnels.ts'
import { addressIn } from './webhooks/received.ts'

/** Headers about one connection, or about a length that changes on the way. */
const requestHeadersDropped = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'host',
  'content-length',
  'proxy-connection',
])
/** Headers of a response that would make browsers trust this origin with its content. */
const responseHeadersDropped = new Set([
  ...requestHeadersDropped,
  'set-cookie',
  'date',
  'content-security-policy',
  'service-worker-allowed',
  'clear-site-data',
])

/** Gives the client time to read the reason, and delays its next attempt. */
const secondMs = 1_000

/**
 * Returns the tunnel id in the path of a command line's connection, which has one segment;
 * otherwise null.
 */
const tailIn = (url: string | undefined): string | null =>
  /^\/+([^/?]+)\/?(?:\?|$)/.exec(url ?? '')?.[1] ?? null

/** Returns the route of handshakes, and a function that counts open tunnels. */
export function serveTunnels(
  server: FastifyInstance,
  services: Pick<Services, 'config'>,
): { route: UpgradeRoute; count: () => number } {
  const tunnels = new Tunnels({ maxTunnels: services.config.tunnels })
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
  })
  const route: UpgradeRoute = {
    operation: 'tunnel.open',
    matches: (url) => tailIn(url) !== null,
    async accept({ request, socket, head }) {
      const id = tailIn(request.url)!
      const address = principalOf(services.config, request)
      checkClient(tunnels, request, id, address)
      sockets.handleUpgrade(request, socket, head, (opened) =>
        isTunnelId(id) ? tunnels.open(id, opened, address) : rejectId(opened),
      )
      return {}
    },
  }
  server.addHook('preClose', async () => {
    tunnels.close()
    sockets.close()
  })
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const answer = (request: FastifyRequest, reply: FastifyReply) =>
      inRequest(request, () => passThrough(tunnels, request, reply))
    scope.all('/:tunnelId([\\w-]{20,64})', { config: { operationId: 'tunnel.ask' } }, answer)
    scope.all('/:tunnelId([\\w-]{20,64})/*', { config: { operationId: 'tunnel.ask' } }, answer)
  })
  return { route, count: () => tunnels.count }
}

/** Rejects browsers: a web page must not occupy tunnels of this machine. */
function checkClient(tunnels: Tunnels, { headers }: IncomingMessage, id: string, address: string) {
  if (headers.origin !== undefined)
    throw new ApiError('Forbidden', 'Browsers cannot open tunnels: use the command line')
  if (isTunnelId(id) && !tunnels.canOpen(id, address))
    throw new ApiError(
      'Unavailable',
      'All tunnels are in use: close one, or raise BOTSTEAD_TUNNELS',
    )
}

function rejectId(socket: WebSocket) {
  socket.on('error', () => {})
  setTimeout(
    () =>
      socket.close(
        closeCodes.invalidId,
        'a tunnel id must have 20 to 64 letters, digits, - and _, chosen at random',
      ),
    secondMs,
  )
}

async function passThrough(tunnels: Tunnels, request: FastifyRequest, reply: FastifyReply) {
  const { tunnelId } = request.params as { tunnelId: string }
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort())
  const body = (await readAll(request.raw, maxFrameBytes)).toString('utf8')
  rejectEncodings(request)
  const forwarded = {
    method: request.method,
    ...addressIn(request.url, 1),
    headers: without(requestHeadersDropped, request.headers),
  }
  try {
    const {
      status,
      headers,
      body: answered,
    } = await tunnels.request(tunnelId, { ...forwarded, body }, disconnected.signal)
    // Browsers must not run pages from the tunnel with this origin's permissions.
    reply.headers({
      ...without(responseHeadersDropped, headers),
      'content-security-policy': 'sandbox',
    })
    return reply.code(status).send(answered)
  } catch (error) {
    throw error instanceof TunnelFailed ? tunnelErrors[error.problem]() : error
  }
}

const without = <Value>(
  names: Set<string>,
  headers: Record<string, Value>,
): Record<string, Value> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase())))

const tunnelErrors: Record<TunnelProblem, () => ApiError> = {
  disconnected: () =>
    new ApiError('Unavailable', 'No client is connected to this tunnel: start `bp dev` again'),
  closed: () => new ApiError('Unavailable', "The tunnel's client disconnected before it responded"),
  busy: () => new ApiError('Unavailable', 'The tunnel has too many pending requests: retry later'),
  late: () => new ApiError('OperationTimeout', "The tunnel's client did not respond in time"),
  'too-large': () =>
    new ApiError(
      'PayloadTooLarge',
      `Requests and responses through a tunnel have at most ${maxFrameBytes} bytes`,
    ),
}
