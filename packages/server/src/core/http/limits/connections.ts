// The principal of a connection, before any credential: the hosted process at the other end of its
// socket file (packages/sandbox/src/egress.ts), or the client's address. Failures are counted per principal.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { clientAddress, toNetwork } from '@botstead/lib'
import type { Section } from '../../config/index.ts'

const hosted = new WeakMap<Socket, string>()

/** Sets the name of the hosted process at the other end. */
export const nameConnection = (socket: Socket, processName: string) =>
  void hosted.set(socket, processName)

export const isHosted = (socket: Socket): boolean => hosted.has(socket)

export const getPrincipal = (
  { trustProxy }: Pick<Section<'http'>, 'trustProxy'>,
  raw: IncomingMessage,
): string => hosted.get(raw.socket) ?? toNetwork(clientAddress(raw, trustProxy))
