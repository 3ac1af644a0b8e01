// The frames between server and runner over the child's file descriptor 3: a 4-byte length, then
// JSON. In frames to the child, the highest bit of the length marks a piece of a request body: a
// 4-byte invocation number, then bytes; a piece without bytes ends the body. Pieces with the number
// `attachmentNumber` belong to the next JSON frame. Frames from a child are untrusted: hosted code can
// write them.
import type { HandlerRequest, HandlerResponse } from '../sandbox.ts'

export type ToHost =
  /**
   * Attached are the code and, if known, the result of an earlier `compile` of the same code.
   */
  | {
      type: 'load'
      environment: Record<string, string>
      responseBytes: number
      memoryMb: number
      egressSocket: EgressSocketInside | null
      /** Slow parts of bundles are replaced (host/tuned-code.ts). */
      isTuned: boolean
    }
  /** Attached is the code. */
  | { type: 'compile'; isTuned: boolean }
  /**
   * `inPieces`: the body follows in separate frames, and the handler is called when it is complete.
   */
  | {
      type: 'invoke'
      id: number
      cause: string | null
      fence: string | null
      /** How long the handler may take from now on. */
      timeoutMs: number
      request: HandlerRequest
      inPieces?: true
    }
  /** The result of the invocation is not needed any more. */
  | { type: 'cancel'; id: number }

/**
 * The socket file through which a process reaches the server and, if it is the only way, all other
 * hosts (egress.ts).
 */
export interface EgressSocketInside {
  path: string
  isOnlyWay: boolean
}

export type FromHost =
  | { type: 'ready' }
  | { type: 'loaded' }
  /** As base64. */
  | { type: 'compiled'; compiled: string }
  | { type: 'not-loaded'; reason: 'no-code' | 'crash'; message: string }
  | { type: 'dying'; message: string }
  | { type: 'answered'; id: number; response: HandlerResponse }
  | { type: 'too-large'; id: number; message: string }

/** `base64`: `body` encodes bytes. */
export type SentResponse = Omit<HandlerResponse, 'bytes'> & { base64?: true }

const maxHeaders = 64
const maxHeaderBytes = 16_384

export function encodeFrame(message: ToHost): Buffer {
  const text = JSON.stringify(message)
  const length = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(4 + length)
  frame.writeUInt32BE(length)
  frame.write(text, 4)
  return frame
}

/** Invocations have higher numbers. */
export const attachmentNumber = 0

/** Returns the header of a frame that carries a piece of a body or an attachment. */
export function pieceHeader(id: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(8)
  header.writeUInt32BE(0x8000_0000 + 4 + length)
  header.writeUInt32BE(id, 4)
  return header
}

/**
 * Returns a reader that takes chunks and returns the messages they complete, or null after a
 * protocol violation.
 */
export function createFrameReader(
  maxBytes: number,
): (chunk: Buffer) => FromHost[] | null {
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
        if (wanted > maxBytes) return null
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
  if (type === 'too-large' && typeof message === 'string')
    return { type, id: id as number, message }
  if (type !== 'answered') return null
  return readResponse(id as number, response)
}

function readResponse(id: number, value: unknown): FromHost | null {
  if (!isRecord(value) || !isRecord(value.headers) || typeof value.body !== 'string')
    return null
  const { status, body } = value
  if (
    typeof status !== 'number' ||
    !Number.isInteger(status) ||
    status < 200 ||
    status > 599
  )
    return null
  const headers = readHeaders(value.headers)
  if (!headers)
    return {
      type: 'too-large',
      id,
      message: `The response exceeds ${maxHeaders} headers or ${maxHeaderBytes} bytes of headers`,
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

/** Keeps the headers that are valid in HTTP; returns null when they exceed the limits. */
function readHeaders(given: Record<string, unknown>): Record<string, string> | null {
  const headers: Record<string, string> = {}
  let count = 0
  let bytes = 0
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string' || name === '__proto__') continue
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      continue
    count += 1
    bytes += name.length + value.length
    if (count > maxHeaders || bytes > maxHeaderBytes) return null
    headers[name.toLowerCase()] = value
  }
  return headers
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
