// Tunnels for `bp dev --tunnel-url <this server>`. The command line connects by WebSocket to
// /<tunnel id>,
// and registers http://<this server>/<tunnel id> as the URL of the bot or integration on the developer's
// machine. Requests to this URL go through the tunnel, and so do their responses. Paths of webchat
// operations below such a URL belong to the Webchat API (core/http/server.ts).
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { ApiError } from '@botstead/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import {
  addressIn,
  foreignCookies,
  tunneledHeaders,
} from '../../../core/delivery/index.ts'
import {
  getPrincipal,
  type HttpServices,
  inRequest,
  isLocal,
  rateLimits,
  readAll,
  rejectEncodings,
  type UpgradeRoute,
} from '../../../core/http/index.ts'
import { closeCodes } from '../frames.ts'
import {
  isTunnelId,
  maxFrameBytes,
  TunnelFailed,
  type TunnelProblem,
  Tunnels,
} from '../tunnels.ts'

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
/** Gives the client time to read the reason, and delays its next attempt. */
const secondMs = 1_000

/**
 * Returns the tunnel's id and the token in the path of a command line's connection; otherwise null.
 * The command line keeps the path of `--tunnel-url`, and appends the id.
 */
function tailIn(
  url: string | undefined,
): { id: string; token: string | undefined } | null {
  const [, token, id] =
    /^\/+(?:(bp_pat_[^/?]+)\/+)?([^/?]+)\/?(?:\?|$)/.exec(url ?? '') ?? []
  return id === undefined ? null : { id, token }
}

/** Returns the route of handshakes, and a function that counts open tunnels. */
export function serveTunnels(
  server: FastifyInstance,
  services: HttpServices,
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
      const { id, token } = tailIn(request.url)!
      const address = getPrincipal(services.config, request)
      checkClient(tunnels, request, id, address)
      const isPermitted = await mayOpen(services, request, token)
      sockets.handleUpgrade(request, socket, head, (opened) => {
        if (!isPermitted) reject(opened, closeCodes.unauthorized, tokenMissing)
        else if (isTunnelId(id)) tunnels.open(id, opened, address)
        else reject(opened, closeCodes.invalidId, invalidId)
      })
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
    scope.all(
      '/:tunnelId([\\w-]{20,64})',
      { config: { operationId: 'tunnel.ask' } },
      answer,
    )
    scope.all(
      '/:tunnelId([\\w-]{20,64})/*',
      { config: { operationId: 'tunnel.ask' } },
      answer,
    )
  })
  return { route, count: () => tunnels.count }
}

/** Rejects browsers: a web page must not occupy tunnels of this machine. */
function checkClient(
  tunnels: Tunnels,
  { headers }: IncomingMessage,
  id: string,
  address: string,
) {
  if (headers.origin !== undefined)
    throw new ApiError('Forbidden', 'Browsers cannot open tunnels: use the command line')
  if (isTunnelId(id) && !tunnels.canOpen(id, address))
    throw new ApiError(
      'Unavailable',
      'All tunnels are in use: close one, or raise BOTSTEAD_TUNNELS',
    )
}

/**
 * Clients of this machine need no token; from elsewhere, strangers could use the server's origin for
 * their content. Throws RateLimited after many wrong tokens.
 */
async function mayOpen(
  services: HttpServices,
  request: IncomingMessage,
  token: string | undefined,
): Promise<boolean> {
  const { tunnelAccess } = services.config
  if (tunnelAccess === 'all') return true
  if (token === undefined) return tunnelAccess === 'local' && isLocal(request)
  const { callers } = services
  const found = await rateLimits.lookUpGuarded(
    services,
    { raw: request },
    () => callers.token(token),
    () => callers.knownToken(token),
  )
  return found?.accountId != null
}

const tokenMissing =
  'append your personal access token: bp dev --tunnel-url <server>/<token> (BOTSTEAD_TUNNEL_ACCESS)'
const invalidId =
  'a tunnel id must have 20 to 64 letters, digits, - and _, chosen at random'

/** A close frame, because the command line shows its reason. */
function reject(socket: WebSocket, code: number, reason: string) {
  socket.on('error', () => {})
  setTimeout(() => socket.close(code, reason), secondMs)
}

async function passThrough(
  tunnels: Tunnels,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { tunnelId } = request.params as { tunnelId: string }
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort())
  const body = (await readAll(request.raw, maxFrameBytes)).toString('utf8')
  rejectEncodings(request)
  const forwarded = {
    method: request.method,
    ...addressIn(request.url, 1),
    headers: toForwarded(request.headers),
  }
  try {
    const {
      status,
      headers,
      body: answered,
    } = await tunnels.request(tunnelId, { ...forwarded, body }, disconnected.signal)
    reply.headers(tunneledHeaders(headers))
    return reply.code(status).send(answered)
  } catch (error) {
    throw error instanceof TunnelFailed ? tunnelErrors[error.problem]() : error
  }
}

function toForwarded({ cookie, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  const others = cookie && foreignCookies(cookie)
  const entries = Object.entries(headers).filter(
    ([name]) => !requestHeadersDropped.has(name),
  )
  return { ...Object.fromEntries(entries), ...(others && { cookie: others }) }
}

const tunnelErrors: Record<TunnelProblem, () => ApiError> = {
  disconnected: () =>
    new ApiError(
      'Unavailable',
      'No client is connected to this tunnel: start `bp dev` again',
    ),
  closed: () =>
    new ApiError('Unavailable', "The tunnel's client disconnected before it responded"),
  busy: () =>
    new ApiError('Unavailable', 'The tunnel has too many pending requests: retry later'),
  late: () =>
    new ApiError('OperationTimeout', "The tunnel's client did not respond in time"),
  'too-large': () =>
    new ApiError(
      'PayloadTooLarge',
      `Requests and responses through a tunnel have at most ${maxFrameBytes} bytes`,
    ),
}
