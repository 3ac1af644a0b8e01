// Calls operations of this server in its own process, as a client would over the network: with the
// same authentication, validation, limits and audit entries.
import {
  ApiError,
  type ErrorType,
  errors,
  type Family,
  families,
  type Input,
  type Operation,
  type Output,
} from '@botstead/contract'
import { toJsonInSlices } from '@botstead/lib'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { parseJsonInSlices } from './body/json.ts'

/** Performs a request without a connection. */
export type Inject = (request: InjectOptions) => Promise<LightMyRequestResponse>

type Parts<O extends Operation> = Partial<Input<O>>

interface Inside {
  /** For operations inside a bot. */
  botId?: string
  /** For operations of the Chat API. */
  chat?: { webhookId: string; userKey?: string }
}

/** Returns the response of the operation. Throws its error as ApiError. */
type CallOperation = <O extends Operation>(
  operation: O,
  parts: Parts<O>,
  inside?: Inside,
) => Promise<Output<O>>

interface OperationCaller {
  inject: Inject
  /** The value of the header `authorization`. */
  authorization: string
  workspaceId: string
  /** From which the person calls, for the audit log. */
  address: string
}

/** Characters of a body. */
const maxBody = 32_000_000

export function createOperationCalls(caller: OperationCaller): CallOperation {
  const { inject, authorization, workspaceId: tenant, address } = caller
  return async (operation, parts, { botId, chat } = {}) => {
    const { params, query, headers, body } = parts as unknown as LooseParts
    const payload = body && (await toJsonInSlices(body, { tenant, max: maxBody }))
    if (payload === null)
      throw new ApiError('PayloadTooLarge', 'The input is too large: shorten it')
    const reply = await inject({
      method: operation.method,
      url: toUrl(operation, { params, query }, chat),
      remoteAddress: address,
      headers: {
        ...headers,
        authorization,
        'x-workspace-id': tenant,
        ...(botId !== undefined && { 'x-bot-id': botId }),
        ...(chat?.userKey !== undefined && { 'x-user-key': chat.userKey }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
      },
      ...(payload !== undefined && { payload }),
    })
    const response = await parseJsonInSlices(reply.rawPayload, tenant)
    if (reply.statusCode < 400) return response as never
    throw toError(response as Failure)
  }
}

type Values = Record<string, unknown> | undefined

interface LooseParts {
  params?: Values
  query?: Values
  headers?: Record<string, string>
  body?: object
}

function toUrl(
  operation: Operation,
  { params, query }: LooseParts,
  chat: Inside['chat'],
): string {
  const values: Record<string, unknown> = {
    ...params,
    ...(chat && { webhookId: chat.webhookId }),
  }
  const path = (prefixes.get(operation) ?? '') + operation.path
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values[name])),
  )
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  const search = String(
    new URLSearchParams(
      pairs.map(([name, value]): [string, string] => [name, String(value)]),
    ),
  )
  return search === '' ? filled : `${filled}?${search}`
}

/** Operations of families with a prefix. */
const prefixes = new Map<Operation, string>(
  Object.values(families as Record<string, Family>).flatMap(({ prefix, served }) =>
    Object.values(served).flatMap((group) =>
      Object.values(group).map((operation) => [operation, prefix] as const),
    ),
  ),
)

interface Failure {
  type?: string
  message?: string
  metadata?: Record<string, unknown>
}

function toError({ type = '', message = '', metadata }: Failure): ApiError {
  const known = Object.hasOwn(errors, type) ? (type as ErrorType) : 'Internal'
  return new ApiError(known, message, metadata && { metadata })
}
