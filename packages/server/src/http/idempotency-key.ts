// The header Idempotency-Key, which every POST takes: whose key it is, for what, and the answer as it goes out.
import { createHash } from 'node:crypto'
import { ApiError, type Operation } from '@botstead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../lib/secrets.ts'
import type {
  AccountCaller,
  BotCaller,
  ChatCaller,
  ChatUserCaller,
  Services,
  TokenCaller,
  WorkspaceCaller,
} from '../services.ts'
import { inTurns, partsOf, piecesSent } from './large-answer.ts'
import { errorBody } from './reply-error.ts'

interface Input {
  params: unknown
  query: unknown
  body: unknown
}

/** `perform` does what the operation does, with the services that it is given. */
export async function answerOnce(
  services: Services,
  operation: Operation & { name: string },
  { request, reply, input }: { request: FastifyRequest; reply: FastifyReply; input: Input },
  perform: (services: Services) => Promise<unknown>,
) {
  const key = keyOf(request)
  const { botId = '', fence = null } = (request.caller ?? {}) as {
    botId?: string | null
    fence?: string | null
  }
  const asked = {
    botId: botId ?? '',
    id: sha256(JSON.stringify([operation.name, ownerOf(operation, request), key])),
    request: await digestOf(operation.name, input, request.isLarge),
    fence,
  }
  const { status, body, replayed } = await services.keyedAnswers.answer(
    operation.name,
    asked,
    async (inside) => {
      try {
        const result = await perform(inside)
        return {
          status: reply.statusCode,
          body: request.isLarge ? await piecesOf(result as object) : JSON.stringify(result),
        }
      } catch (error) {
        // What is done already must not be done again: this is the answer for good.
        if (error instanceof ApiError && error.partly)
          return { status: error.code, body: JSON.stringify(errorBody(error)) }
        throw error
      }
    },
  )
  if (replayed) reply.header('idempotency-replayed', 'true')
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(typeof body === 'string' ? body : piecesSent(body))
}

async function piecesOf(answer: object): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  for await (const piece of inTurns(partsOf(answer))) pieces.push(Buffer.from(piece))
  return pieces
}

/** Of what is asked, whatever the order of names. Large ones are digested in parts, and come to the same. */
async function digestOf(
  operation: string,
  { params, query, body }: Input,
  isLarge: boolean,
): Promise<Buffer> {
  const before = [operation, inOrder(params), inOrder(query)]
  if (!isLarge || typeof body !== 'object' || body === null || Array.isArray(body))
    return sha256(JSON.stringify([...before, inOrder(body)]))
  const hash = createHash('sha256').update(`${JSON.stringify(before).slice(0, -1)},`)
  for await (const part of inTurns(partsOf(sorted(body), inOrder))) hash.update(part)
  return hash.update(']').digest()
}

const form = /^[\x21-\x7e]{1,255}$/

function keyOf({ headers }: FastifyRequest): string {
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || !form.test(key))
    throw new ApiError('InvalidPayload', 'idempotency-key must have from 1 to 255 visible characters')
  return key
}

/**
 * Whose keys these are: who calls, and within what. A key that replaces another is the same caller's. Who calls without a name is told apart
 * by address, so that a stranger who uses the same key is not handed what was made for another.
 */
function ownerOf({ access }: Operation, { caller, ip }: FastifyRequest): unknown[] {
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

/** A client may write the same object in another order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(sorted(value)).map(([key, item]) => [key, inOrder(item)]))
}

const sorted = (object: object) =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
