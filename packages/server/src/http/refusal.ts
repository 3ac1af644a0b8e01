// What never becomes a request, because Node's parser refuses it, is answered on the bare connection: typed, as every failure is.
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError } from '@botstead/contract'
import type { Failure } from './observe.ts'
import { RateLimited, refusalHeaders } from './rate-limits.ts'
import { errorBody, toApiError } from './reply-error.ts'

/** Ends the connection. `status` where the catalogue has no type of its own for it. */
function refuse(socket: Duplex, error: ApiError, status: number = error.code) {
  write(socket, status, { ...errorBody(error), code: status as typeof error.code })
}

/** For `clientError`. */
export function refuseConnection(
  error: NodeJS.ErrnoException,
  socket: Duplex & { _httpMessage?: { headersSent: boolean } },
) {
  // Into an answer that has begun, another cannot be written.
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent)
    return void socket.destroy()
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return refuse(socket, new ApiError('PayloadTooLarge', 'The address and the headers are too large'), 431)
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return refuse(socket, new ApiError('RequestTimeout', 'The request did not arrive in time'))
  refuse(socket, new ApiError('InvalidPayload', 'The request cannot be read'))
}

/** For `connect`: this is no proxy. */
export const refuseTunnel = (_request: IncomingMessage, socket: Duplex) =>
  refuse(socket, new ApiError('ResourceNotFound', 'There is nothing at this address'))

/** For an upgrade that is not granted. Gives back why, for whoever tells of it. */
export function refuseUpgrade(socket: Duplex, thrown: unknown): Failure & { status: number } {
  const error = toApiError(thrown)
  const body = errorBody(error)
  write(socket, error.code, body, error instanceof RateLimited ? refusalHeaders(error.standing) : {})
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
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n${more.join('')}\r\n${text}`,
  )
}
