import type { Block } from './blocks.ts'

/**
 * Decodes by byte order mark, else as UTF-8, else as windows-1252, where every byte is a character.
 */
export function decodeText(bytes: Uint8Array): string {
  const marked = [
    { mark: [0xff, 0xfe], encoding: 'utf-16le' },
    { mark: [0xfe, 0xff], encoding: 'utf-16be' },
  ].find(({ mark }) => mark.every((byte, at) => bytes[at] === byte))
  if (marked) return new TextDecoder(marked.encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

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
export function* textLines(text: string): Generator<string> {
  let from = 0
  while (from <= text.length) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end === -1 ? text.length : end)
    yield line.endsWith('\r') ? line.slice(0, -1) : line
    if (end === -1) return
    from = end + 1
  }
}
