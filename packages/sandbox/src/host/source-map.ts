// Names the files of the author in stack traces of bundled code. The code has its source map in its last
// lines, as esbuild writes it with `sourcemap: 'inline'`. The map is read when code first asks for a stack,
// because most bots never do.
import { SourceMap } from 'node:module'

const form = /\/\/# sourceMappingURL=data:application\/json;(?:charset=utf-?8;)?base64,/

/** Stacks of this process name the sources from now on, unless the code formats stacks itself. */
export function mapStacks(code: Buffer): void {
  const start = code.lastIndexOf('//# sourceMappingURL=')
  const [comment] =
    (start >= 0 && form.exec(code.toString('latin1', start, start + 100))) || []
  if (!comment) return
  let encoded = code.toString('latin1', start + comment.length).trim()
  let map: SourceMap | null | undefined
  const find = () => {
    if (map === undefined) map = parseMap(encoded)
    encoded = ''
    return map
  }
  Error.prepareStackTrace = (error, frames) =>
    [
      describeError(error),
      ...frames.map((frame) => `    at ${toSource(find(), String(frame))}`),
    ].join('\n')
}

/** A map that is not valid maps nothing. */
function parseMap(encoded: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(Buffer.from(encoded, 'base64').toString()))
  } catch {
    return null
  }
}

function describeError(error: unknown): string {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return 'Error'
  }
}

const place = /\bbot\.cjs:(\d+):(\d+)/

function toSource(map: SourceMap | null, frame: string): string {
  return frame.replace(place, (text, line, column) => {
    const entry = map?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!entry || !('originalSource' in entry) || !entry.originalSource) return text
    // Of the folder of the bundle, such as ../src/bot.ts.
    const file = entry.originalSource.replace(/^(?:\.\.?\/)+/, '')
    return `${file}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}
