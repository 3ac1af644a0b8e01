import type { IncomingMessage } from 'node:http'

const ceilingBytes = 16 * 1_048_576
const ceilingMs = 10_000

/**
 * Reads the rest of a refused body and throws it away, so that the client hears the answer instead of a broken pipe.
 * False when it did not end within reason: then the connection cannot be used again.
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
