// PDF: assembles the text of pages to lines and paragraphs by position. Text larger than most of
// the file is a heading.
import { getDocumentProxy } from 'unpdf'
import { type Block, oneLine, UnreadableFile } from './blocks.ts'

interface Line {
  text: string
  size: number
  /** Distance from the top of the page. */
  top: number
}

const maxPages = 5_000

export async function* pdfBlocks(
  bytes: Uint8Array,
  { cleanUp = false } = {},
): AsyncGenerator<Block> {
  const document = await getDocumentProxy(bytes, {
    verbosity: 0,
    stopAtErrors: false,
    isEvalSupported: false,
    disableFontFace: true,
  }).catch((error) => {
    throw new UnreadableFile(
      /password/i.test(String(error)) ? 'The PDF is protected by a password' : 'The PDF is damaged',
      { cause: error },
    )
  })
  if (document.numPages > maxPages)
    throw new UnreadableFile(`The PDF has more than ${maxPages} pages`)
  const pages: Line[][] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const content = await page.getTextContent()
    pages.push(linesOf(content.items as Item[]))
    page.cleanup()
  }
  const read = cleanUp ? withoutRunningLines(pages) : pages
  const sizes = read
    .flat()
    .flatMap(({ text, size }) => Array.from({ length: Math.ceil(text.length / 40) }, () => size))
  const usual = sizes.sort((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? 0
  const larger = [...new Set(read.flat().map(({ size }) => size))]
    .filter((size) => size > usual * 1.15)
    .sort((a, b) => b - a)
  for (const [at, lines] of read.entries()) yield* blocksOf(lines, { page: at + 1, usual, larger })
  if (sizes.length === 0)
    throw new UnreadableFile('The PDF has no text: pages that are images are not read')
}

interface Item {
  str?: string
  transform?: number[]
  hasEOL?: boolean
}

/** Items arrive in drawing order; those at the same height form a line. */
function linesOf(items: Item[]): Line[] {
  const lines: Line[] = []
  let line: Line | null = null
  for (const { str = '', transform, hasEOL } of items) {
    if (!transform) continue
    const size = Math.round(Math.hypot(transform[2]!, transform[3]!) * 2) / 2
    const top = -transform[5]!
    if (line && Math.abs(line.top - top) > Math.max(line.size, size) * 0.5) line = null
    if (!line && str.trim() === '') continue
    if (!line) {
      line = { text: '', size, top }
      lines.push(line)
    }
    line.text += str
    if (hasEOL) line = null
  }
  return lines.map((one) => ({ ...one, text: oneLine(one.text) })).filter(({ text }) => text !== '')
}

function* blocksOf(
  lines: Line[],
  { page, usual, larger }: { page: number; usual: number; larger: number[] },
): Generator<Block> {
  let paragraph: Line[] = []
  const levelOf = ({ size, text }: Line) =>
    text.length < 200 ? Math.min(larger.indexOf(size), 5) + 1 : 0
  const flush = (): Block[] => {
    const held = paragraph
    paragraph = []
    if (held.length === 0) return []
    const level = levelOf(held[0]!)
    const text = held
      .map((line) => line.text)
      .reduce((whole, next) =>
        /\p{Ll}-$/u.test(whole) && /^\p{Ll}/u.test(next)
          ? whole.slice(0, -1) + next
          : `${whole} ${next}`,
      )
    return [
      level > 0 && text.length < 300
        ? { kind: 'heading', level, text, page }
        : { kind: 'paragraph', text, page },
    ]
  }
  for (const line of lines) {
    const before = paragraph.at(-1)
    const gap = before ? line.top - before.top : 0
    // A new column begins higher up; a new paragraph after a gap.
    if (
      before &&
      (levelOf(before) !== levelOf(line) || gap > Math.max(line.size, usual) * 1.7 || gap < 0)
    )
      yield* flush()
    paragraph.push(line)
  }
  yield* flush()
}

/** Removes headers and footers: lines at the edges that most pages share, apart from numbers. */
function withoutRunningLines(pages: Line[][]): Line[][] {
  if (pages.length < 4) return pages
  const masked = ({ text }: Line) => text.replaceAll(/\d+/g, '#')
  const edges = (lines: Line[]) => new Set([...lines.slice(0, 2), ...lines.slice(-2)].map(masked))
  const counts = new Map<string, number>()
  for (const lines of pages)
    for (const text of edges(lines)) counts.set(text, (counts.get(text) ?? 0) + 1)
  const running = new Set(
    [...counts].filter(([, count]) => count > pages.length / 2).map(([text]) => text),
  )
  return pages.map((lines) =>
    lines.filter((line, at) => (at > 1 && at < lines.length - 2) || !running.has(masked(line))),
  )
}
