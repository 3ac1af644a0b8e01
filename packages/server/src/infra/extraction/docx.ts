// Word documents (ECMA-376, WordprocessingML): paragraphs by style, lists, tables and notes. Omits
// deleted text.
import type { Block } from './blocks.ts'
import { rowText } from './csv.ts'
import { openParts, readXml, type ZipParts } from './office-zip.ts'

export function docxBlocks(bytes: Uint8Array): Block[] {
  const parts = openParts(bytes, /^word\/(?:document|styles|footnotes|endnotes)\.xml$/)
  const levels = headingStyles(parts)
  return ['document', 'footnotes', 'endnotes'].flatMap((name) =>
    storyOf(parts.get(`word/${name}.xml`) ?? '', levels),
  )
}

/**
 * Maps style ids to heading levels, by outline level or by style name, which is the same in every
 * language version of Word.
 */
function headingStyles(parts: ZipParts): Map<string, number> {
  const levels = new Map<string, number>()
  let style = ''
  readXml(parts.get('word/styles.xml') ?? '', {
    open(tag, { styleId = '', val = '' }) {
      if (tag === 'style') style = styleId
      const named = tag === 'name' ? /^(?:heading (\d)|(title))$/i.exec(val) : null
      if (named) levels.set(style, Number(named[1] ?? 1))
      if (tag === 'outlineLvl' && Number(val) < 9 && !levels.has(style))
        levels.set(style, Number(val) + 1)
    },
  })
  return levels
}

function storyOf(xml: string, levels: Map<string, number>): Block[] {
  const story = new Story(levels)
  readXml(xml, {
    open: (tag, { val = '' }) => story.open(tag, val),
    text: (content) => story.text(content),
    close: (tag) => story.close(tag),
  })
  return story.end()
}

/** The blocks of one part of the document. */
class Story {
  readonly #levels: Map<string, number>
  readonly #found: Block[] = []
  #text = ''
  /** Level of the current paragraph if it is a heading; otherwise 0. */
  #level = 0
  #isListed = false
  #isReading = false
  #list: string[] = []
  /** Depth of open tables. */
  #tables = 0
  #rows: string[] = []
  #cells: string[] = []

  constructor(levels: Map<string, number>) {
    this.#levels = levels
  }

  open(tag: string, val: string): void {
    if (tag === 'p') {
      this.#level = 0
      this.#isListed = false
    } else if (tag === 'pStyle') this.#level = this.#levels.get(val) ?? 0
    else if (tag === 'outlineLvl' && Number(val) < 9) this.#level = Number(val) + 1
    else if (tag === 'numPr') this.#isListed = true
    else if (tag === 't') this.#isReading = true
    else if (tag === 'tab') this.#text += ' '
    else if (tag === 'br' || tag === 'cr') this.#text += '\n'
    else if (tag === 'tbl') this.#tables += 1
  }

  text(content: string): void {
    if (this.#isReading) this.#text += content
  }

  close(tag: string): void {
    if (tag === 't') this.#isReading = false
    else if (tag === 'p') this.#endParagraph()
    else if (tag === 'tc' && this.#tables === 1) {
      this.#cells.push(this.#text)
      this.#text = ''
    } else if (tag === 'tr' && this.#tables === 1) {
      this.#rows.push(rowText(this.#cells))
      this.#cells = []
    } else if (tag === 'tbl') {
      this.#tables -= 1
      if (this.#tables === 0) this.#endTable()
    }
  }

  end(): Block[] {
    this.#endList()
    return this.#found
  }

  #endParagraph(): void {
    if (this.#tables > 0) {
      this.#text += '\n'
      return
    }
    const text = this.#text.trim()
    const level = this.#level
    this.#text = ''
    if (text === '') return
    if (this.#isListed) return void this.#list.push(`- ${text}`)
    this.#endList()
    this.#found.push(level > 0 ? { kind: 'heading', level, text } : { kind: 'paragraph', text })
  }

  #endList(): void {
    if (this.#list.length > 0) this.#found.push({ kind: 'list', text: this.#list.join('\n') })
    this.#list = []
  }

  #endTable(): void {
    this.#endList()
    const [header, ...rest] = this.#rows.filter((row) => row !== '')
    if (header !== undefined)
      this.#found.push(
        rest.length > 0
          ? { kind: 'table', header, text: rest.join('\n') }
          : { kind: 'table', text: header },
      )
    this.#rows = []
  }
}
