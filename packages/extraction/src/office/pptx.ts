// Presentations (ECMA-376, PresentationML): each slide, also a hidden one, is a page with a title, followed
// by its notes.
import type { Block } from '../blocks.ts'
import { rowText } from '../csv/csv.ts'
import { marked, resolveMarks, type TextStyle } from '../text/text-marks.ts'
import { FormulaTree } from './formula-tree.ts'
import { selectAlternatives } from './office-alternatives.ts'
import { descriptionIn } from './office-descriptions.ts'
import { readDrawings } from './office-drawings.ts'
import { type OfficePackage, openPackage } from './office-package.ts'
import { readXml } from './office-xml.ts'
import { type FindLevels, PptxListStyles } from './pptx-list-styles.ts'
import { PptxNumbers } from './pptx-numbers.ts'

export async function* pptxBlocks(bytes: Uint8Array): AsyncGenerator<Block> {
  const office = await openPackage(bytes)
  const listStyles = new PptxListStyles(office)
  for (const [at, path] of (await slidePaths(office)).entries()) {
    const page = at + 1
    yield* await readShapes(office, path, page, listStyles)
    const relations = await office.relations(path)
    for (const { target } of relations.filter(({ type }) => type === 'notesSlide'))
      for (const block of await readShapes(office, target, page, listStyles))
        if (block.kind !== 'heading') yield block
  }
}

/** Returns the slides in the order of the presentation. */
async function slidePaths(office: OfficePackage): Promise<string[]> {
  const slides = (await office.relations(office.main)).filter(
    ({ type }) => type === 'slide',
  )
  const paths: string[] = []
  readXml(await office.text(office.main), {
    open(tag, attributes) {
      const slide = slides.find(({ id }) => id === attributes['r:id'])
      if (tag === 'sldId' && slide) paths.push(slide.target)
    },
  })
  return paths.length > 0 ? paths : slides.map(({ target }) => target)
}

async function readShapes(
  office: OfficePackage,
  path: string,
  page: number,
  listStyles: PptxListStyles,
): Promise<Block[]> {
  const shapes = new Shapes(
    page,
    await readDrawings(office, path),
    await listStyles.of(path),
  )
  const handlers = {
    open: shapes.open.bind(shapes),
    text: shapes.text.bind(shapes),
    close: shapes.close.bind(shapes),
  }
  readXml(await office.text(path), selectAlternatives(handlers))
  return shapes.end()
}

const shapeTags = /^(?:sp|pic|graphicFrame|cxnSp)$/

/** Placeholders without text of the slide's author. */
const automatic = /^(?:sldNum|sldImg)$/

/** Characters; longer cells are not repeated. */
const maxRepeated = 200

class Shapes {
  readonly #page: number
  readonly #drawings: Map<string, string[]>
  readonly #findLevels: FindLevels
  readonly #headings: Block[] = []
  readonly #bodies: Block[] = []
  #placeholder = ''
  #lines: string[] = []
  #line = ''
  #isReading = false
  #style: TextStyle = {}
  #numbers = new PptxNumbers()
  /** The open formula. */
  #formula: FormulaTree | null = null
  /** Depth of open tables. */
  #tables = 0
  #cells: string[] = []
  #rows: string[] = []
  /** Whether the current cell continues the one above. */
  #isContinued = false
  /** The last texts of cells by column. */
  #above: string[] = []
  /** Alternative text of the open group or shape. */
  #description = ''

  constructor(page: number, drawings: Map<string, string[]>, findLevels: FindLevels) {
    this.#page = page
    this.#drawings = drawings
    this.#findLevels = findLevels
  }

