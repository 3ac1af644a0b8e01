// The styles of a Word document (ECMA-376, 17.7): headings, hidden and struck text, numbered lists.

import type { TextStyle } from '../text/text-marks.ts'
import { isSymbolFont } from './office-symbols.ts'
import { readXml } from './office-xml.ts'

export interface RunStyle extends TextStyle {
  isHidden?: boolean
  /** Of a font that draws symbols in place of letters. */
  symbolFont?: string | null
}

/** The list of a paragraph; `id` is that of its numbering, `0` for none. */
export interface ListReference {
  id?: string
  level?: number
}

export interface DocxStyle {
  /** Of a heading, from 1. */
  level?: number | undefined
  run: RunStyle
  list: ListReference
}

/**
 * Returns styles by id, each with what it inherits. Headings have an outline level, or a name, which is the
 * same in every language version of Word.
 */
export function parseStyles(xml: string): Map<string, DocxStyle> {
  const own = new Map<string, DocxStyle>()
  const bases = new Map<string, string>()
  let style: DocxStyle = { run: {}, list: {} }
  let id = ''
  readXml(xml, {
    open(tag, attributes) {
      const { styleId = '', val = '' } = attributes
      if (tag === 'style') {
        id = styleId
        style = { run: {}, list: {} }
        own.set(id, style)
      } else if (tag === 'basedOn') bases.set(id, val)
      else if (tag === 'name') style.level = levelOfName(val) ?? style.level
      else if (tag === 'outlineLvl' && Number(val) < 9) style.level ??= Number(val) + 1
      else if (tag === 'numId') style.list.id = val
      else if (tag === 'ilvl') style.list.level = Number(val)
      else Object.assign(style.run, runProperty(tag, attributes))
    },
  })
  return new Map([...own.keys()].map((key) => [key, inherited(key, own, bases)]))
}

function levelOfName(name: string): number | undefined {
  const named = /^(?:heading (\d)|(title))$/i.exec(name)
  return named ? Number(named[1] ?? 1) : undefined
}

/** Word allows ten styles above each other. */
function inherited(
  id: string,
  own: Map<string, DocxStyle>,
  bases: Map<string, string>,
  depth = 0,
): DocxStyle {
  const { level, run, list } = own.get(id) ?? { run: {}, list: {} }
  const base = bases.get(id)
  if (base === undefined || depth > 10) return { level, run, list }
  const above = inherited(base, own, bases, depth + 1)
  return {
    level: level ?? above.level,
    run: { ...above.run, ...run },
    list: { ...above.list, ...list },
  }
}

/** Returns what an element of run properties says about the text. */
export function runProperty(tag: string, attributes: Record<string, string>): RunStyle {
  const { val, ascii } = attributes
  if (tag === 'rFonts' && ascii !== undefined)
    return { symbolFont: isSymbolFont(ascii) ? ascii : null }
  if (tag === 'vanish') return { isHidden: isOn(val) }
  if (tag === 'strike' || tag === 'dstrike') return { isStruck: isOn(val) }
  // In half points: smaller shifts align pictures.
  if (tag === 'position')
    return { isRaised: Number(val) >= 4, isLowered: Number(val) <= -3 }
  if (tag !== 'vertAlign') return {}
  return { isRaised: val === 'superscript', isLowered: val === 'subscript' }
}

const isOn = (val: string | undefined) =>
  val === undefined || !/^(?:0|false|off)$/i.test(val)
