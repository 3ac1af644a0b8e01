// Calls code while a caller waits, and returns the response's body or throws an error that the
// caller may see.
import { ApiError, type ErrorType, errors } from '@botstead/contract'
import { maxReasonLength } from '@botstead/lib'
import { InvocationFailed } from '@botstead/sandbox'
import type { Invocation, Invoker, Reply } from './invoker.ts'

export type Json = Record<string, unknown>

/** `who` is the subject of the error message when the response has none. */
export async function callCode(
  invoker: Pick<Invoker, 'invoke'>,
  invocation: Invocation,
  who: string,
): Promise<Json> {
  const reply = await invoker.invoke(invocation).catch((error) => {
    throw error instanceof InvocationFailed ? toCallError(error) : error
  })
  const body = parse(reply)
  if (reply.status >= 200 && reply.status < 300) return body
  throw toApiError(reply, body, who)
}

const toCallError = (error: InvocationFailed) =>
  new ApiError(
    error.reason === 'timeout' ? 'OperationTimeout' : 'Runtime',
    error.message,
    {
      cause: error,
    },
  )

/** The caller would misread these types as errors of its request: its token, body or rate. */
const callerErrors: ErrorType[] = [
  'Unauthorized',
  'PaymentRequired',
  'MethodNotFound',
  'RequestTimeout',
  'PayloadTooLarge',
  'UnsupportedMediaType',
  'RateLimited',
]

/**
 * Errors that the code returned on purpose (4xx) keep their type and message. Internal failures
 * become a Runtime error, never a 500 of this server.
 */
function toApiError(
  { status }: Reply,
  { type, message, metadata }: Json,
  who: string,
): ApiError {
  const text =
    typeof message === 'string' && message !== ''
      ? message.slice(0, maxReasonLength)
      : `${who} answered ${status}`
  const known =
    typeof type === 'string' && Object.hasOwn(errors, type)
      ? (type as ErrorType)
      : 'Runtime'
  const passes =
    status >= 400 &&
    status < 500 &&
    errors[known] === status &&
    !callerErrors.includes(known)
  return new ApiError(
    passes ? known : 'Runtime',
    text,
    isObject(metadata) ? { metadata } : {},
  )
}

function parse({ body }: Reply): Json {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
