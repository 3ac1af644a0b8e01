import type { IncomingMessage } from 'node:http'

const defaults = { maxBytes: 16 * 1_048_576, maxMs: 10_000 }

/**
 * Reads and discards the rest of a rejected body, so that the client receives the response instead
 * of a broken connection. Returns false if the body did not end within the limits; the connection
 * cannot be reused then.
 */
export async function drain(
  body: IncomingMessage,
  { maxBytes, maxMs } = defaults,
): Promise<boolean> {
  let bytes = 0
  const tooLate = performance.now() + maxMs
  try {
    for await (const chunk of readChunks(body)) {
      bytes += chunk.length
      if (bytes > maxBytes || performance.now() > tooLate) return false
    }
    return true
  } catch {
    return false
  }
}

/**
 * Yields the chunks of a body. A reader that stops, also with an error, leaves the rest for `drain`:
 * `throw` of the iterator that Node returns would destroy the body.
 */
export async function* readChunks(body: IncomingMessage): AsyncGenerator<Buffer> {
  for await (const chunk of body.iterator({ destroyOnReturn: false })) yield chunk
}
