// The header Idempotency-Key, which every POST accepts: scopes the key to its caller and operation,
// and replays the response.
import { createHash } from 'node:crypto'
import { ApiError, type Operation } from '@botstead/contract'
import { isPlainObject, jsonParts, sha256, withSortedKeys } from '@botstead/lib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Redactor } from '../../compute/index.ts'
import type { KeyedMessage } from '../../idempotency/index.ts'
import { inTurns, piecesSent } from '../body/large-response.ts'
import type {
  AccountCaller,
  BotCaller,
  ChatCaller,
  ChatUserCaller,
  TokenCaller,
  WorkspaceCaller,
} from '../callers/callers.ts'
import { errorBody } from '../reply-error.ts'
import type { HttpServices } from '../services.ts'

interface Input {
  params: unknown
  query: unknown
  body: unknown
}

/** An operation that writes one message. */
export interface MessageOperation<Caller, Body> {
  /** Returns whether one statement writes everything that the request causes. */
  isOneStatement(caller: Caller, body: Body): boolean
  /**
   * Returns the first response, also after the message was changed or deleted. `storage` redacts
   * payloads of people as when they were stored.
   */
  rebuild(
    caller: Caller,
    body: Body,
    message: KeyedMessage,
    storage: Redactor | null,
  ): Promise<object>
}

interface KeyedCall {
  request: FastifyRequest
  reply: FastifyReply
  input: Input
  writing: MessageOperation<unknown, unknown> | undefined
}

/** Performs the operation once per key. `perform` must use the services that it receives. */
export async function answerOnce(
  services: HttpServices,
  operation: Operation & { name: string },
  { request, reply, input, writing }: KeyedCall,
  perform: (services: HttpServices) => Promise<unknown>,
) {
  const { botId = '', fence = null } = (request.caller ?? {}) as {
    botId?: string | null
    fence?: string | null
  }
  const keyed = {
    botId: botId ?? '',
    id: sha256(
      JSON.stringify([operation.name, toKeyScope(operation, request), readKey(request)]),
    ),
    request: await digestRequest(operation.name, input, request.isLarge),
    fence,
    ...(writing && {
      message: messageRequest(services, operation, request, input.body, writing),
    }),
  }
  const { status, body, replayed } = await services.keyedResponses.respond(
    operation.name,
    keyed,
    async (inside) => {
      try {
        const result = await perform(inside)
        return { status: reply.statusCode, body: await serializeBody(request, result) }
      } catch (error) {
        // The operation succeeded partly and must not run again, so this error is the final
        // response.
        if (error instanceof ApiError && error.partly)
          return { status: error.code, body: JSON.stringify(errorBody(error)) }
        throw error
      }
    },
  )
  if (replayed) {
    // The stored response is no longer for a user that was deleted since.
    if (operation.access === 'chatUser')
      await services.checkChatUser(request.caller as ChatUserCaller)
    reply.header('idempotency-replayed', 'true')
  }
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(typeof body === 'string' ? body : piecesSent(body))
}

const messageRequest = (
  { getRedactors }: HttpServices,
  { status }: Operation,
  request: FastifyRequest,
  body: unknown,
  writing: MessageOperation<unknown, unknown>,
) => ({
  isOneStatement: writing.isOneStatement(request.caller, body),
  status: status ?? 200,
  async rebuild(message: KeyedMessage) {
    const { storage } = await getRedactors((request.caller as { botId: string }).botId)
    return serializeBody(
      request,
      await writing.rebuild(request.caller, body, message, storage),
    )
  },
})

const serializeBody = ({ isLarge }: FastifyRequest, response: unknown) =>
  isLarge && isPlainObject(response) ? toPieces(response) : JSON.stringify(response)

async function toPieces(answer: object): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  for await (const piece of inTurns(jsonParts(answer))) pieces.push(Buffer.from(piece))
  return pieces
}

/**
 * Hashes the request independently of property order. Large bodies are hashed in parts, with the
 * same result.
 */
async function digestRequest(
  operation: string,
  { params, query, body }: Input,
  isLarge: boolean,
): Promise<Buffer> {
  const before = [operation, withSortedKeys(params), withSortedKeys(query)]
  if (!isLarge || typeof body !== 'object' || body === null || Array.isArray(body))
    return sha256(JSON.stringify([...before, withSortedKeys(body)]))
  const hash = createHash('sha256').update(`${JSON.stringify(before).slice(0, -1)},`)
  for await (const part of inTurns(jsonParts(sorted(body), withSortedKeys)))
    hash.update(part)
  return hash.update(']').digest()
}

const form = /^[\x21-\x7e]{1,255}$/

function readKey({ headers }: FastifyRequest): string {
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || !form.test(key))
    throw new ApiError(
      'InvalidPayload',
      '`idempotency-key` must have 1 to 255 visible ASCII characters',
    )
  return key
}

/**
 * Returns the scope of the key: the caller and its context. A replaced credential keeps its
 * caller's keys. Anonymous callers are separated by address, so that a stranger with the same key
 * does not receive their responses.
 */
function toKeyScope({ access }: Operation, { caller, ip }: FastifyRequest): unknown[] {
  switch (access) {
    case 'public':
      return [ip]
    case 'token': {
      const { accountId, botId, integrationId } = caller as TokenCaller
      return [accountId, botId, integrationId]
    }
    case 'account':
      return [(caller as AccountCaller).accountId]
    case 'workspace': {
      const { accountId, workspaceId } = caller as WorkspaceCaller
      return [accountId, workspaceId]
    }
    case 'bot': {
      const { botId, integration, account } = caller as BotCaller
      return [botId, integration?.alias, account?.accountId]
    }
    case 'chat':
      return [(caller as ChatCaller).webhookId, ip]
    case 'chatUser': {
      const { webhookId, claim } = caller as ChatUserCaller
      return [webhookId, claim]
    }
  }
}

/** A retry may send the same object in another order. */
const sorted = (object: object) =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
