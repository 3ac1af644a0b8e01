// The blocks of one part of a Word document: its body, a note, or a header.
import type { Block } from '../blocks.ts'
import { rowText } from '../csv/csv.ts'
import { marked, resolveMarks } from '../text/text-marks.ts'
import { DocxFields } from './docx-fields.ts'
import { endFlow, endList, endPart, type Flow, newFlow } from './docx-flow.ts'
import { DocxNumbering, type ListDefinitions } from './docx-numbering.ts'
import { type DocxStyle, type RunStyle, runProperty } from './docx-styles.ts'
import { FormulaTree } from './formula-tree.ts'
import { descriptionIn } from './office-descriptions.ts'
import { toSymbol, toSymbols } from './office-symbols.ts'

export interface StoryParts {
  /** By id. */
  styles: Map<string, DocxStyle>
  lists: ListDefinitions
  /** Texts of notes by `footnote 1`, `endnote 1`. */
  notes: Map<string, string>
  /** Blocks of charts, diagrams and embedded documents by the ids of their relationships. */
  inserted: Map<string, Block[]>
}

/** Deleted text, and properties from before a change. */
const omitted = /^(?:del|moveFrom|\w+PrChange|numberingChange)$/

export class DocxStory {
  readonly #parts: StoryParts
  readonly #knowsFields: boolean
  /** The story, then the text boxes inside of its current paragraph. */
  readonly #flows = [newFlow()]
  /** Names of open elements. */
  readonly #path: string[] = []
  /** Depth of open elements with omitted text. */
  #omitted = 0
  /** Of the current run. */
  #style: RunStyle = {}
  readonly #numbering: DocxNumbering
  /** The open formula. */
  #formula: FormulaTree | null = null
  /** Choices of the current form field. */
  #choices: string[] = []
  #choice = 0
  readonly #fields = new DocxFields()
  /** For each open content control, whether it shows a prompt. */
  readonly #prompts: boolean[] = []
  /** Readings of the characters before. */
  #readings = ''
  /** The mark of the paragraph is deleted: it continues in the next one. */
  #continues = false

  constructor(parts: StoryParts, knowsFields = true) {
    this.#parts = parts
    this.#numbering = new DocxNumbering(parts.lists, parts.styles)
    this.#knowsFields = knowsFields
  }

  get hasOpenField(): boolean {
    return this.#fields.hideText
  }

