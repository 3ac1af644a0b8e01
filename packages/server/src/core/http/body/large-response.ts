// Serializes and sends a large response in parts, so that other requests run in between. In one
// piece it would block the event loop as long as parsing it.
import { Readable } from 'node:stream'
import { jsonParts, nextSlice, partLength } from '@botstead/lib'

/** For `reply.send`, after the content type is set. */
export const responseInParts = (answer: object): Readable =>
  sendInTurns(jsonParts(answer))

/** For `reply.send`: other requests run between the pieces. */
export const sendInTurns = (pieces: Iterable<string | Buffer>): Readable =>
  piecesSent(inTurns(pieces))

export const piecesSent = (
  pieces: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
): Readable => Readable.from(pieces, { objectMode: false, highWaterMark: 4 * partLength })

/** Yields the parts, and lets other requests run after each. */
export async function* inTurns<Part>(parts: Iterable<Part>): AsyncGenerator<Part> {
  for (const one of parts) {
    yield one
    await nextSlice()
  }
}
