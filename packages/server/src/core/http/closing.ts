// Closes the server so that clients and proxies lose no response. First it drains: it serves every
// request, and each response closes its connection, so that clients open their next one elsewhere.
// Then it answers requests in progress, rejects late ones with a retryable error, and does not wait
// for idle connections. Node would wait for every connection, also for one without any request
// (browsers open such in advance) and for one that never ends.
import type { Socket } from 'node:net'
import { ApiError } from '@botstead/contract'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on, each response closes its connection. */
    startDraining(): void
  }
}

/** For requests on their way through new connections when the server closes. */
const unusedGraceMs = 500

export function closeInTime(
  server: FastifyInstance,
  { shutdownSeconds }: { shutdownSeconds: number },
) {
  const connections = new Map<Socket, 'unused' | 'used'>()
  const state = { draining: false, closing: false }

  server.server.on('connection', (socket) => {
    connections.set(socket, 'unused')
    socket.once('close', () => connections.delete(socket))
  })
  const markUsed = ({ socket }: { socket: Socket }) =>
    void (connections.has(socket) && connections.set(socket, 'used'))
  server.server.prependListener('request', markUsed)
  server.server.prependListener('upgrade', markUsed)

  server.decorate('startDraining', () => {
    state.draining = true
  })
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (state.draining) reply.header('connection', 'close')
    done(null, payload)
  })
  server.addHook('preClose', async () => {
    state.closing = true
    const destroy = (which: (state: 'unused' | 'used') => boolean) => {
      for (const [socket, state] of connections) if (which(state)) socket.destroy()
    }
    const shutdownMs = shutdownSeconds * 1000
    setTimeout(
      destroy,
      Math.min(unusedGraceMs, shutdownMs / 2),
      (use) => use === 'unused',
    ).unref()
    setTimeout(destroy, shutdownMs, () => true).unref()
  })
  server.addHook('onRequest', (_request, _reply, done) => {
    if (state.closing)
      throw new ApiError(
        'Unavailable',
        'The server is stopping: retry later; nothing was changed',
      )
    done()
  })
}