  open(tag: string, attributes: Record<string, string>): void {
    if (this.#formula) return void this.#formula.open(tag, attributes)
    this.#numbers.open(tag, attributes)
    if (tag === 'oMath') this.#formula = new FormulaTree()
    if (shapeTags.test(tag)) this.#openShape()
    else if (tag === 'cNvPr') this.#description = descriptionIn(attributes)
    else if (tag === 'ph') this.#openPlaceholder(attributes)
    else if (tag === 't') this.#isReading = true
    else if (tag === 'r') this.#style = {}
    else if (tag === 'rPr') this.#style = toTextStyle(attributes)
    else if (tag === 'br' || tag === 'tab') this.#line += ' '
    else if (tag === 'tbl') this.#tables += 1
    else if (tag === 'tc')
      this.#isContinued = /^(?:1|true)$/.test(attributes.vMerge ?? '')
    else if (tag === 'relIds' || tag === 'chart')
      this.#lines.push(
        ...(this.#drawings.get(attributes['r:dm'] ?? attributes['r:id'] ?? '') ?? []),
      )
  }

  #openShape(): void {
    this.#addDescription()
    this.#placeholder = ''
    this.#numbers.inherit(this.#findLevels(null))
  }

  #openPlaceholder({ type = '', idx: index = '' }: Record<string, string>): void {
    this.#placeholder = type
    this.#numbers.inherit(this.#findLevels({ type, index }))
  }

  /** Of a group, or of a table. */
  #addDescription(): void {
    const text = this.#description
    this.#description = ''
    if (text !== '') this.#bodies.push({ kind: 'paragraph', text, page: this.#page })
  }

  text(content: string): void {
    if (this.#formula) this.#formula.text(content)
    else if (this.#isReading) this.#line += marked(content, this.#style)
  }

  close(tag: string): void {
    if (this.#formula) this.#closeTerm(tag, this.#formula)
    else if (tag === 't') this.#isReading = false
    else if (tag === 'p') this.#endLine()
    else if (tag === 'tc' && this.#tables > 0) this.#endCell()
    else if (tag === 'tr' && this.#tables > 0) {
      this.#rows.push(rowText(this.#cells))
      this.#cells = []
    } else if (tag === 'tbl') this.#endTable()
    else if (shapeTags.test(tag)) this.#endShape(tag)
  }

  #closeTerm(tag: string, formula: FormulaTree): void {
    if (tag !== 'oMath') return void formula.close()
    this.#formula = null
    this.#line += formula.write()
  }

  #endLine(): void {
    const line = resolveMarks(this.#line).trim()
    if (line !== '') this.#lines.push(this.#numbers.label() + line)
    this.#line = ''
  }

  /** A cell of several rows is in each of them. */
  #endCell(): void {
    const own = this.#lines.join(' ')
    const text =
      this.#isContinued && own === '' ? (this.#above[this.#cells.length] ?? '') : own
    this.#above[this.#cells.length] = text.length > maxRepeated ? '' : text
    this.#cells.push(text)
    this.#lines = []
  }

  #endTable(): void {
    this.#tables -= 1
    this.#addDescription()
    const [header, ...rows] = this.#rows.filter((row) => row !== '')
    this.#rows = []
    this.#above = []
    if (header === undefined) return
    const content = rows.length > 0 ? { header, text: rows.join('\n') } : { text: header }
    this.#bodies.push({ kind: 'table', ...content, page: this.#page })
  }

  /** The description of a shape with text only repeats it. */
  #endShape(tag = ''): void {
    this.#endLine()
    const isAutomatic = automatic.test(this.#placeholder)
    if ((tag === 'sp' && this.#lines.length > 0) || isAutomatic) this.#description = ''
    this.#addDescription()
    const text = this.#lines.join('\n').trim()
    const page = this.#page
    this.#lines = []
    this.#numbers = new PptxNumbers()
    if (text === '' || isAutomatic) return
    if (/^(?:title|ctrTitle)$/.test(this.#placeholder))
      this.#headings.push({
        kind: 'heading',
        level: 1,
        text: text.replaceAll('\n', ' '),
        page,
      })
    else
      this.#bodies.push({ kind: text.includes('\n') ? 'list' : 'paragraph', text, page })
  }

  end(): Block[] {
    this.#endShape()
    return [...this.#headings, ...this.#bodies]
  }
}

/** The baseline is in thousandths of a percent of the size. */
const toTextStyle = ({
  baseline = '0',
  strike = 'noStrike',
}: Record<string, string>): TextStyle => ({
  isRaised: Number.parseFloat(baseline) > 0,
  isLowered: Number.parseFloat(baseline) < 0,
  isStruck: strike !== 'noStrike',
})
