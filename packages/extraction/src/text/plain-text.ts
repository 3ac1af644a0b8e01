import type { Block } from '../blocks.ts'

/** Splits text into paragraphs at empty lines. */
export function* textBlocks(text: string): Generator<Block> {
  for (const paragraph of paragraphs(text)) yield { kind: 'paragraph', text: paragraph }
}

function* paragraphs(text: string): Generator<string> {
  let lines: string[] = []
  for (const line of textLines(text)) {
    if (line.trim() !== '') lines.push(line)
    else if (lines.length > 0) {
      yield lines.join('\n')
      lines = []
    }
  }
  if (lines.length > 0) yield lines.join('\n')
}

/** Yields lines lazily, because a file may consist of line breaks only. */
function* textLines(text: string): Generator<string> {
  let from = 0
  while (from <= text.length) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end === -1 ? text.length : end)
    yield line.endsWith('\r') ? line.slice(0, -1) : line
    if (end === -1) return
    from = end + 1
  }
}
