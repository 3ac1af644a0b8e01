import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** A request for an upgrade to WebSocket. */
export interface Handshake {
  request: IncomingMessage
  socket: Duplex
  head: Buffer
}
