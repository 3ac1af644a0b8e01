// Word documents (ECMA-376, WordprocessingML): paragraphs by style, lists, tables and notes. Omits deleted
// text.
import type { Block } from './blocks.ts'
import { rowText } from './csv.ts'
import { openParts, type Parts, readXml } from './office-zip.ts'

export function docxBlocks(bytes: Uint8Array): Block[] {
  const parts = openParts(bytes, /^word\/(?:document|styles|footnotes|endnotes)\.xml$/)
  const levels = headingStyles(parts)
  return ['document', 'footnotes', 'endnotes'].flatMap((name) =>
    storyOf(parts.get(`word/${name}.xml`) ?? '', levels),
  )
}

/**
 * Maps style ids to heading levels, by outline level or by style name, which is the same in every language
 * version of Word.
 */
function headingStyles(parts: Parts): Map<string, number> {
  const levels = new Map<string, number>()
  let style = ''
  readXml(parts.get('word/styles.xml') ?? '', {
    open(tag, { styleId = '', val = '' }) {
      if (tag === 'style') style = styleId
      const named = tag === 'name' ? /^(?:heading (\d)|(title))$/i.exec(val) : null
      if (named) levels.set(style, Number(named[1] ?? 1))
      if (tag === 'outlineLvl' && Number(val) < 9 && !levels.has(style)) levels.set(style, Number(val) + 1)
    },
  })
  return levels
}

function storyOf(xml: string, levels: Map<string, number>): Block[] {
  const found: Block[] = []
  let text = ''
  let level = 0
  let listed = false
  let reading = false
  let list: string[] = []
  let tables = 0
  let rows: string[] = []
  let cells: string[] = []

  const endList = () => {
    if (list.length > 0) found.push({ kind: 'list', text: list.join('\n') })
    list = []
  }
  const endParagraph = () => {
    if (tables > 0) {
      text += '\n'
      return
    }
    const content = text.trim()
    text = ''
    if (content === '') return
    if (listed) return void list.push(`- ${content}`)
    endList()
    found.push(level > 0 ? { kind: 'heading', level, text: content } : { kind: 'paragraph', text: content })
  }
  const endTable = () => {
    endList()
    const [header, ...rest] = rows.filter((row) => row !== '')
    if (header !== undefined)
      found.push(
        rest.length > 0 ? { kind: 'table', header, text: rest.join('\n') } : { kind: 'table', text: header },
      )
    rows = []
  }

  readXml(xml, {
    open(tag, { val = '' }) {
      if (tag === 'p') {
        level = 0
        listed = false
      } else if (tag === 'pStyle') level = levels.get(val) ?? 0
      else if (tag === 'outlineLvl' && Number(val) < 9) level = Number(val) + 1
      else if (tag === 'numPr') listed = true
      else if (tag === 't') reading = true
      else if (tag === 'tab') text += ' '
      else if (tag === 'br' || tag === 'cr') text += '\n'
      else if (tag === 'tbl') tables += 1
    },
    text(content) {
      if (reading) text += content
    },
    close(tag) {
      if (tag === 't') reading = false
      else if (tag === 'p') endParagraph()
      else if (tag === 'tc' && tables === 1) {
        cells.push(text)
        text = ''
      } else if (tag === 'tr' && tables === 1) {
        rows.push(rowText(cells))
        cells = []
      } else if (tag === 'tbl') {
        tables -= 1
        if (tables === 0) endTable()
      }
    },
  })
  endList()
  return found
}
