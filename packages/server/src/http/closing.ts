// How the edge closes: what was asked is answered, what comes late on open connections is told to try again, and nobody holds it up.
// Node waits for every connection: also for one on which nothing was ever asked (browsers open such in advance), and for one that never ends.
import type { Socket } from 'node:net'
import { ApiError } from '@botstead/contract'
import type { FastifyInstance } from 'fastify'

export function closeInTime(server: FastifyInstance, { shutdownSeconds }: { shutdownSeconds: number }) {
  const connections = new Map<Socket, 'silent' | 'asked'>()
  let closing = false

  server.server.on('connection', (socket) => {
    connections.set(socket, 'silent')
    socket.once('close', () => connections.delete(socket))
  })
  const asks = ({ socket }: { socket: Socket }) =>
    void (connections.has(socket) && connections.set(socket, 'asked'))
  server.server.prependListener('request', asks)
  server.server.prependListener('upgrade', asks)

  server.addHook('preClose', async () => {
    closing = true
    for (const [socket, state] of connections) if (state === 'silent') socket.destroy()
    const endAll = () => {
      for (const socket of connections.keys()) socket.destroy()
    }
    setTimeout(endAll, shutdownSeconds * 1000).unref()
  })
  server.addHook('onRequest', async () => {
    if (closing) throw new ApiError('Unavailable', 'The server is stopping; nothing was done')
  })
}
