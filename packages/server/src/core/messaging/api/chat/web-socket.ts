// Listening over WebSocket: signals as text frames. Rejections are HTTP responses to the handshake.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import {
  authentication,
  type Handshake,
  type HttpServices,
  splitTarget,
  toSharedJson,
  type UpgradeRoute,
} from '../../../http/index.ts'
import { rejectUnstorableAddress } from '../../../lib/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import { listenTo } from './listening.ts'

const pingMs = 25_000
const maxUnsent = 1_048_576
const enoughUnsent = 131_072
const drainTimeoutMs = 30_000
const listenPath = /^\/chat\/([^/]+)\/conversations\/(.+)\/listen\/?$/

/** Returns the route of handshakes, and a function that counts open sockets. */
export function acceptWebSockets(
  server: FastifyInstance,
  services: HttpServices & RealtimeServices,
): { route: UpgradeRoute; count: () => number } {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 1_024,
    perMessageDeflate: false,
  })
  const ping = () => {
    for (const socket of sockets.clients) socket.send('ping')
  }
  const pings = setInterval(ping, pingMs).unref()

  server.addHook('preClose', async () => {
    clearInterval(pings)
    for (const socket of sockets.clients) socket.close(1001)
    sockets.close()
  })
  const route: UpgradeRoute = {
    operation: 'chat.listenConversation.webSocket',
    matches: () => true,
    accept: async (handshake) =>
      (await services.hooks.relocator?.upgrade(handshake))
        ? null
        : accept(services, sockets, handshake).catch(explain),
  }
  return { route, count: () => sockets.clients.size }
}

/** A path may contain escapes that are no text. */
function explain(error: unknown): never {
  throw error instanceof URIError ? Object.assign(error, { statusCode: 400 }) : error
}

async function accept(
  services: HttpServices & RealtimeServices,
  sockets: WebSocketServer,
  { request, socket, head }: Handshake,
) {
  const { path: pathname, query } = splitTarget(request.url!)
  const path = listenPath.exec(
    chatPath(services.config.domain, request.headers.host, pathname),
  )
  if (!path)
    throw Object.assign(new Error('no WebSocket at this path'), { statusCode: 404 })
  const params = {
    webhookId: decodeURIComponent(path[1]!),
    id: decodeURIComponent(path[2]!),
  }
  rejectUnstorableAddress({ params })
  const key =
    query.get('x-user-key') ?? (request.headers['x-user-key'] as string | undefined)
  const caller = await authentication.findChatUser(
    services,
    { params, raw: request } as FastifyRequest,
    key,
  )
  const lastEventId = query.get('lastEventId') ?? undefined
  const start = await listenTo(services, { caller, request }, params.id, lastEventId)
  sockets.handleUpgrade(request, socket, head, (opened) => follow(opened, start))
  return caller
}

function follow(socket: WebSocket, start: Awaited<ReturnType<typeof listenTo>>) {
  const stop = start({
    send: (signal) => {
      if (socket.bufferedAmount > maxUnsent) socket.terminate()
      else socket.send(toSharedJson(signal), { binary: false })
    },
    ready: () => capacity(socket),
    end: () => socket.close(1000),
  })
  socket.on('close', stop)
  socket.on('error', stop)
}

/**
 * Pauses reading back until the client has received most of the sent data. Closes a client that
 * reads nothing for too long.
 */
function capacity(socket: WebSocket): Promise<void> | undefined {
  if (socket.bufferedAmount <= enoughUnsent) return undefined
  return new Promise((resolve) => {
    const since = performance.now()
    const looks = setInterval(() => {
      if (performance.now() - since > drainTimeoutMs) socket.terminate()
      if (socket.readyState === socket.OPEN && socket.bufferedAmount > enoughUnsent)
        return
      clearInterval(looks)
      resolve()
    }, 20)
  })
}

const chatPath = (domain: string | null, host: string | undefined, path: string) =>
  domain && host?.split(':')[0]?.toLowerCase() === `chat.${domain}`
    ? `/chat${path}`
    : path
