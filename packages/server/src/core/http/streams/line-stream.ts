// Writes a response line by line. A slow reader delays its source; a client that disconnects ends
// it.
import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Writes the lines as they come. The status is sent with the first line, so an error before it is an
 * ordinary error response. `onFailure` returns the last lines after a later error.
 */
export async function sendLines(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  lines: AsyncIterator<string | Buffer>,
  onFailure: (error: unknown) => string,
): Promise<void> {
  const first = await lines.next()
  const { raw } = reply
  reply.hijack()
  raw.on('error', () => {}) // the client disconnected; `close` follows
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': type,
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  request.raw.socket.setNoDelay(true)
  try {
    for (let line = first; !line.done; line = await lines.next()) {
      if (raw.destroyed) break
      if (!raw.write(line.value)) await drained(raw)
    }
  } catch (error) {
    if (!raw.destroyed) raw.write(onFailure(error))
  } finally {
    await lines.return?.(undefined)
    raw.end()
  }
}

async function drained(raw: FastifyReply['raw']): Promise<void> {
  if (raw.destroyed) return
  const closed = new AbortController()
  const { signal } = closed
  await Promise.race([
    once(raw, 'drain', { signal }),
    once(raw, 'close', { signal }),
  ]).catch(() => {})
  closed.abort()
}
