// Writes PDF files with the name of the company above and a page number below each page. Texts use
// fonts that every reader knows, so none is in the file.
import type { Block } from './blocks.ts'

interface Line {
  size: number
  /** Texts at a distance from the left, in points. */
  cells: { left: number; text: string }[]
}

const [width, height, margin] = [595, 842, 60]
const size = 10
/** Lines of a page and the space between them. */
const [linesPerPage, leading] = [44, 16]

/** Characters that Windows-1252 has at 0x80 to 0x9F. */
const winAnsi = new Map(
  [...'€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'].map(
    (each, n) => [each, 0x80 + n] as const,
  ),
)

const fonts = {
  latin: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  japanese:
    '<</Type/Font/Subtype/Type0/BaseFont/HeiseiKakuGo-W5/Encoding/UniJIS-UCS2-H/DescendantFonts[<</Type/Font' +
    '/Subtype/CIDFontType0/BaseFont/HeiseiKakuGo-W5/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)' +
    '/Supplement 2>>/FontDescriptor<</Type/FontDescriptor/FontName/HeiseiKakuGo-W5/Flags 4/FontBBox[0 0 1 1]' +
    '/ItalicAngle 0/Ascent 1/Descent 0/StemV 1>>>>]>>',
}

export function toPdf(blocks: Block[], company: string): Uint8Array {
  const isJapanese = /[\u3040-\u30ff]/.test(JSON.stringify(blocks))
  const encode = isJapanese ? toUtf16 : toWinAnsi
  const lines = blocks.flatMap((block) => toLines(block, isJapanese ? 42 : 90))
  const pages = Array.from({ length: Math.ceil(lines.length / linesPerPage) }, (_, n) =>
    toPage(lines.slice(n * linesPerPage, (n + 1) * linesPerPage), {
      company,
      number: n + 1,
    }),
  ).map((page) =>
    page.map(({ left, top, size, text }) => {
      const place = `/F ${size} Tf ${left} ${top} Td`
      return `BT ${place} <${encode(text)}> Tj ET`
    }),
  )
  return toFile(
    pages.map((page) => page.join('\n')),
    fonts[isJapanese ? 'japanese' : 'latin'],
  )
}

function toLines(block: Block, maxLength: number): Line[] {
  const blank = { size, cells: [] }
  const wrapped = (text: string, left = margin) =>
    wrap(text, maxLength).map((part) => ({ size, cells: [{ left, text: part }] }))
  if (block.kind === 'heading')
    return [
      blank,
      { size: 18 - 2 * block.level, cells: [{ left: margin, text: block.text }] },
    ]
  if (block.kind === 'paragraph') return [...wrapped(block.text), blank]
  if (block.kind === 'list') {
    const toItem = (item: string, n: number) =>
      wrapped(`${block.isOrdered ? `${n + 1}.` : '•'} ${item}`, margin + 12)
    return [...block.items.flatMap(toItem), blank]
  }
  return [...toTableLines(block.rows), blank]
}

/** Columns are as wide as their longest cells need. */
function toTableLines(rows: string[][]): Line[] {
  const widths = rows[0]!.map((_, column) =>
    Math.max(...rows.map((row) => row[column]!.length)),
  )
  const total = widths.reduce((sum, each) => sum + each, 0)
  const starts = widths.map((_, column) =>
    widths.slice(0, column).reduce((sum, each) => sum + each / total, 0),
  )
  const toLeft = (column: number) =>
    Math.round(margin + starts[column]! * (width - 2 * margin))
  return rows.map((row) => ({
    size,
    cells: row.map((text, column) => ({ left: toLeft(column), text })),
  }))
}

function wrap(text: string, maxLength: number): string[] {
  const lines: string[] = []
  let rest = text
  while (rest.length > maxLength) {
    const space = rest.lastIndexOf(' ', maxLength)
    const end = space > 0 ? space : maxLength
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...lines, rest]
}

function toPage(lines: Line[], { company, number }: { company: string; number: number }) {
  const content = lines.flatMap(({ size, cells }, n) =>
    cells.map((cell) => ({ ...cell, size, top: height - 2 * margin - n * leading })),
  )
  const header = { left: margin, top: height - 40, size: 8, text: company }
  const footer = { left: width / 2, top: 30, size: 8, text: String(number) }
  return [header, ...content, footer]
}

function toWinAnsi(text: string): string {
  const codes = [...text].map((each) => {
    const code = winAnsi.get(each) ?? each.codePointAt(0)!
    if (code > 0xff) throw new Error(`Helvetica has no "${each}"`)
    return code
  })
  return Buffer.from(codes).toString('hex')
}

const toUtf16 = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex')

function toFile(pages: string[], font: string): Uint8Array {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, n) => `${4 + n * 2} 0 R`).join(' ')}]>>`,
    font,
    ...pages.flatMap((page, n) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents ${5 + n * 2} 0 R` +
        '/Resources<</Font<</F 3 0 R>>>>>>',
      `<</Length ${page.length}>>stream\n${page}\nendstream`,
    ]),
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, n) => {
    const offset = text.length
    text += `${n + 1} 0 obj${object}endobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const count = objects.length + 1
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer<</Root 1 0 R/Size ${count}>>\nstartxref\n${text.length}\n%%EOF`
  return Buffer.from(text + table + trailer, 'latin1')
}
