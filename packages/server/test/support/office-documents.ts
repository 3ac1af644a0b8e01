// Documents for tests: a Word document with a table, and a PDF with lines of text.
import { strToU8, zipSync } from 'fflate'

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const relationship = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const paragraph = (text: string, style = '') =>
  `<w:p><w:pPr>${style}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
const heading = (text: string) => paragraph(text, '<w:outlineLvl w:val="0"/>')
const row = (cells: string[]) =>
  `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`

interface WordPart {
  heading?: string
  text?: string
  rows?: string[][]
}

export function toDocx(parts: WordPart[]): Buffer {
  const body = parts
    .map(
      (part) =>
        (part.heading ? heading(part.heading) : '') +
        (part.text ? paragraph(part.text) : '') +
        (part.rows ? `<w:tbl>${part.rows.map(row).join('')}</w:tbl>` : ''),
    )
    .join('')
  const files = {
    '_rels/.rels':
      `<Relationships><Relationship Id="r" Type="${relationship}/officeDocument" ` +
      'Target="word/document.xml"/></Relationships>',
    'word/document.xml': `<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
  }
  return Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, text]) => [name, strToU8(text)]),
      ),
    ),
  )
}

/** Lines in Helvetica, of which those with a size above 12 are headings; an empty line ends a paragraph. */
export function toPdf(lines: { text: string; size?: number }[]): Buffer {
  const content = lines
    .map(
      ({ text, size = 11 }, at) =>
        `BT /F ${size} Tf 60 ${760 - 18 * at} Td (${text}) Tj ET`,
    )
    .join('\n')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let file = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = file.length
    file += `${at + 1} 0 obj${object}endobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(
    `${file}${table}trailer<</Root 1 0 R/Size ${size}>>\nstartxref\n${file.length}\n%%EOF`,
  )
}
