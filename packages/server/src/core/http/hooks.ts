// What features do with requests, see messaging/hooks.ts.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Handshake } from './streams/handshake.ts'

/** Forwards requests for workspaces that live at another installation. */
interface Relocator {
  /** By what path and headers name. Returns null for a request that this server processes. */
  request(request: FastifyRequest, reply: FastifyReply): Promise<boolean> | null
  /** By the workspace of the caller. Returns null for a request that this server processes. */
  caller(request: FastifyRequest, reply: FastifyReply): Promise<boolean> | null
  /** Returns whether the other installation answers the upgrade. Throws Unavailable. */
  upgrade(handshake: Handshake): Promise<boolean>
}

export interface HttpHooks {
  relocator: Relocator | null
  /** A request is answered. */
  answered: ((request: FastifyRequest, answer: { status: number; ms: number }) => void)[]
}
