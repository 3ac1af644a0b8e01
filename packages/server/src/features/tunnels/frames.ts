// The JSON frames of `@bpinternal/tunnel` 0.1. The head (this server) sends requests. The tail (a
// developer's command line) answers each by its id, and sends `hello` frames to keep the connection
// open. Bodies are text.
import { validateHeaderName, validateHeaderValue } from 'node:http'

export interface TunnelRequest {
  method: string
  /** Begins with a slash; the part of the path after the tunnel's id. */
  path: string
  query: string
  headers: Record<string, string | string[] | undefined>
  body: string
}

export interface TunnelAnswer {
  status: number
  headers: Record<string, string | string[]>
  body: string
}

type TailFrame = 'hello' | { requestId: string; answer: TunnelAnswer }

/**
 * WebSocket close codes. After 4001 the tail gives up; after any other it reconnects immediately.
 */
export const closeCodes = {
  serverStops: 1001,
  idle: 1013,
  invalidId: 4000,
  idTaken: 4001,
  unauthorized: 4001,
  invalidFrame: 4002,
} as const

export function requestFrame(
  id: string,
  { body, query, ...request }: TunnelRequest,
): string {
  return JSON.stringify({
    type: 'request',
    id,
    ...request,
    ...(query && { query }),
    ...(body && { body }),
  })
}

/**
 * Parses a frame of the tail. Returns null for a frame that is neither a hello nor a valid
 * response.
 */
export function readTailFrame(text: string): TailFrame | null {
  const frame = parsed(text)
  if (frame?.type === 'hello') return 'hello'
  if (!frame || (frame.type !== undefined && frame.type !== 'response')) return null
  const { requestId, status, headers = {}, body = '' } = frame
  if (
    typeof requestId !== 'string' ||
    typeof body !== 'string' ||
    !isStatus(status) ||
    !isRecord(headers)
  )
    return null
  const answered = parseHeaders(headers)
  return answered && { requestId, answer: { status, headers: answered, body } }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const frame: unknown = JSON.parse(text)
    return isRecord(frame) ? frame : null
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isStatus = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 200 && (value as number) <= 599

/**
 * Converts numbers, which some tails send, to text. Returns null when a header is not valid in
 * HTTP.
 */
function parseHeaders(
  given: Record<string, unknown>,
): Record<string, string | string[]> | null {
  const headers: [string, string | string[]][] = []
  for (const [name, value] of Object.entries(given)) {
    const values = [value].flat()
    if (
      !values.every((one) => typeof one === 'string' || typeof one === 'number') ||
      !areValid(name, values)
    )
      return null
    headers.push([name, Array.isArray(value) ? values.map(String) : String(value)])
  }
  return Object.fromEntries(headers)
}

function areValid(name: string, values: unknown[]): boolean {
  try {
    validateHeaderName(name)
    for (const value of values) validateHeaderValue(name, String(value))
    return true
  } catch {
    return false
  }
}
