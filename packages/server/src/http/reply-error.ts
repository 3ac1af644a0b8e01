// The one translator of failures. A stranger's error never reaches the wire: it becomes Internal, with an id to look up in the log.
import { randomBytes } from 'node:crypto'
import { ApiError, type ErrorType } from '@botstead/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

export function replyError(thrown: unknown, request: FastifyRequest, reply: FastifyReply) {
  const error = toApiError(thrown)
  const body = errorBody(error)
  if (error.code >= 500 && error.type !== 'NotImplemented') request.log.error({ err: thrown, errorId: body.id }, 'request failed')
  if (error.type === 'Unavailable') reply.header('retry-after', '1')
  return reply.code(error.code).send(body)
}

export function errorBody(error: ApiError) {
  return { id: errorId(new Date()), code: error.code, type: error.type, message: error.message, ...(error.metadata && { metadata: error.metadata }) }
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
  const { statusCode, code } = thrown as Partial<FastifyError>
  const known = statusCode === undefined ? undefined : byStatus[statusCode]
  if (known) return new ApiError(known[0], known[1], { cause: thrown })
  return new ApiError(...(databaseTrouble(String(code)) ?? ['Internal', 'Something went wrong on our side']), { cause: thrown })
}

/** What the database says that is not our fault. Sources: PostgreSQL's error codes, and the connection errors of Node. */
function databaseTrouble(code: string): [ErrorType, string] | null {
  // Nothing was sent: the database is starting, stopping or full.
  if (['ECONNREFUSED', 'ENOENT', '57P03', '53300', '57P01', '40P01', '40001'].includes(code))
    return ['Unavailable', 'The database is not available at the moment; nothing was done']
  // A text or number that passed all checks and still has no place in the database.
  if (['22P05', '22021', '22P02', '22003', '54001', '54000'].includes(code)) return ['InvalidPayload', 'A value in the request cannot be stored']
  return null
}

/** err_<yyyymmddhhmmss>x<8 hex>: the form that the official clients make themselves. */
const errorId = (at: Date) => `err_${at.toISOString().replaceAll(/\D/g, '').slice(0, 14)}x${randomBytes(4).toString('hex').toUpperCase()}`
