// Marks the lines of stdout and stderr with the invocation that writes them.
import { invocations } from './invocations.ts'

const newline = 10
function getLastByte(chunk: unknown) {
  if (typeof chunk === 'string') return chunk.charCodeAt(chunk.length - 1) || undefined
  return chunk instanceof Uint8Array ? chunk.at(-1) : undefined
}

/**
 * Prefixes each line with the number of the invocation that writes it, or with an empty mark;
 * logs.ts removes the prefix. On stderr every write has a mark, so that logs.ts detects where an
 * entry begins.
 */
export function markLines(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const plain = stream.write.bind(stream) as (
      chunk: unknown,
      ...rest: unknown[]
    ) => boolean
    let [atStart, last] = [true, 0]
    stream.write = (chunk: unknown, ...rest: unknown[]) => {
      const invocation = invocations.getStore()
      const id = invocation?.id ?? 0
      if (invocation && typeof chunk === 'string' && chunk.includes(hidingMessage))
        invocation.hiddenError = chunk
      if (atStart && (id || last || stream === process.stderr))
        plain(`\u001e${id || ''}\u001e`)
      if (atStart) last = id
      const end =
        typeof chunk === 'string' && typeof rest[0] === 'string'
          ? Buffer.from(chunk, rest[0] as BufferEncoding).at(-1)
          : getLastByte(chunk)
      if (end !== undefined) atStart = end === newline
      return plain(chunk, ...rest)
    }
  }
}

/** The SDK's response to an unexpected error of a bot. It logs the error behind this text. */
export const hidingMessage = 'An unexpected error occurred in the bot.'
