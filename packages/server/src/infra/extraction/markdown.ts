// Parses Markdown by lines: headings, lists, quotes, tables, code and text. Inline markup is
// reduced to its text.
import { type Block, type BlockKind, oneLine } from './blocks.ts'
import { textLines } from './plain-text.ts'

export function* markdownBlocks(text: string): Generator<Block> {
  let kind: BlockKind = 'paragraph'
  let lines: string[] = []
  let fence = ''
  function* flush(): Generator<Block> {
    if (lines.length > 0) yield bodyOf(kind, lines)
    lines = []
    kind = 'paragraph'
  }

  for (const line of textLines(withoutFrontMatter(text))) {
    const fenced = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== '') {
      if (fenced?.startsWith(fence) && line.trim() === fenced) {
        fence = ''
        yield* flush()
      } else lines.push(line)
      continue
    }
    if (fenced) {
      yield* flush()
      fence = fenced
      kind = 'code'
      continue
    }
    const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line)
    const underlined =
      kind === 'paragraph' && lines.length > 0 && /^ {0,3}(=+|-+)[ \t]*$/.exec(line)?.[1]
    if (heading) {
      yield* flush()
      yield {
        kind: 'heading',
        level: heading[1]!.length,
        text: plain((heading[2] ?? '').replace(/[ \t]#+[ \t]*$/, '')),
      }
    } else if (underlined) {
      const title = oneLine(plain(lines.join(' ')))
      lines = []
      yield { kind: 'heading', level: underlined.startsWith('=') ? 1 : 2, text: title }
    } else if (line.trim() === '' || /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/.test(line)) {
      yield* flush()
    } else {
      const found = kindOf(line)
      if (lines.length > 0 && found !== kind && found !== 'paragraph') yield* flush()
      if (lines.length === 0) kind = found
      lines.push(line)
    }
  }
  yield* flush()
}

function kindOf(line: string): BlockKind {
  if (/^ {0,3}>/.test(line)) return 'blockquote'
  if (/^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S/.test(line)) return 'list'
  return /^ {0,3}\|/.test(line) ? 'table' : 'paragraph'
}

function bodyOf(kind: BlockKind, lines: string[]): Block {
  if (kind === 'code') return { kind, text: lines.join('\n') }
  if (kind === 'paragraph') return { kind, text: oneLine(plain(lines.join(' '))) }
  if (kind === 'blockquote')
    return { kind, text: plain(lines.map((line) => line.replace(/^ {0,3}> ?/, '')).join('\n')) }
  if (kind === 'list') return { kind, text: plain(lines.map((line) => line.trimEnd()).join('\n')) }
  const [header, ...rows] = lines
    .filter((line) => !/^[\s|:-]+$/.test(line))
    .map((line) =>
      plain(
        line
          .trim()
          .replace(/^\||\|$/g, '')
          .trim(),
      ),
    )
  return { kind: 'table', header: header ?? '', text: rows.join('\n') || (header ?? '') }
}

/** Replaces links and images by their text, and removes emphasis and HTML tags. */
const plain = (text: string) =>
  text
    .replaceAll(/!?\[([^[\]]{0,1000})\]\([^()\s]{0,2000}(?:\s"[^"]{0,500}")?\)/g, '$1')
    .replaceAll(/(\*\*|__|~~)(?=\S)/g, '')
    .replaceAll(/(?<=\S)(\*\*|__|~~)/g, '')
    .replaceAll(/<(https?:[^<>\s]{1,2000})>/g, '$1')
    .replaceAll(
      /<\/?(?:a|b|br|details|div|em|h\d|hr|i|img|kbd|li|ol|p|span|strong|su[bp]|summary|table|t[dhr]|tbody|thead|ul)(?:\s[^<>]{0,500})?\/?>/gi,
      '',
    )
    .replaceAll('`', '')

const withoutFrontMatter = (text: string) =>
  text.replace(/^\ufeff?---\r?\n[\s\S]{0,20000}?\n---\r?\n/, '')
