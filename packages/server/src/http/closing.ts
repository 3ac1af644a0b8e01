// Closes the server: answers requests in progress, rejects late ones with a retryable error, and
// does not wait for idle connections. Node would wait for every connection, also for one without
// any request (browsers open such in advance) and for one that never ends.
import type { Socket } from 'node:net'
import { ApiError } from '@botstead/contract'
import type { FastifyInstance } from 'fastify'

export function closeInTime(
  server: FastifyInstance,
  { shutdownSeconds }: { shutdownSeconds: number },
) {
  const connections = new Map<Socket, 'unused' | 'used'>()
  let closing = false

  server.server.on('connection', (socket) => {
    connections.set(socket, 'unused')
    socket.once('close', () => connections.delete(socket))
  })
  const markUsed = ({ socket }: { socket: Socket }) =>
    void (connections.has(socket) && connections.set(socket, 'used'))
  server.server.prependListener('request', markUsed)
  server.server.prependListener('upgrade', markUsed)

  server.addHook('preClose', async () => {
    closing = true
    for (const [socket, state] of connections) if (state === 'unused') socket.destroy()
    const endAll = () => {
      for (const socket of connections.keys()) socket.destroy()
    }
    setTimeout(endAll, shutdownSeconds * 1000).unref()
  })
  server.addHook('onRequest', (_request, _reply, done) => {
    if (closing)
      throw new ApiError('Unavailable', 'The server is stopping: retry later; nothing was changed')
    done()
  })
}
