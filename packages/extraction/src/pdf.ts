// PDF: assembles the text of pages to lines and paragraphs by position. Text larger than most of
// the file is a heading.
import { fileURLToPath } from 'node:url'
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import { type Block, UnreadableFile } from './blocks.ts'
import { type Annotation, type Line, type TextItem, toLines } from './pdf-lines.ts'

const maxPages = 5_000

/** The character maps of Adobe, for fonts of Chinese, Japanese and Korean that are not in the PDF. */
const cMapUrl = fileURLToPath(new URL('../cmaps/', import.meta.url))

export async function* pdfBlocks(
  bytes: Uint8Array,
  { cleanUp = false } = {},
): AsyncGenerator<Block> {
  const document = await openPdf(bytes)
  if (document.numPages > maxPages)
    throw new UnreadableFile(`The PDF has more than ${maxPages} pages`)
  const pages: Line[][] = []
  for (let number = 1; number <= document.numPages; number += 1)
    pages.push(await readPage(await document.getPage(number)))
  const lines = pages.flat()
  if (lines.length === 0) throw new UnreadableFile(await reasonForNoText(document))
  if (isGarbled(lines)) throw new UnreadableFile(unreadableFonts)
  const read = cleanUp ? withoutRunningLines(pages) : pages
  const sizes = read
    .flat()
    .flatMap(({ text, size }) =>
      Array.from({ length: Math.ceil(text.length / 40) }, () => size),
    )
  const usual = sizes.sort((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? 0
  const larger = [...new Set(read.flat().map(({ size }) => size))]
    .filter((size) => size > usual * 1.15)
    .sort((a, b) => b - a)
  for (const [at, one] of read.entries())
    yield* toBlocks(one, { page: at + 1, usual, larger })
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>
type Page = Awaited<ReturnType<Pdf['getPage']>>

const openPdf = (bytes: Uint8Array): Promise<Pdf> =>
  getDocumentProxy(bytes, {
    verbosity: 0,
    stopAtErrors: false,
    isEvalSupported: false,
    disableFontFace: true,
    enableXfa: true,
    cMapUrl,
    cMapPacked: true,
  }).catch((error) => {
    throw new UnreadableFile(
      /password/i.test(String(error))
        ? 'The PDF is protected by a password'
        : 'The PDF is damaged',
      { cause: error },
    )
  })

async function readPage(page: Page): Promise<Line[]> {
  const { items } = await page.getTextContent()
  const annotations = (await page.getAnnotations()) as Annotation[]
  page.cleanup()
  return toLines(items as TextItem[], annotations, page.rotate / 90)
}

const pagesToExplain = 5
const unreadableFonts =
  'The text of the PDF cannot be read: its fonts do not tell which characters they draw. ' +
  'Create the PDF again with embedded fonts, or read it with a program for text recognition'

/** Returns why no page has text. */
async function reasonForNoText(document: Pdf): Promise<string> {
  const { OPS } = await getResolvedPDFJS()
  const draws = new Set<number>([OPS.showText, OPS.showSpacedText, OPS.nextLineShowText])
  for (
    let number = 1;
    number <= Math.min(document.numPages, pagesToExplain);
    number += 1
  ) {
    const { fnArray } = await (await document.getPage(number)).getOperatorList()
    if (fnArray.some((operation: number) => draws.has(operation))) return unreadableFonts
  }
  return (
    'The PDF has no text: pages that are images are not read. ' +
    'Add the text with a program for text recognition (OCR)'
  )
}

/**
 * Fonts without names of characters give private ones, or the numbers of their drawings. Text has no control
 * or unassigned characters, but it may have private ones, as bullets and symbols.
 */
function isGarbled(lines: Line[]): boolean {
  const text = lines.map((line) => line.text).join('')
  const count = (characters: RegExp) => text.match(characters)?.length ?? 0
  const impossible = count(/[\p{Cc}\p{Cn}\ufffd]/gu)
  return (
    impossible > text.length * 0.12 || impossible + count(/\p{Co}/gu) > text.length * 0.7
  )
}

function* toBlocks(
  lines: Line[],
  { page, usual, larger }: { page: number; usual: number; larger: number[] },
): Generator<Block> {
  let paragraph: Line[] = []
  const toLevel = ({ size, text }: Line) =>
    text.length < 200 ? Math.min(larger.indexOf(size), 5) + 1 : 0
  const flush = (): Block[] => {
    const held = paragraph
    paragraph = []
    if (held.length === 0) return []
    const level = toLevel(held[0]!)
    const text = held.map((line) => line.text).reduce(joined)
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
      (toLevel(before) !== toLevel(line) ||
        gap > Math.max(line.size, usual) * 1.7 ||
        gap < 0)
    )
      yield* flush()
    paragraph.push(line)
  }
  yield* flush()
}

/** Joins two lines of a paragraph: words in parts, codes in parts, and scripts without spaces. */
function joined(text: string, next: string): string {
  if (/\p{Ll}[-\u00ad\u2010]$/u.test(text) && /^\p{Ll}/u.test(next))
    return text.slice(0, -1) + next
  const isOne =
    (/[\p{L}\p{N}][-\u2010\u2011]$/u.test(text) && /^[\p{L}\p{N}]/u.test(next)) ||
    (unspaced.test(text.slice(-1)) && unspaced.test(next.charAt(0)))
  return isOne ? text + next : `${text} ${next}`
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff60]/u

/** Removes headers and footers: lines at the edges that most pages share, apart from numbers. */
function withoutRunningLines(pages: Line[][]): Line[][] {
  if (pages.length < 4) return pages
  const masked = ({ text }: Line) => text.replaceAll(/\d+/g, '#')
  const edges = (lines: Line[]) =>
    new Set([...lines.slice(0, 2), ...lines.slice(-2)].map(masked))
  const counts = new Map<string, number>()
  for (const lines of pages)
    for (const text of edges(lines)) counts.set(text, (counts.get(text) ?? 0) + 1)
  const running = new Set(
    [...counts].filter(([, count]) => count > pages.length / 2).map(([text]) => text),
  )
  return pages.map((lines) =>
    lines.filter(
      (line, at) => (at > 1 && at < lines.length - 2) || !running.has(masked(line)),
    ),
  )
}
