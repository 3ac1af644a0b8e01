// The principal of a connection, before any credential: the hosted process at the other end of its own socket file (sandbox/egress.ts), or the
// client's address. Whatever one principal does wrong is counted against that principal alone.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../config.ts'
import { clientAddress, networkOf } from '../lib/addresses.ts'

const hosted = new WeakMap<Socket, string>()

/** Names the hosted process at the other end. */
export const nameConnection = (socket: Socket, processName: string) => void hosted.set(socket, processName)

export const principalOf = ({ trustProxy }: Pick<Config, 'trustProxy'>, raw: IncomingMessage): string =>
  hosted.get(raw.socket) ?? networkOf(clientAddress(raw, trustProxy))
