// Writes Word documents and Excel workbooks.
import { strToU8, zipSync } from 'fflate'
import { type Block, escapeText } from './blocks.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const formats = 'http://schemas.openxmlformats.org'
const relationships = `${formats}/officeDocument/2006/relationships`
const namespace = (name: string) => `${formats}/${name}/2006/main`

interface Part {
  /** Relative to the main part. */
  path: string
  /** The last part of its relationship's type. */
  type: string
  contentType: string
  xml: string
}

interface Package {
  folder: string
  main: Omit<Part, 'type'>
  parts: Part[]
}

function toZip({ folder, main, parts }: Package): Uint8Array {
  const overrides = [main, ...parts].map(({ path, contentType }) => {
    const type = `application/vnd.openxmlformats-officedocument.${contentType}+xml`
    return `<Override PartName="/${folder}/${path}" ContentType="${type}"/>`
  })
  const files = {
    '[Content_Types].xml':
      `<Types xmlns="${formats}/package/2006/content-types"><Default Extension="rels" ` +
      'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `${overrides.join('')}</Types>`,
    '_rels/.rels': toRelations([
      { type: 'officeDocument', path: `${folder}/${main.path}` },
    ]),
    [`${folder}/${main.path}`]: main.xml,
    [`${folder}/_rels/${main.path}.rels`]: toRelations(parts),
    ...Object.fromEntries(parts.map(({ path, xml }) => [`${folder}/${path}`, xml])),
  }
  const bytes = Object.entries(files).map(([path, xml]) => [
    path,
    strToU8(declaration + xml),
  ])
  return zipSync(Object.fromEntries(bytes))
}

const toRelations = (parts: Pick<Part, 'type' | 'path'>[]) =>
  `<Relationships xmlns="${formats}/package/2006/relationships">${parts
    .map(
      ({ type, path }, n) =>
        `<Relationship Id="rId${n + 1}" Type="${relationships}/${type}" Target="${path}"/>`,
    )
    .join('')}</Relationships>`

export function toDocx(blocks: Block[]): Uint8Array {
  const word = `xmlns:w="${namespace('wordprocessingml')}"`
  const body = blocks.map(toWord).join('')
  const styles = [1, 2, 3].map(
    (level) =>
      `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/><w:pPr>` +
      `<w:outlineLvl w:val="${level - 1}"/></w:pPr></w:style>`,
  )
  const numbering = [
    toNumbering(1, 'bullet', '•'),
    toNumbering(2, 'decimal', '%1.'),
    ...[1, 2].map(
      (id) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`,
    ),
  ]
  const toPart = (name: string, content: string[]) => ({
    path: `${name}.xml`,
    type: name,
    contentType: `wordprocessingml.${name}`,
    xml: `<w:${name} ${word}>${content.join('')}</w:${name}>`,
  })
  return toZip({
    folder: 'word',
    main: {
      path: 'document.xml',
      contentType: 'wordprocessingml.document.main',
      xml: `<w:document ${word}><w:body>${body}</w:body></w:document>`,
    },
    parts: [toPart('styles', styles), toPart('numbering', numbering)],
  })
}

const toNumbering = (id: number, format: string, text: string) =>
  `<w:abstractNum w:abstractNumId="${id}"><w:lvl w:ilvl="0"><w:start w:val="1"/>` +
  `<w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl></w:abstractNum>`

const toParagraph = (text: string, properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${escapeText(text)}</w:t></w:r></w:p>`

function toWord(block: Block): string {
  if (block.kind === 'paragraph') return toParagraph(block.text)
  if (block.kind === 'heading')
    return toParagraph(block.text, `<w:pStyle w:val="Heading${block.level}"/>`)
  if (block.kind === 'table') return toWordTable(block.rows)
  const numbered = `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${block.isOrdered ? 2 : 1}"/></w:numPr>`
  return block.items.map((item) => toParagraph(item, numbered)).join('')
}

function toWordTable(rows: string[][]): string {
  const grid = rows[0]!.map(() => '<w:gridCol w:w="2000"/>').join('')
  const lines = rows.map((cells, n) => {
    const header = n === 0 ? '<w:trPr><w:tblHeader/></w:trPr>' : ''
    return `<w:tr>${header}${cells.map((cell) => `<w:tc>${toParagraph(cell)}</w:tc>`).join('')}</w:tr>`
  })
  return `<w:tbl><w:tblGrid>${grid}</w:tblGrid>${lines.join('')}</w:tbl>`
}

/** Writes a sheet for each heading, with the table that follows. */
export function toXlsx(blocks: Block[]): Uint8Array {
  const sheets = blocks.flatMap((block, n) => {
    const heading = blocks[n - 1]
    if (block.kind !== 'table' || heading?.kind !== 'heading') return []
    return [{ name: heading.text, rows: block.rows }]
  })
  const names = sheets.map(
    ({ name }, n) =>
      `<sheet name="${escapeText(name)}" sheetId="${n + 1}" r:id="rId${n + 1}"/>`,
  )
  return toZip({
    folder: 'xl',
    main: {
      path: 'workbook.xml',
      contentType: 'spreadsheetml.sheet.main',
      xml:
        `<workbook xmlns="${namespace('spreadsheetml')}" xmlns:r="${relationships}">` +
        `<sheets>${names.join('')}</sheets></workbook>`,
    },
    parts: sheets.map(({ rows }, n) => ({
      path: `worksheets/sheet${n + 1}.xml`,
      type: 'worksheet',
      contentType: 'spreadsheetml.worksheet',
      xml:
        `<worksheet xmlns="${namespace('spreadsheetml')}"><sheetData>${rows.map(toSheetRow).join('')}` +
        '</sheetData></worksheet>',
    })),
  })
}

const toSheetRow = (cells: string[], row: number) =>
  `<row r="${row + 1}">${cells
    .map((cell, column) => {
      const place = `${String.fromCharCode(65 + column)}${row + 1}`
      return `<c r="${place}" t="inlineStr"><is><t>${escapeText(cell)}</t></is></c>`
    })
    .join('')}</row>`
