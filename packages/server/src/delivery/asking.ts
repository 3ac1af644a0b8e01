// Calls code whose answer somebody waits for, and makes of it what that somebody gets: the body, or an error that is not ours.
import { ApiError, type ErrorType, errors } from '@botstead/contract'
import { InvocationFailed } from '../invocation/invocation.ts'
import { longestReason } from '../lib/storable-text.ts'
import type { Invocation, Invoker, Reply } from './invoker.ts'

export type Json = Record<string, unknown>

/** `who` begins the words for an answer that has none. */
export async function ask(
  invoker: Pick<Invoker, 'invoke'>,
  invocation: Invocation,
  who: string,
): Promise<Json> {
  const reply = await invoker.invoke(invocation).catch((error) => {
    throw error instanceof InvocationFailed ? failureOf(error) : error
  })
  const body = parse(reply)
  if (reply.status >= 200 && reply.status < 300) return body
  throw refusalOf(reply, body, who)
}

const failureOf = (error: InvocationFailed) =>
  new ApiError(error.reason === 'timeout' ? 'OperationTimeout' : 'Runtime', error.message, { cause: error })

/** Of these the caller would believe that they are about its own call to us: its token, its body, its pace. */
const aboutTheCall: ErrorType[] = [
  'Unauthorized',
  'PaymentRequired',
  'MethodNotFound',
  'RequestTimeout',
  'PayloadTooLarge',
  'UnsupportedMediaType',
  'RateLimited',
]

/** What the code refused on purpose (4xx) passes with its type and words. What failed inside is the caller's Runtime error, never our 500. */
function refusalOf({ status }: Reply, { type, message, metadata }: Json, who: string): ApiError {
  const said =
    typeof message === 'string' && message !== ''
      ? message.slice(0, longestReason)
      : `${who} answered ${status}`
  const known = typeof type === 'string' && Object.hasOwn(errors, type) ? (type as ErrorType) : 'Runtime'
  const passes = status >= 400 && status < 500 && errors[known] === status && !aboutTheCall.includes(known)
  return new ApiError(passes ? known : 'Runtime', said, isObject(metadata) ? { metadata } : {})
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
