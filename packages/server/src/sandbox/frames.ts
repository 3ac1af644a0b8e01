// The frames that server and runner exchange over the socket that is file descriptor 3 of the child: four bytes of length, then JSON. With the highest
// bit of the length set, a frame to the child is a piece of a request's body: four bytes with the invocation's number, then bytes; none end the body.
// Nothing that comes from a child is believed: it may be the hosted code that writes.
import type { HandlerRequest, HandlerResponse } from './sandbox.ts'

export type ToHost =
  /** `compiled`: what came of compiling it before, as base64. */
  | {
      type: 'load'
      code: string
      compiled: string | null
      environment: Record<string, string>
      responseBytes: number
      door: DoorInside | null
    }
  | { type: 'compile'; code: string }
  /** `inPieces`: the body follows in frames of its own, and the handler is called when it is complete. */
  | {
      type: 'invoke'
      id: number
      cause: string | null
      fence: string | null
      request: HandlerRequest
      inPieces?: true
    }

/** The socket file by which a process reaches the server, and, where it is the only way, everything else (egress.ts). */
export interface DoorInside {
  path: string
  isOnlyWay: boolean
}

export type FromHost =
  | { type: 'ready' }
  | { type: 'loaded' }
  | { type: 'compiled'; compiled: string }
  | { type: 'not-loaded'; reason: 'no-code' | 'crash'; message: string }
  | { type: 'dying'; message: string }
  | { type: 'answered'; id: number; response: HandlerResponse }
  | { type: 'too-large'; id: number; message: string }

/** `base64`: the body is bytes. */
export type SentResponse = Omit<HandlerResponse, 'bytes'> & { base64?: true }

const headersMost = 64
const headerBytesMost = 16_384

export function encodeFrame(message: ToHost): Buffer {
  const text = Buffer.from(JSON.stringify(message))
  const frame = Buffer.allocUnsafe(4 + text.length)
  frame.writeUInt32BE(text.length)
  text.copy(frame, 4)
  return frame
}

/** What stands before a piece of a body. */
export function pieceHeader(id: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(8)
  header.writeUInt32BE(0x8000_0000 + 4 + length)
  header.writeUInt32BE(id, 4)
  return header
}

/** Takes chunks as they arrive; answers the messages that became whole, or null when the sender does not keep to the protocol. */
export function createFrameReader(mostBytes: number): (chunk: Buffer) => FromHost[] | null {
  let chunks: Buffer[] = []
  let size = 0
  let wanted = -1
  return (chunk) => {
    const messages: FromHost[] = []
    chunks.push(chunk)
    size += chunk.length
    for (;;) {
      if (size < (wanted < 0 ? 4 : 4 + wanted)) return messages
      const buffered = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      chunks = [buffered]
      if (wanted < 0) {
        wanted = buffered.readUInt32BE()
        if (wanted > mostBytes) return null
        continue
      }
      const message = parseMessage(buffered.toString('utf8', 4, 4 + wanted))
      if (!message) return null
      messages.push(message)
      chunks = [buffered.subarray(4 + wanted)]
      size -= 4 + wanted
      wanted = -1
    }
  }
}

function parseMessage(text: string): FromHost | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (!isRecord(value)) return null
  const { type, id, message, reason, response, compiled } = value
  if (type === 'ready' || type === 'loaded') return { type }
  if (type === 'not-loaded' && typeof message === 'string')
    return { type, message, reason: reason === 'no-code' ? 'no-code' : 'crash' }
  if (type === 'compiled' && typeof compiled === 'string') return { type, compiled }
  if (type === 'dying' && typeof message === 'string') return { type, message }
  if (!Number.isSafeInteger(id)) return null
  if (type === 'too-large' && typeof message === 'string') return { type, id: id as number, message }
  if (type !== 'answered') return null
  return readResponse(id as number, response)
}

function readResponse(id: number, value: unknown): FromHost | null {
  if (!isRecord(value) || !isRecord(value.headers) || typeof value.body !== 'string') return null
  const { status, body } = value
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599) return null
  const headers = readHeaders(value.headers)
  if (!headers)
    return {
      type: 'too-large',
      id,
      message: `The answer has more than ${headersMost} headers, or more than ${headerBytesMost} bytes of them`,
    }
  const bytes = value.base64 === true ? Buffer.from(body, 'base64') : null
  const threw = value.threw === true ? { threw: true as const } : {}
  return {
    type: 'answered',
    id,
    response: {
      status,
      headers,
      ...threw,
      ...(bytes ? { body: bytes.toString(), bytes: [bytes] } : { body }),
    },
  }
}

/** Keeps what may stand in an HTTP response; null when there is too much of it. */
function readHeaders(given: Record<string, unknown>): Record<string, string> | null {
  const headers: Record<string, string> = {}
  let count = 0
  let bytes = 0
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string' || name === '__proto__') continue
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) continue
    count += 1
    bytes += name.length + value.length
    if (count > headersMost || bytes > headerBytesMost) return null
    headers[name.toLowerCase()] = value
  }
  return headers
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
