// The JSON of a large answer, made and sent a part at a time, so that others are answered meanwhile: all at once it would take the event loop as long as parsing it.
import { Readable } from 'node:stream'
import { setImmediate as others } from 'node:timers/promises'

/** Characters of a part, more or less. */
const part = 131_072

/** For `reply.send`, with its type said. */
export const answerInParts = (answer: object): Readable => Readable.from(partsOf(answer), { objectMode: false, highWaterMark: 4 * part })

/** Lists in an object are taken member by member, the rest as it is. */
async function* partsOf(answer: object): AsyncGenerator<string> {
  let text = ''
  let separator = '{'
  for (const [name, value] of Object.entries(answer)) {
    if (value === undefined) continue
    text += `${separator}${JSON.stringify(name)}:`
    separator = ','
    if (!Array.isArray(value)) text += JSON.stringify(value)
    else {
      for (const [i, member] of value.entries()) {
        text += `${i === 0 ? '[' : ','}${JSON.stringify(member)}`
        if (text.length < part) continue
        yield text
        text = ''
        await others()
      }
      text += value.length === 0 ? '[]' : ']'
    }
  }
  yield separator === '{' ? '{}' : `${text}}`
}
