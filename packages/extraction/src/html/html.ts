// Extracts text from HTML in one pass without building a tree, so that time and memory are linear.
// Reads hidden elements: the answers of accordions and the texts of tabs are hidden until a click.
import { Parser } from 'htmlparser2'
import { type Block, type BlockKind, depthGuard, oneLine } from '../blocks.ts'
import { KatexTree } from '../katex-tree.ts'
import { FormulaTree } from '../office/formula-tree.ts'
import { marked, type TextStyle } from '../text/text-marks.ts'
import { HtmlBlocks, labelEnd } from './html-blocks.ts'
import {
  getAlternativeText,
  hasVersions,
  headingLevel,
  isBlock,
  isCell,
  isDrawing,
  isKatex,
  isTex,
  questionLevel,
  type Silence,
  silenceIn,
  standsApart,
  structures,
  styleIn,
} from './html-elements.ts'
import { countItems, type OpenList, toLabel, toOpenList } from './html-lists.ts'

interface Options {
  /** Reads menus, too. */
  withMenus: boolean
  /** Depth of documents inside of documents. */
  depth: number
}

const maxDocuments = 3

/** A page that has no text but menus consists of its menus. */
export function htmlBlocks(html: string): Block[] {
  const found = readHtml(html, { withMenus: false, depth: 0 })
  const isEmpty = found.every((block) => block.kind === 'heading' && block.level === 0)
  return isEmpty ? readHtml(html, { withMenus: true, depth: 0 }) : found
}

function readHtml(html: string, options: Options): Block[] {
  const reader = new HtmlReader(options, countItems(html))
  const depth = depthGuard()
  /** The actions at the ends of the open elements. */
  const ends: (() => void)[] = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth.opened()
        ends.push(reader.open(name, attributes))
      },
      ontext: (data) => reader.text(data),
      onclosetag() {
        depth.closed()
        ends.pop()?.()
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  parser.write(html)
  parser.end()
  return reader.end()
}

const nothing = () => {}
const tableParts = /^(?:thead|tbody|tfoot|tr|td|th|caption)$/

class HtmlReader {
  readonly #options: Options
  readonly #itemCounts: Iterator<number>
  readonly #blocks = new HtmlBlocks()
  #silence: Silence = null
  #title: string | null = null
  /** Collects text that does not belong into the current block: the title, and readings of characters. */
  #aside: ((data: string) => void) | null = null
  #readings = ''
  /** Id of the element with the answer to the last question. */
  #answer: string | undefined
  /** The open formula. */
  #formula: FormulaTree | KatexTree | null = null
  /** For each open container of versions of one formula, whether one was read. */
  readonly #versions: boolean[] = []
  /** Whether the formula was read, whose source may follow in a script. */
  #wasWritten = false
  /** Of raised, lowered and struck text. */
  #style: TextStyle = {}

  /** `itemCounts` are those of the ordered lists. */
  constructor(options: Options, itemCounts: number[]) {
    this.#options = options
    this.#itemCounts = itemCounts[Symbol.iterator]()
  }

