// Raw requests that no client would send: bytes on a socket, and the raw response.
import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'

export interface RawReply {
  status: number
  headers: Record<string, string>
  body: string
  /** Milliseconds from the first sent byte to the end of the response. */
  ms: number
}

/**
 * Sends bytes and waits for one complete response; after `timeoutMs`, throws with the received
 * bytes.
 */
export function rawReply(
  base: string,
  sent: string | Buffer,
  {
    timeoutMs = 5_000,
    continueWith,
  }: { timeoutMs?: number; continueWith?: (socket: Socket) => void } = {},
) {
  const { hostname, port } = new URL(base)
  const began = Date.now()
  return new Promise<RawReply>((resolve, reject) => {
    let got = Buffer.alloc(0)
    const socket = connect(Number(port), hostname)
    const timer = setTimeout(() => done(new Error(`No answer; came: ${got}`)), timeoutMs)
    const done = (outcome: RawReply | Error) => {
      clearTimeout(timer)
      socket.destroy()
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
    socket.on('error', (error) => parsed(got, began) ?? done(error))
    socket.on('data', (chunk) => {
      got = Buffer.concat([got, chunk])
      const reply = parsed(got, began)
      if (reply) done(reply)
    })
    socket.on('close', () =>
      done(
        parsed(got, began) ?? new Error(`Closed without a whole answer; came: ${got}`),
      ),
    )
    if (sent.length > 0) socket.write(sent)
    continueWith?.(socket)
  })
}

function parsed(bytes: Buffer, began: number): RawReply | null {
  // 100 Continue is not the final response.
  if (bytes.toString('latin1', 0, 12) === 'HTTP/1.1 100')
    return parsed(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4), began)
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const body = bytes.subarray(end + 4)
  if (body.length < Number(headers['content-length'] ?? 0)) return null
  return {
    status: Number(first.split(' ')[1]),
    headers,
    body: body.toString(),
    ms: Date.now() - began,
  }
}

/** Expects the common error format, whichever layer sent it. */
export function expectTyped(status: number, body: unknown, type?: string) {
  expect(body).toEqual({
    id: expect.stringMatching(/^err_\d{14}x[0-9A-F]{8}$/),
    code: status,
    type: type ?? expect.any(String),
    message: expect.any(String),
  })
}

export function expectRejected(reply: RawReply, status: number, type?: string) {
  expect(reply.status, reply.body).toBe(status)
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
  expectTyped(status, JSON.parse(reply.body), type)
}
