// Rejects requests that Node's parser cannot read, and upgrades, on the bare connection, with the
// usual error body.
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError } from '@botstead/contract'
import type { RequestFailure } from '../observe.ts'
import { errorBody, toApiError } from '../reply-error.ts'
import { RateLimited, rateLimitHeaders } from './rate-limits.ts'

/** Ends the connection. `status` is given if the error catalogue has no type for it. */
function reject(socket: Duplex, error: ApiError, status: number = error.code) {
  write(socket, status, { ...errorBody(error), code: status as typeof error.code })
}

/** Handler for `clientError`. */
export function rejectConnection(
  error: NodeJS.ErrnoException,
  socket: Duplex & { _httpMessage?: { headersSent: boolean } },
) {
  // A response that has begun cannot be replaced.
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent)
    return void socket.destroy()
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return reject(
      socket,
      new ApiError('PayloadTooLarge', 'The URL and the headers are too large'),
      431,
    )
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return reject(
      socket,
      new ApiError('RequestTimeout', 'The request did not arrive in time'),
    )
  reject(socket, new ApiError('InvalidPayload', 'The request is not valid HTTP'))
}

/** Handler for `connect`: the server is not a proxy. */
export const rejectTunnel = (_request: IncomingMessage, socket: Duplex) =>
  reject(socket, new ApiError('ResourceNotFound', 'There is nothing at this address'))

/** Rejects an upgrade. Returns the reason for the log. */
export function rejectUpgrade(
  socket: Duplex,
  thrown: unknown,
): RequestFailure & { status: number } {
  const error = toApiError(thrown)
  const body = errorBody(error)
  write(
    socket,
    error.code,
    body,
    error instanceof RateLimited ? rateLimitHeaders(error.standing) : {},
  )
  return {
    status: error.code,
    error: error.type,
    errorId: body.id,
    ...(error.code >= 500 && { err: thrown }),
  }
}

function write(
  socket: Duplex,
  status: number,
  body: ReturnType<typeof errorBody>,
  headers: Record<string, string> = {},
) {
  const text = JSON.stringify(body)
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n${more.join('')}\r\n${text}`,
  )
}