  get #flow(): Flow {
    return this.#flows.at(-1)!
  }

  open(tag: string, attributes: Record<string, string>): void {
    const isInMark = this.#path.includes('pPr')
    this.#path.push(tag)
    if (tag === 'sdt') this.#prompts.push(false)
    if (isInMark && (tag === 'del' || tag === 'moveFrom')) this.#continues = true
    if (tag === 'del' && this.#path.includes('trPr')) this.#flow.isRowDeleted = true
    if (this.#omitted > 0 || omitted.test(tag) || this.#isPrompt(tag)) {
      this.#omitted += 1
      return
    }
    if (this.#formula) return void this.#formula.open(tag, attributes)
    if (tag === 'oMath') this.#formula = new FormulaTree()
    else if (isInMark || tag === 'p' || tag === 'pPr')
      this.#openParagraph(tag, attributes.val ?? '')
    else if (tag === 'r')
      this.#style = { ...this.#parts.styles.get(this.#flow.style)?.run }
    else if (tag === 'rStyle')
      Object.assign(this.#style, this.#parts.styles.get(attributes.val ?? '')?.run)
    else if (this.#path.at(-2) === 'rPr')
      Object.assign(this.#style, runProperty(tag, attributes))
    else if (tag === 'fldChar') this.#openField(attributes.fldCharType ?? '')
    else if (tag === 'fldSimple') this.#fields.begin(attributes.instr ?? '')
    else if (tag === 'txbxContent') this.#flows.push(newFlow())
    else if (tag === 'tbl') this.#flow.tables += 1
    else if (tag === 'gridBefore') this.#skipCells(attributes.val)
    else if (this.#path.includes('tcPr')) this.#openCell(tag, attributes.val)
    else if (this.#path.includes('ffData')) this.#openChoice(tag, attributes.val)
    else this.#addSpecial(tag, attributes)
  }

  /** A row may begin in a later column. */
  #skipCells(val: string | undefined): void {
    const { tables, cells } = this.#flow
    if (tables !== 1 || cells.length > 0) return
    cells.push(...Array.from({ length: Math.min(Number(val) || 0, maxSpan) }, () => ''))
  }

  /** Cells of tables in tables are text. */
  #openCell(tag: string, val: string | undefined): void {
    const flow = this.#flow
    if (flow.tables !== 1) return
    if (tag === 'gridSpan') flow.span = Math.min(Math.max(Number(val) || 1, 1), maxSpan)
    else if (tag === 'vMerge' && val !== 'restart') flow.cell = 'continued'
    else if (tag === 'cellDel') flow.cell = 'deleted'
  }

  /** Fields of old forms have no text. */
  #openChoice(tag: string, val: string | undefined): void {
    if (tag === 'checkBox') this.#choices = ['☐', '☑']
    else if (tag === 'ddList') this.#choices = []
    else if (tag === 'listEntry') this.#choices.push(val ?? '')
    else if (tag === 'result') this.#choice = Number(val)
    else if (tag === 'checked' || tag === 'default') this.#choice = toChoice(val)
  }

  #endChoice(): void {
    const text = this.#choices[this.#choice] ?? ''
    if (this.#omitted === 0 && !this.#style.isHidden) this.#flow.text += text
    this.#choices = []
    this.#choice = 0
  }

  /** An empty content control shows a prompt. */
  #isPrompt(tag: string): boolean {
    if (tag === 'showingPlcHdr' && this.#prompts.length > 0)
      this.#prompts[this.#prompts.length - 1] = true
    return tag === 'sdtContent' && this.#prompts.at(-1) === true
  }

  #openParagraph(tag: string, val: string): void {
    const flow = this.#flow
    if (tag === 'p') {
      this.#continues = false
      flow.level = 0
      flow.listed = {}
      flow.style = ''
    } else if (tag === 'pStyle') {
      flow.style = val
      flow.level = this.#parts.styles.get(val)?.level ?? 0
    } else if (tag === 'outlineLvl' && Number(val) < 9) flow.level = Number(val) + 1
    else if (tag === 'numId') flow.listed.id = val
    else if (tag === 'ilvl') flow.listed.level = Number(val)
    else if (tag === 'numPr')
      flow.listed.id ??= this.#parts.styles.get(flow.style)?.list.id ?? ''
  }

  #openField(type: string): void {
    if (!this.#knowsFields) return
    if (type === 'begin') this.#fields.begin()
    else if (type === 'separate') this.#fields.separate()
    else if (type === 'end') this.#add(this.#fields.end())
  }

  /** Adds characters that are elements, and what an element refers to. */
  #addSpecial(tag: string, attributes: Record<string, string>): void {
    const character = characters[tag]
    if (character !== undefined) this.#add(character)
    else if (tag === 'sym')
      this.#add(toSymbol(attributes.font ?? '', attributes.char ?? ''))
    else if (tag === 'docPr') this.#addApart(descriptionIn(attributes))
    else if (tag === 'shape' && this.#path.includes('pict'))
      this.#addApart(descriptionIn({ descr: attributes.alt ?? '' }))
    else if (tag === 'textpath') this.#add(attributes.string ?? '')
    else if (tag === 'footnoteReference' || tag === 'endnoteReference')
      this.#addNote(`${tag.slice(0, -'Reference'.length)} ${attributes.id}`)
    else if (tag === 'altChunk' || tag === 'chart' || tag === 'relIds')
      this.#insert(attributes['r:dm'] ?? attributes['r:id'] ?? '')
  }

  /** Adds words that are no part of the text beside them. */
  #addApart(content: string): void {
    if (content !== '')
      this.#add(/\S$/.test(this.#flow.text) ? ` ${content} ` : `${content} `)
  }

  #addNote(key: string): void {
    const text = this.#parts.notes.get(key) ?? ''
    if (text !== '') this.#flow.after.push({ kind: 'paragraph', text })
  }

  #insert(id: string): void {
    const flow = this.#flow
    flow.after.push(...(this.#parts.inserted.get(id) ?? []))
    if (this.#path.includes('p')) return
    this.#endList()
    this.#addAfter()
  }

  text(content: string): void {
    if (this.#path.at(-1) === 'instrText' && this.#omitted === 0)
      this.#fields.addCode(content)
    if (this.#path.at(-1) !== 't') return
    if (this.#formula) {
      if (this.#omitted === 0) this.#formula.text(content)
    } else if (this.#path.includes('rt')) {
      if (this.#omitted === 0) this.#readings += content
    } else this.#add(marked(this.#inUnicode(content), this.#style))
  }

  #inUnicode(content: string): string {
    const { symbolFont } = this.#style
    return symbolFont ? toSymbols(symbolFont, content) : content
  }

  #add(content: string): void {
    if (content === '' || this.#omitted > 0 || this.#style.isHidden || this.hasOpenField)
      return
    if (!this.#path.includes('rubyBase')) this.#addReadings()
    this.#flow.text += content
  }

  /** Puts the readings behind all characters of a word, so that they do not tear it apart. */
  #addReadings(): void {
    if (this.#readings !== '') this.#flow.text += `(${this.#readings})`
    this.#readings = ''
  }

  close(tag: string): void {
    this.#path.pop()
    if (tag === 'sdt') this.#prompts.pop()
    if (this.#omitted > 0) this.#omitted -= 1
    else if (this.#formula) this.#closeTerm(tag, this.#formula)
    else if (tag === 'r') this.#style = {}
    else if (tag === 'fldSimple') this.#add(this.#fields.end())
    else if (tag === 'checkBox' || tag === 'ddList') this.#endChoice()
    else if (tag === 'p') this.#endParagraph()
    else if (tag === 'txbxContent') this.#endTextBox()
    else if (/^(?:tc|tr|tbl)$/.test(tag)) this.#endTablePart(tag)
  }

  #closeTerm(tag: string, formula: FormulaTree): void {
    if (tag !== 'oMath') return void formula.close()
    this.#formula = null
    this.#style = {}
    this.#add(formula.write())
  }

  /** A text box follows its paragraph; in a table, it is a part of the cell. */
  #endTextBox(): void {
    const blocks = endFlow(this.#flows.pop()!)
    if (this.#flow.tables === 0) this.#flow.after.push(...blocks)
    else this.#flow.text += blocks.map(({ text }) => ` ${text} `).join('')
  }

  #endTablePart(tag: string): void {
    const flow = this.#flow
    if (tag === 'tbl') {
      flow.tables -= 1
      if (flow.tables === 0) this.#endTable()
      else endPart(flow.paragraphs, '')
    } else if (flow.tables !== 1) endPart(flow.paragraphs, tag === 'tc' ? ',' : ';')
    else if (tag === 'tc') this.#endCell()
    else {
      if (!flow.isRowDeleted) flow.rows.push(rowText(flow.cells))
      flow.isRowDeleted = false
      flow.cells = []
    }
  }

  /** A cell of several columns is in the first, a cell of several rows in each. */
  #endCell(): void {
    const flow = this.#flow
    const column = flow.cells.length
    const own = [...flow.paragraphs, resolveMarks(flow.text)].join('\n')
    const isContinued = flow.cell === 'continued' && own.trim() === ''
    const text = isContinued ? (flow.merged[column] ?? '') : own
    if (!isContinued) flow.merged[column] = text.length > maxRepeated ? '' : text
    if (flow.cell !== 'deleted')
      flow.cells.push(text, ...Array.from({ length: flow.span - 1 }, () => ''))
    flow.text = ''
    flow.paragraphs = []
    flow.span = 1
    flow.cell = null
  }

  end(): Block[] {
    return endFlow(this.#flow)
  }

  #endParagraph(): void {
    this.#addReadings()
    const flow = this.#flow
    if (this.#continues) return
    const text = resolveMarks(flow.text).trim()
    const listed = this.#numbering.count(flow.listed, flow.style)
    const label = listed === null || listed.label === '' ? '' : `${listed.label} `
    flow.text = ''
    if (flow.tables > 0) {
      if (text !== '') flow.paragraphs.push(label === '- ' ? text : label + text)
      return
    }
    if (text !== '') this.#addParagraph(text, label, listed?.level ?? null)
    if (flow.after.length > 0) {
      this.#endList()
      this.#addAfter()
    }
  }

  /** `listLevel` is null outside of lists. */
  #addParagraph(text: string, label: string, listLevel: number | null): void {
    const { level, list, found } = this.#flow
    if (listLevel !== null && level === 0)
      return void list.push({ level: listLevel, text: label + text })
    this.#endList()
    const heading = (label === '- ' ? '' : label) + text
    found.push(
      level > 0 ? { kind: 'heading', level, text: heading } : { kind: 'paragraph', text },
    )
  }

  #addAfter(): void {
    const { found, after } = this.#flow
    for (const block of after) found.push(block)
    this.#flow.after = []
  }

  #endList(): void {
    endList(this.#flow)
  }

  #endTable(): void {
    this.#endList()
    const flow = this.#flow
    const [header, ...rest] = flow.rows.filter((row) => row !== '')
    if (header !== undefined)
      flow.found.push(
        rest.length > 0
          ? { kind: 'table', header, text: rest.join('\n') }
          : { kind: 'table', text: header },
      )
    flow.rows = []
    this.#addAfter()
  }
}

const characters: Record<string, string> = {
  tab: ' ',
  ptab: ' ',
  br: '\n',
  cr: '\n',
  noBreakHyphen: '-',
}

const maxSpan = 100
/** Characters; longer cells are not repeated. */
const maxRepeated = 200

/** Of a check box: 0 or 1; of a list: the number of the entry. */
const toChoice = (val = '1') => (/^(?:true|on)$/i.test(val) ? 1 : Number(val) || 0)
