// `bp dev --tunnel-url <this server>`: the command line connects by WebSocket to /<tunnel id>, and gives http://<this server>/<tunnel id> as the URL of the
// bot or integration that runs on the developer's machine. What is asked there goes through, and the answer comes back.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError } from '@botstead/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { readAll, refuseEncodings } from '../http/body.ts'
import { principalOf } from '../http/connections.ts'
import { inRequest, tellOfOther } from '../http/observe.ts'
import { refuseUpgrade } from '../http/refusal.ts'
import type { Services } from '../services.ts'
import { closeCodes } from '../tunnels/frames.ts'
import { isTunnelId, mostFrameBytes, TunnelFailed, type TunnelProblem, Tunnels } from '../tunnels/tunnels.ts'

/** They speak of one connection, or of a length that changes on the way. */
const notHandedOn = new Set([
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
/** Nor may an answer make browsers trust this origin with what it brings. */
const notHandedBack = new Set([
  ...notHandedOn,
  'set-cookie',
  'date',
  'content-security-policy',
  'service-worker-allowed',
  'clear-site-data',
])

/** Time for the reason to be read, and none to hurry back. */
const secondMs = 1_000

/** The path of a tail's connection: one segment. Null for any other. */
export const tailIn = (url: string | undefined): string | null =>
  /^\/+([^/?]+)\/?(?:\?|$)/.exec(url ?? '')?.[1] ?? null

/** Gives how many are open. */
export function answerTunnels(
  server: FastifyInstance,
  services: Pick<Services, 'config' | 'log' | 'metrics'>,
): () => number {
  const tunnels = new Tunnels({ most: services.config.tunnels })
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: mostFrameBytes,
    perMessageDeflate: false,
  })
  server.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const id = tailIn(request.url)
    if (id === null) return // web-socket.ts
    const since = performance.now()
    const tell = (status: number, failure = {}) =>
      tellOfOther(
        { log: services.log, requests: services.metrics.requests },
        { operation: 'tunnel.open', since, status, ...failure },
      )
    socket.on('error', () => {}) // the other side may vanish during the handshake
    const address = principalOf(services.config, request)
    try {
      refuseTail(tunnels, request, id, address)
    } catch (error) {
      const { status, ...failure } = refuseUpgrade(socket, error)
      return tell(status, { failure })
    }
    sockets.handleUpgrade(request, socket, head, (opened) =>
      isTunnelId(id) ? tunnels.open(id, opened, address) : sendAway(opened),
    )
    tell(101)
  })
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
  return () => tunnels.count
}

/** No page that somebody has open in a browser of this machine is to take up tunnels. */
function refuseTail(tunnels: Tunnels, { headers }: IncomingMessage, id: string, address: string) {
  if (headers.origin !== undefined)
    throw new ApiError('Forbidden', 'Tunnels are for command lines, not for browsers')
  if (isTunnelId(id) && !tunnels.hasRoomFor(id, address))
    throw new ApiError('Unavailable', 'All tunnels are in use: close one, or raise BOTSTEAD_TUNNELS')
}

function sendAway(socket: WebSocket) {
  socket.on('error', () => {})
  setTimeout(
    () =>
      socket.close(
        closeCodes.invalidId,
        'a tunnel id has 20 to 64 letters, digits, - and _: nobody may guess it',
      ),
    secondMs,
  )
}

async function passThrough(tunnels: Tunnels, request: FastifyRequest, reply: FastifyReply) {
  const { tunnelId, '*': rest } = request.params as { tunnelId: string; '*'?: string }
  const left = new AbortController()
  reply.raw.once('close', () => left.abort())
  const body = (await readAll(request.raw, mostFrameBytes)).toString('utf8')
  refuseEncodings(request)
  const [path = '', query = ''] = request.url.split(/\?(.*)/s, 2)
  const asked = {
    method: request.method,
    path: rest === undefined ? '/' : path.slice(path.indexOf('/', 1)),
    query,
    headers: without(notHandedOn, request.headers),
  }
  try {
    const { status, headers, body: answered } = await tunnels.ask(tunnelId, { ...asked, body }, left.signal)
    // Whatever page comes from there, browsers are not to run it as one of ours.
    reply.headers({ ...without(notHandedBack, headers), 'content-security-policy': 'sandbox' })
    return reply.code(status).send(answered)
  } catch (error) {
    throw error instanceof TunnelFailed ? refusals[error.problem]() : error
  }
}

const without = <Value>(names: Set<string>, headers: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase())))

const refusals: Record<TunnelProblem, () => ApiError> = {
  nobody: () => new ApiError('Unavailable', 'Nobody is at the other end of this tunnel'),
  gone: () => new ApiError('Unavailable', 'The other end of this tunnel went away before it answered'),
  busy: () => new ApiError('Unavailable', 'Too much waits for the other end of this tunnel'),
  late: () => new ApiError('OperationTimeout', 'The other end of this tunnel did not answer in time'),
  'too-large': () =>
    new ApiError('PayloadTooLarge', `More than ${mostFrameBytes} bytes do not go through this tunnel`),
}
