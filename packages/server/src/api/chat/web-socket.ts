// Listening over WebSocket: signals as text frames. Rejections are HTTP responses to the handshake.

import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { chatUserCaller } from '../../http/authenticate.ts'
import { jsonOf } from '../../http/event-stream.ts'
import { observeOther, type RequestFailure } from '../../http/observe.ts'
import { rejectUpgrade } from '../../http/rejection.ts'
import { relocateUpgrade } from '../../http/relocation.ts'
import type { Services } from '../../http/services.ts'
import { rejectUnstorableAddress } from '../../infra/lib/storable.ts'
import { tailIn } from '../tunnel.ts'
import { listenTo } from './listening.ts'

const pingMs = 25_000
const maxUnsent = 1_048_576
const enoughUnsent = 131_072
const drainTimeoutMs = 30_000
const listenPath = /^\/chat\/([^/]+)\/conversations\/(.+)\/listen\/?$/

/** Returns a function that counts open sockets. */
export function acceptWebSockets(server: FastifyInstance, services: Services): () => number {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 1_024,
    perMessageDeflate: false,
  })
  const ping = () => {
    for (const socket of sockets.clients) socket.send('ping')
  }
  const pings = setInterval(ping, pingMs).unref()

  server.server.on('upgrade', (request, socket: Duplex, head: Buffer) => {
    if (tailIn(request.url) !== null) return // tunnel.ts
    socket.on('error', () => {}) // the client may disconnect during the handshake
    if (relocateUpgrade(services, request, socket, head)) return
    const since = performance.now()
    const report = (how: { status: number; botId?: string; failure?: RequestFailure }) =>
      observeOther(
        { log: services.log, requests: services.metrics.requests },
        { operation: 'chat.listenConversation.webSocket', since, ...how },
      )
    accept(services, sockets, request, socket, head).then(
      ({ botId }) => report({ status: 101, botId }),
      (error) => {
        const { status, ...failure } = rejectUpgrade(
          socket,
          error instanceof URIError ? { statusCode: 400 } : error,
        )
        report({ status, failure })
      },
    )
  })
  server.addHook('preClose', async () => {
    clearInterval(pings)
    for (const socket of sockets.clients) socket.close(1001)
    sockets.close()
  })
  return () => sockets.clients.size
}

async function accept(
  services: Services,
  sockets: WebSocketServer,
  request: import('node:http').IncomingMessage,
  socket: Duplex,
  head: Buffer,
) {
  const url = new URL(`http://localhost${request.url}`)
  const path = listenPath.exec(chatPath(services.config.domain, request.headers.host, url.pathname))
  if (!path) throw Object.assign(new Error('no WebSocket at this path'), { statusCode: 404 })
  const params = { webhookId: decodeURIComponent(path[1]!), id: decodeURIComponent(path[2]!) }
  rejectUnstorableAddress({ params })
  const key =
    url.searchParams.get('x-user-key') ?? (request.headers['x-user-key'] as string | undefined)
  const caller = await chatUserCaller(services, { params, raw: request } as FastifyRequest, key)
  const start = await listenTo(
    services,
    caller,
    params.id,
    url.searchParams.get('lastEventId') ?? undefined,
  )
  sockets.handleUpgrade(request, socket, head, (opened) => follow(opened, start))
  return caller
}

function follow(socket: WebSocket, start: Awaited<ReturnType<typeof listenTo>>) {
  const stop = start({
    send: (signal) => {
      if (socket.bufferedAmount > maxUnsent) socket.terminate()
      else socket.send(jsonOf(signal))
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
      if (socket.readyState === socket.OPEN && socket.bufferedAmount > enoughUnsent) return
      clearInterval(looks)
      resolve()
    }, 20)
  })
}

const chatPath = (domain: string | null, host: string | undefined, path: string) =>
  domain && host?.split(':')[0]?.toLowerCase() === `chat.${domain}` ? `/chat${path}` : path
