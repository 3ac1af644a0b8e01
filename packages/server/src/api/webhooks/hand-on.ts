// Forwards a third party's request to an integration, and returns its response. Nothing gets 2xx before the
// integration has responded; if forwarding fails, the status makes the third party retry.
import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { ApiError, webhookBodyLimit } from '@botstead/contract'
import type { FastifyReply } from 'fastify'
import type { Place } from '../../http/room.ts'
import type { Services } from '../../http/services.ts'
import { InvocationFailed } from '../../infra/sandbox/invocation/invocation.ts'
import { configureInstallation } from '../../modules/catalog/integrations/installation-settings.ts'
import type { Installation } from '../../modules/catalog/integrations/installations.ts'
import type { Reply } from '../../modules/delivery/invoker.ts'
import { handedOn, interpreted } from './answer-headers.ts'
import { noIntegration } from './knock.ts'
import { type Received, wrapped } from './received.ts'

export type Answer = Omit<Reply, 'body' | 'bytes'> & { chunks: Buffer[] }

/**
 * Returns the integration's response, after processing its headers for the server. Throws without a response.
 */
export async function askIntegration(
  services: Services,
  { bot_id, alias }: Installation,
  received: Received,
  place: Place,
): Promise<Answer> {
  const invocation = {
    operation: 'webhook_received',
    type: 'webhook_received',
    body: wrapped(received),
    cause: null,
  } as const
  const bytes = { most: webhookBodyLimit, take: place.take }
  const {
    status,
    headers,
    body,
    bytes: chunks,
  } = await services.invoker.invoke({ target: { botId: bot_id, alias }, ...invocation, bytes }).catch(explain)
  const identifier = headers[interpreted.identifier]
  if (identifier && status < 400) await claim(services, bot_id, alias, identifier)
  return { status, headers, chunks: chunks ?? [Buffer.from(body)] }
}

/** The limit of `configureIntegration`. */
const maxIdentifierLength = 200

async function claim({ db, limits }: Services, botId: string, alias: string, identifier: string) {
  if (identifier.length > maxIdentifierLength)
    throw new ApiError(
      'Runtime',
      `The integration set an identifier of more than ${maxIdentifierLength} characters`,
    )
  await configureInstallation(
    db,
    botId,
    alias,
    { identifier },
    { from: 'anybody', most: limits.identifiersPerIntegration },
  )
}

/** Responses above this size are not copied into one buffer. */
const maxCopyBytes = 4_194_304

export function sendAnswer(reply: FastifyReply, { status, headers, chunks }: Answer) {
  const size = chunks.reduce((sum, { length }) => sum + length, 0)
  const whole = size <= maxCopyBytes ? Buffer.concat(chunks) : null
  reply.code(status).headers(handedOn(headers))
  if (size > 0 && !reply.hasHeader('content-type'))
    reply.type(whole && isUtf8(whole) ? 'text/plain; charset=utf-8' : 'application/octet-stream')
  if (whole) return reply.send(whole)
  return reply.header('content-length', size).send(Readable.from(chunks))
}

/** Errors before the call are retryable; errors after it are not. */
function explain(error: unknown): never {
  if (!(error instanceof InvocationFailed)) throw error
  const { reason, message } = error
  if (reason === 'timeout') throw new ApiError('OperationTimeout', 'The integration did not respond in time')
  if (reason === 'no-code' || reason === 'blocked') throw noIntegration()
  if (reason === 'request-too-large') throw new ApiError('PayloadTooLarge', message)
  if (reason === 'too-large') throw new ApiError('Runtime', message)
  throw new ApiError('Unavailable', 'The server could not reach the integration: retry later', {
    cause: error,
  })
}
