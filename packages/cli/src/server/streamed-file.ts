// Writes the body of a response to a file or to standard output.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { toPrintable } from '../terminal/printable.ts'

/** Escape sequences of users must not reach a terminal; a file gets the response unchanged. */
export async function writeBody(
  { body }: Response,
  output: string | undefined,
): Promise<void> {
  const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
  if (output !== undefined)
    await pipeline(source, createWriteStream(output, { mode: 0o600 }))
  else if (!process.stdout.isTTY) await pipeline(source, process.stdout, { end: false })
  else
    for await (const text of source.setEncoding('utf8'))
      process.stdout.write(toPrintable(text))
}
