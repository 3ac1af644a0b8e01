// The one translator of failures. A stranger's error never reaches the wire: it becomes Internal, with an id to look up in the log.
import { ApiError, type ErrorType } from '@botstead/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { errorId } from '../lib/error-id.ts'
import { RateLimited, refusalHeaders } from './rate-limits.ts'

export function replyError(thrown: unknown, request: FastifyRequest, reply: FastifyReply) {
  const error = toApiError(thrown)
  const body = errorBody(error)
  request.failure = {
    error: error.type,
    errorId: body.id,
    ...(error.code >= 500 && error.type !== 'NotImplemented' && { err: thrown }),
  }
  if (error.type === 'Unavailable' || error.type === 'ResourceLockedConflict')
    reply.header('retry-after', '1')
  if (error instanceof RateLimited) reply.headers(refusalHeaders(error.standing))
  if (error.type === 'RequestTimeout') reply.header('connection', 'close') // what comes after a body that never ended cannot be told from it
  return reply.code(error.code).type('application/json; charset=utf-8').send(body)
}

/** Messages repeat what was sent, which may be long. */
const longestMessage = 1_000

export function errorBody({ code, type, message, metadata }: ApiError) {
  return {
    id: errorId(new Date()),
    code,
    type,
    message: message.slice(0, longestMessage).toWellFormed(),
    ...(metadata && { metadata }),
  }
}

const byStatus: Record<number, [ErrorType, string]> = {
  400: ['InvalidPayload', 'The request cannot be read'],
  404: ['ResourceNotFound', 'There is nothing at this address'],
  408: ['RequestTimeout', 'The request did not arrive in time'],
  413: ['PayloadTooLarge', 'The body is larger than this API accepts'],
  414: ['InvalidQuery', 'The address is too long'],
  415: ['UnsupportedMediaType', 'Bodies are JSON'],
  431: ['PayloadTooLarge', 'The headers are too large'],
}

export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  const known = callersFault(thrown as Partial<FastifyError>) ?? databaseTrouble(thrown as DatabaseFailure)
  return new ApiError(...(known ?? ['Internal', 'Something went wrong on our side']), { cause: thrown })
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

/** Codes of PostgreSQL. The server or the connection is starting or stopping, or there are too many: no statement was done. */
const unsent = ['57P01', '57P03', '53300']
/** Conflicts between transactions, and too little disk or memory: the statement was undone. */
const undone = ['40P01', '40001', '53100', '53200', '25006']
/** The lease of the caller's attempt was taken over (the server's `queue/fencing.ts`): nothing was written. */
const fenced = 'PF001'
/** A text or number that passed all checks and still has no place in the database. */
const unstorable = ['22P05', '22021', '22P02', '22003', '22007', '22008', '54001', '54000']

/** What the database says that is not our fault. */
function databaseTrouble({
  code = '',
  syscall,
  severity,
  message,
}: DatabaseFailure): [ErrorType, string] | null {
  // A statement that lost its connection on the way may have been done: that is Internal, since clients may not simply try again.
  const neverSent =
    unsent.includes(code) ||
    severity === 'FATAL' ||
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    message === 'timeout exceeded when trying to connect'
  if (neverSent || undone.includes(code))
    return ['Unavailable', 'The database is not available at the moment; nothing was done']
  if (code === fenced)
    return [
      'Unavailable',
      'Nothing was written: another server has taken over the event that this call belongs to, and handles it again',
    ]
  if (unstorable.includes(code)) return ['InvalidPayload', 'A value in the request cannot be stored']
  return null
}