  /** Returns the action at the element's end. */
  open(name: string, attributes: Record<string, string>): () => void {
    if (this.#formula) return this.#openTerm(this.#formula, name, attributes)
    const [outer, outerStyle] = [this.#silence, this.#style]
    const count = name === 'ol' ? (this.#itemCounts.next().value ?? 0) : 0
    this.#style = styleIn(outerStyle, name, attributes)
    this.#silence = this.#silenceIn(name, attributes)
    const isSilent = outer !== null && this.#silence !== null
    const end = isSilent ? nothing : this.#begin(name, attributes, count)
    return () => {
      this.#silence = outer
      this.#style = outerStyle
      end()
    }
  }

  #silenceIn(name: string, attributes: Record<string, string>): Silence {
    const found = silenceIn(this.#silence, name, attributes, this.#options.withMenus)
    // "Copy" in a listing.
    if (name === 'button' && this.#blocks.here.kind === 'code') return 'element'
    if (this.#versions.at(-1)) return found ?? 'element'
    const isSource = name === 'script' && isTex(attributes)
    const isRead = isSource && this.#silence === null && !this.#wasWritten
    if (isSource || isDrawing(name, attributes)) this.#wasWritten = false
    return isRead ? null : found
  }

  #openTerm(
    formula: FormulaTree | KatexTree,
    name: string,
    attributes: Record<string, string>,
  ): () => void {
    formula.open(name, attributes)
    return () => formula.close()
  }

  #openFormula(formula: FormulaTree | KatexTree, alttext = ''): () => void {
    this.#formula = formula
    return () => {
      this.#formula = null
      this.#blocks.here.text += formula.write() || alttext
      this.#endVersion()
    }
  }

  #endVersion(): void {
    if (this.#versions.length > 0) this.#versions[this.#versions.length - 1] = true
  }

  /** Of several versions of a formula, the first in MathML is read. */
  #openVersions({ 'data-mathml': written }: Record<string, string>): () => void {
    this.#versions.push(false)
    if (written !== undefined) {
      const blocks = readHtml(written, { ...this.#options, depth: maxDocuments })
      this.#blocks.here.text += blocks.map(({ text }) => text).join(' ')
      this.#endVersion()
    }
    return () => {
      this.#wasWritten = this.#versions.pop() === true
    }
  }

  /** `count` is the number of items of an ordered list. */
  #begin(name: string, attributes: Record<string, string>, count: number): () => void {
    if (name === 'title') return this.#openTitle()
    if (name === 'iframe') this.#addDocument(attributes.srcdoc)
    const kind = structures[name]
    const level = headingLevel(name, attributes)
    if (this.#silence !== null) return this.#separate(name)
    if (name === 'math') return this.#openFormula(new FormulaTree(), attributes.alttext)
    if (isKatex(attributes)) return this.#openFormula(new KatexTree())
    if (hasVersions(name, attributes)) return this.#openVersions(attributes)
    if (kind) return this.#openStructure(kind, name, attributes, count)
    if (level > 0 && this.#canHaveHeading) return this.#openHeading(level, attributes)
    const instead = getAlternativeText(name, attributes)
    if (instead !== '') this.#blocks.here.text += ` ${instead} `
    return this.#openPart(name, attributes)
  }

  #openPart(name: string, attributes: Record<string, string>): () => void {
    const isAnswer = attributes.id !== undefined && attributes.id === this.#answer
    if (isAnswer || name === 'details') return this.#openAnswer(name)
    if (name === 'noscript') return this.#openNoScript()
    if (name === 'li' || name === 'dt') this.#openItem(attributes)
    else if (name === 'br') this.#blocks.here.text += '\n'
    else if (name === 'ruby' || name === 'rt') return this.#openRuby(name)
    else if (tableParts.test(name) && this.#blocks.here.kind === 'table')
      return this.#openTablePart(name, attributes)
    return this.#separate(isCell(attributes) ? 'object' : name)
  }

  #openTitle(): () => void {
    const isFirst = this.#title === null && this.#silence === null
    if (isFirst) this.#title = ''
    return this.#setAside((data) => {
      if (isFirst) this.#title += data
    })
  }

  #setAside(collect: (data: string) => void): () => void {
    const outer = this.#aside
    this.#aside = collect
    return () => {
      this.#aside = outer
    }
  }

  /** Adds the blocks of an embedded document. */
  #addDocument(html: string | undefined): void {
    const depth = this.#options.depth + 1
    if (html === undefined || depth > maxDocuments) return
    this.#blocks.emit()
    for (const block of readHtml(html, { ...this.#options, depth }))
      if (block.kind !== 'heading' || block.level > 0) this.#blocks.found.push(block)
  }

  get #canHaveHeading(): boolean {
    return this.#blocks.here.kind === 'layout' && this.#blocks.heading === 0
  }

  #openHeading(level: number, attributes: Record<string, string>): () => void {
    this.#blocks.emit()
    this.#blocks.heading = level
    if (level === questionLevel) this.#answer = attributes['aria-controls']
    return () => this.#blocks.endBlock()
  }

  /** Text after the answer does not belong to the question. */
  #openAnswer(name: string): () => void {
    const end = this.#separate(name)
    return () => {
      end()
      if (this.#blocks.here.kind !== 'layout') return
      this.#blocks.emit()
      this.#blocks.found.push({ kind: 'heading', level: questionLevel, text: '' })
    }
  }

  /** A list in a list is a part of it. A structure in a cell is text, but a table makes it a layout. */
  #openStructure(
    kind: BlockKind,
    name: string,
    attributes: Record<string, string>,
    count: number,
  ): () => void {
    const list = toOpenList(name, attributes, count)
    if (this.#blocks.here.kind === 'list' && kind === 'list') return this.#openList(list)
    if (this.#blocks.here.kind === 'table' && kind !== 'table')
      return this.#openListInCell(list)
    this.#blocks.endBlock()
    if (this.#blocks.here.kind === 'table') this.#blocks.here.kind = 'layout'
    const isLayout =
      kind === 'table' && /^(?:presentation|none)$/.test(attributes.role ?? '')
    const end = this.#blocks.openContainer(isLayout ? 'layout' : kind)
    if (kind === 'list') this.#openList(list)
    return end
  }

  #openList(list: OpenList): () => void {
    const { lists } = this.#blocks.here
    lists.push(list)
    return () => {
      lists.pop()
      if (lists.length > 0 && this.#blocks.here.kind === 'list')
        this.#blocks.here.text += '\n'
    }
  }

  #openListInCell(list: OpenList): () => void {
    const end = this.#separate('div')
    const endList = this.#openList(list)
    return () => {
      endList()
      end()
    }
  }

  #openItem({ value }: Record<string, string>): void {
    const { kind, lists } = this.#blocks.here
    const list = lists.at(-1)
    if (kind !== 'list') {
      this.#separate('li')
      const before = this.#blocks.here.text.trimEnd()
      if (kind === 'table' && before !== '') this.#blocks.here.text = `${before}; `
      if (list && list.next !== null) this.#blocks.here.text += `${toLabel(list, value)} `
      return
    }
    const indent = '  '.repeat(Math.max(lists.length - 1, 0))
    this.#blocks.here.text += `\n${indent}${list ? toLabel(list, value) : '-'}${labelEnd} `
  }

  /** Puts the readings behind the characters, so that they do not tear words apart. */
  #openRuby(name: string): () => void {
    if (name === 'rt')
      return this.#setAside((data) => {
        this.#readings += data
      })
    this.#readings = ''
    return () => {
      if (this.#readings.trim() !== '')
        this.#blocks.here.text += `(${oneLine(this.#readings)})`
      this.#readings = ''
    }
  }

  #openTablePart(name: string, attributes: Record<string, string>): () => void {
    const table = this.#blocks.here
    if (name === 'tr') this.#blocks.endRow(table)
    else if (/^t(?:head|body|foot)$/.test(name)) this.#blocks.openSection(table, name)
    else if (table.text.trim() !== '') this.#blocks.endCell(table)
    if (name === 'td') table.hasData = true
    return () => {
      // The table may have become a layout.
      if (table.kind !== 'table') this.#blocks.emit()
      else if (name === 'tr') this.#blocks.endRow(table)
      else if (name === 'caption') this.#blocks.addBlock('paragraph', table)
      else if (/^t[dh]$/.test(name)) this.#blocks.endCell(table, attributes)
      else this.#blocks.openSection(table, 'tbody')
    }
  }

  /** Separates the element's text from the text around it. */
  #separate(name: string): () => void {
    const isParagraph = isBlock(name)
    if (!isParagraph && !standsApart(name)) return nothing
    const separate = () => {
      const { kind, text } = this.#blocks.here
      if (kind === 'code')
        this.#blocks.here.text += isParagraph && /[^\n]$/.test(text) ? '\n' : ''
      else if (isParagraph && kind === 'layout' && this.#endsBlock(name))
        this.#blocks.endBlock()
      else this.#blocks.here.text += ' '
    }
    separate()
    return separate
  }

  /** An unclosed heading ends before a paragraph; boxes inside of a heading do not end it. */
  #endsBlock(name: string): boolean {
    return (
      this.#blocks.heading === 0 || (name === 'p' && this.#blocks.here.text.trim() !== '')
    )
  }

  /** Omits a notice that the page needs scripts. */
  #openNoScript(): () => void {
    const end = this.#separate('noscript')
    const from = this.#blocks.found.length
    return () => {
      end()
      if (this.#blocks.found.slice(from).some(({ text }) => /java ?script/i.test(text)))
        this.#blocks.found.length = from
    }
  }

  text(data: string): void {
    if (this.#formula) this.#formula.text(data)
    else if (this.#aside) this.#aside(data)
    else if (this.#silence === null && !this.#versions.at(-1))
      this.#blocks.here.text +=
        this.#blocks.here.kind === 'code'
          ? data
          : marked(data.replaceAll(/\s+/g, ' '), this.#style)
  }

  /** Returns the blocks of the document, its title first. */
  end(): Block[] {
    this.#blocks.emit()
    const title = oneLine(this.#title ?? '')
    return title === ''
      ? this.#blocks.found
      : [{ kind: 'heading', level: 0, text: title }, ...this.#blocks.found]
  }
}
