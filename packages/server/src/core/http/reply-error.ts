// Converts failures to error responses. An unexpected error becomes Internal, without its message,
// with an id for the log.
import { ApiError, type ErrorType } from '@botstead/contract'
import { errorId } from '@botstead/lib'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { outages } from '../db/index.ts'
import { RateLimited, rateLimitHeaders } from './limits/rate-limits.ts'

export function replyError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const error = toApiError(thrown)
  const plain = errorBody(error)
  const family = request.routeOptions?.config.family
  const body = family === 'openai' ? { ...plain, error: openAiError(error) } : plain
  request.failure = {
    error: error.type,
    errorId: body.id,
    ...(error.code >= 500 && error.type !== 'NotImplemented' && { err: thrown }),
  }
  request.failureMessage = plain.message
  if (retryable.has(error.type)) reply.header('retry-after', '1')
  if (error.type === 'Unauthorized' && family === 'mcp')
    reply.header('www-authenticate', 'Bearer')
  if (error instanceof RateLimited) reply.headers(rateLimitHeaders(error.standing))
  if (error.type === 'RequestTimeout') reply.header('connection', 'close') // its body is unfinished
  return reply.code(error.code).type('application/json; charset=utf-8').send(body)
}

const retryable = new Set<ErrorType>([
  'Unavailable',
  'ResourceLockedConflict',
  'RateLimited',
])

/** The error as clients of OpenAI read it. */
function openAiError(thrown: unknown) {
  const { type, message, metadata } = toApiError(thrown)
  return {
    message: message.slice(0, maxMessage),
    type,
    code: metadata?.subtype ?? type,
    param: null,
  }
}

/** Messages may quote long input. */
const maxMessage = 1_000

export function errorBody({ code, type, message, metadata }: ApiError) {
  return {
    id: errorId(new Date()),
    code,
    type,
    message: message.slice(0, maxMessage).toWellFormed(),
    ...(metadata && { metadata }),
  }
}

const byStatus: Record<number, [ErrorType, string]> = {
  400: ['InvalidPayload', 'The request is malformed'],
  404: ['ResourceNotFound', 'There is nothing at this address'],
  408: ['RequestTimeout', 'The request did not arrive in time'],
  413: ['PayloadTooLarge', 'The body is larger than this API accepts'],
  414: ['InvalidQuery', 'The URL is too long'],
  415: [
    'UnsupportedMediaType',
    'Send the body as JSON, with `content-type: application/json`',
  ],
  431: ['PayloadTooLarge', 'The headers are too large'],
}

export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  const failure = thrown ?? {} // code may throw anything
  const known =
    callersFault(failure as Partial<FastifyError>) ??
    databaseTrouble(failure as DatabaseFailure)
  return new ApiError(
    ...(known ?? [
      'Internal',
      "Internal error: search the server's log for the `id` of this response",
    ]),
    { cause: thrown },
  )
}

function callersFault({ statusCode }: Partial<FastifyError>): [ErrorType, string] | null {
  if (statusCode === undefined || statusCode < 400 || statusCode > 499) return null
  return byStatus[statusCode] ?? byStatus[400]!
}

interface DatabaseFailure extends Error {
  code?: string
  syscall?: string
  severity?: string
}

/**
 * PostgreSQL codes for a server or connection that is starting or stopping, or for too many
 * connections: no statement ran.
 */
const notSent = ['57P01', '57P03', '53300']
/** Messages of the pool for a connection that was not made. */
const notConnected = [
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
]
/** PostgreSQL codes for conflicts between transactions: the statement was rolled back. */
const inConflict = ['40P01', '40001']
/** For lack of disk or memory, and for a standby: the statement was rolled back. */
const rolledBack = ['53100', '53200', '25006']
/** The lease of the caller's attempt was taken over (queue/fencing.ts): nothing was written. */
const fenced = 'PF001'
/** The workspace has left this installation (reject_moved, migration 0063): nothing was written. */
const moved = 'PM001'
/** PostgreSQL codes for a text or number that passed all checks but cannot be stored. */
const unstorable = [
  '22P05',
  '22021',
  '22P02',
  '22003',
  '22007',
  '22008',
  '54001',
  '54000',
]

/** Returns the error for database failures that are not caused by a bug. */
function databaseTrouble(failure: DatabaseFailure): [ErrorType, string] | null {
  const { code = '', syscall, severity, message } = failure
  // After another broken connection, the statement may have run: Internal, because a blind retry is
  // not safe.
  const nothingRan =
    outages.changedNothing(failure) ||
    notSent.includes(code) ||
    severity === 'FATAL' ||
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    notConnected.includes(message)
  if (nothingRan || rolledBack.includes(code))
    return [
      'Unavailable',
      'The database is not available: retry later; nothing was changed',
    ]
  if (inConflict.includes(code))
    return [
      'Unavailable',
      'Other requests change the same data now: retry; nothing was changed',
    ]
  if (code === fenced)
    return [
      'Unavailable',
      'Nothing was changed: another server took over the event of this call and processes it again',
    ]
  if (code === moved)
    return [
      'Unavailable',
      'Nothing was changed: the workspace is moving to another installation; retry later',
    ]
  if (unstorable.includes(code))
    return ['InvalidPayload', 'The database cannot store a value in the request']
  return null
}

/** Replies for errors. */
export const errorReplies = {
  toBody: errorBody,
  toOpenAi: openAiError,
  toApiError,
}
