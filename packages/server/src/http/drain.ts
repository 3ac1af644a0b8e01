import type { IncomingMessage } from 'node:http'

const ceilingBytes = 16 * 1_048_576
const ceilingMs = 10_000

/**
 * Reads and discards the rest of a rejected body, so that the client receives the response instead
 * of a broken connection. Returns false if the body did not end within the limits; the connection
 * cannot be reused then.
 */
export async function drain(body: IncomingMessage): Promise<boolean> {
  let bytes = 0
  const tooLate = performance.now() + ceilingMs
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > ceilingBytes || performance.now() > tooLate) return false
    }
    return true
  } catch {
    return false
  }
}
