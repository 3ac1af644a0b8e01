// The JSON of a large answer, made and sent a part at a time, so that others are answered meanwhile: all at once it would take the event loop as long as parsing it.
import { Readable } from 'node:stream'
import { setImmediate as others } from 'node:timers/promises'

/** Characters of a part, more or less. */
const part = 131_072

/** For `reply.send`, with its type said. */
export const answerInParts = (answer: object): Readable => piecesSent(inTurns(partsOf(answer)))

export const piecesSent = (pieces: Iterable<string | Buffer> | AsyncIterable<string | Buffer>): Readable =>
  Readable.from(pieces, { objectMode: false, highWaterMark: 4 * part })

/** Others are answered between two of them. */
export async function* inTurns<Part>(parts: Iterable<Part>): AsyncGenerator<Part> {
  for (const one of parts) {
    yield one
    await others()
  }
}

/** The JSON of an object: lists in it are taken member by member, the rest as it is. */
export function* partsOf(
  object: object,
  shown: (value: unknown) => unknown = (value) => value,
): Generator<string> {
  let text = ''
  let separator = '{'
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue
    text += `${separator}${JSON.stringify(name)}:`
    separator = ','
    if (!Array.isArray(value)) text += JSON.stringify(shown(value))
    else {
      for (const [i, member] of value.entries()) {
        text += `${i === 0 ? '[' : ','}${JSON.stringify(shown(member))}`
        if (text.length < part) continue
        yield text
        text = ''
      }
      text += value.length === 0 ? '[]' : ']'
    }
  }
  yield separator === '{' ? '{}' : `${text}}`
}
