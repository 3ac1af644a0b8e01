// The API as hosted code reaches it: its URL, and connections from processes that the server serves
// directly.
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { nameConnection } from './limits/connections.ts'
import type { Inject } from './operation-calls.ts'

export class OwnApi {
  /** The URL on this machine; final once the server listens. */
  api: string
  #server: FastifyInstance | null = null

  constructor(api: string) {
    this.api = api
  }

  attach(server: FastifyInstance): void {
    this.#server = server
  }

  /** Performs a request without a connection. */
  readonly inject: Inject = async (request) => {
    if (!this.#server) throw new Error('The server has no routes yet')
    return this.#server.inject(request)
  }

  /** Serves the API on a connection of the hosted process with this name. */
  serve(socket: Socket, processName: string): void {
    if (!this.#server) return void socket.destroy()
    nameConnection(socket, processName)
    this.#server.server.emit('connection', socket)
  }
}
