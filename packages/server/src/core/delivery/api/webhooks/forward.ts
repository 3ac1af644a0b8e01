// Forwards a third party's request to an integration, and returns its response. Nothing gets 2xx
// before the integration has responded; if forwarding fails, the status makes the third party
// retry.

import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { ApiError, webhookBodyLimit } from '@botstead/contract'
import { InvocationFailed } from '@botstead/sandbox'
import type { FastifyReply } from 'fastify'
import { configureInstallation, type Installation } from '../../../catalog/index.ts'
import type { Services } from '../../../http/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import type { Reply } from '../../calls/invoker.ts'
import type { DeliveryServices } from '../../services.ts'
import type { Reservation } from './body-capacity.ts'
import { forwardedHeaders, interpreted } from './foreign-headers.ts'
import { type ReceivedRequest, wrapped } from './received.ts'
import { noIntegrationAtAddress } from './request.ts'

type Own = DeliveryServices & RealtimeServices

export type WebhookResponse = Omit<Reply, 'body' | 'bytes'> & { chunks: Buffer[] }

/**
 * Returns the integration's response, after processing its headers for the server. Throws without a
 * response.
 */
export async function forwardToIntegration(
  services: Services & Own,
  installation: Installation,
  received: ReceivedRequest,
  place: Reservation,
  { replayOf = null }: { replayOf?: string | null } = {},
): Promise<WebhookResponse> {
  const { bot_id: botId, alias } = installation
  const [at, begun] = [new Date(), performance.now()]
  const record = (response: WebhookResponse | null, error: string | null) => {
    const ms = Math.round(performance.now() - begun)
    const recorded = {
      botId,
      alias,
      at,
      ms,
      request: received,
      response,
      error,
      replayOf,
    }
    for (const note of services.hooks.webhookForwarded) note(recorded)
  }
  try {
    const response = await call(services, installation, received, place)
    record(response, null)
    return response
  } catch (error) {
    record(null, error instanceof ApiError ? error.message : 'The server failed')
    throw error
  }
}

async function call(
  services: Services & Own,
  { bot_id, alias }: Installation,
  received: ReceivedRequest,
  place: Reservation,
): Promise<WebhookResponse> {
  const invocation = {
    operation: 'webhook_received',
    type: 'webhook_received',
    body: wrapped(received),
    cause: null,
  } as const
  const bytes = { max: webhookBodyLimit, take: place.add }
  const {
    status,
    headers,
    body,
    bytes: chunks,
  } = await services.invoker
    .invoke({ target: { botId: bot_id, alias }, ...invocation, bytes })
    .catch(explain)
  const identifier = headers[interpreted.identifier]
  if (identifier && status < 400) await claim(services, bot_id, alias, identifier)
  return {
    status,
    headers,
    chunks: chunks ? withoutPlaceholder(chunks, headers) : [Buffer.from(body)],
  }
}

/**
 * The HTTP server of the SDK sends `{}` without a type if the handler returns no body. The third
 * party gets an empty body: some send any text on to people.
 */
function withoutPlaceholder(chunks: Buffer[], headers: Record<string, string>): Buffer[] {
  if (headers['content-type'] !== undefined || size(chunks) !== 2) return chunks
  return Buffer.concat(chunks).toString() === '{}' ? [] : chunks
}

const size = (chunks: Buffer[]) => chunks.reduce((sum, { length }) => sum + length, 0)

/** The limit of `configureIntegration`. */
const maxIdentifierLength = 200

async function claim(
  { db, limits, changeFeed }: Services & Own,
  botId: string,
  alias: string,
  identifier: string,
) {
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
    { from: 'anybody', max: limits.identifiersPerIntegration },
  )
  changeFeed.publish({ topic: 'bots', botId })
}

/** Responses above this size are not copied into one buffer. */
const maxCopyBytes = 4_194_304

export function sendResponse(
  reply: FastifyReply,
  { status, headers, chunks }: WebhookResponse,
) {
  const bytes = size(chunks)
  const whole = bytes <= maxCopyBytes ? Buffer.concat(chunks) : null
  reply.code(status).headers(forwardedHeaders(headers))
  if (bytes > 0 && !reply.hasHeader('content-type'))
    reply.type(
      whole && isUtf8(whole) ? 'text/plain; charset=utf-8' : 'application/octet-stream',
    )
  // Fastify would give an empty buffer a type.
  if (bytes === 0) return reply.send()
  if (whole) return reply.send(whole)
  return reply.header('content-length', bytes).send(Readable.from(chunks))
}

/** Errors before the call are retryable; errors after it are not. */
function explain(error: unknown): never {
  if (!(error instanceof InvocationFailed)) throw error
  const { reason, message } = error
  if (reason === 'timeout')
    throw new ApiError('OperationTimeout', 'The integration did not respond in time')
  if (reason === 'no-code' || reason === 'blocked') throw noIntegrationAtAddress()
  if (reason === 'request-too-large') throw new ApiError('PayloadTooLarge', message)
  if (reason === 'too-large') throw new ApiError('Runtime', message)
  throw new ApiError(
    'Unavailable',
    'The server could not reach the integration: retry later',
    {
      cause: error,
    },
  )
}
