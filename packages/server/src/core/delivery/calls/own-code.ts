// Code of integrations that is part of this server, such as the channels of messengers. It is trusted, and
// runs in the server; a feature provides it.
import { type HandlerResponse, InvocationFailed } from '@botstead/sandbox'
import type { IntegrationTarget } from '../../catalog/index.ts'

export interface OwnCall {
  operation: string
  /** As the SDK of integrations gets it. */
  body: unknown
  botId: string
  installed: IntegrationTarget
  timeoutMs: number
}

/** Throws InvocationFailed if there is no response. */
export type OwnCode = (call: OwnCall) => Promise<HandlerResponse>

/** As URLs of integrations; nothing listens there. */
const scheme = 'botstead:'
export const toOwnCodeUrl = (name: string) => `${scheme}${name}`
export const isOwnCode = (url: string) => url.startsWith(scheme)

/** How long a call waits for a server that is starting, in ms. */
const startMs = 1_000

export async function invokeOwnCode(
  code: OwnCode | null,
  call: OwnCall,
): Promise<HandlerResponse> {
  if (!code) throw new InvocationFailed('unreachable', 'The server is starting', startMs)
  return code(call)
}
