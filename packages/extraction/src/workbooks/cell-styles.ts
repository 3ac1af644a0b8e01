// The styles of cells in an XLSX file (ECMA-376, 18.8): number format, and whether the font is struck out.
import { readXml } from '../office/office-xml.ts'
import { type NumberFormat, toNumberFormat } from './number-formats.ts'
import { isOn } from './rich-text.ts'

export interface CellStyle {
  format: NumberFormat
  isStruck: boolean
}

/** Returns the styles in the order to which cells refer. */
export function parseStyles(xml: string): CellStyle[] {
  const codes = new Map<number, string>()
  const struckFonts: boolean[] = []
  const styles: CellStyle[] = []
  let list = ''
  readXml(xml, {
    open(tag, { numFmtId = '', formatCode = '', fontId = '', val }) {
      if (lists.test(tag)) list = tag
      else if (tag === 'numFmt') codes.set(Number(numFmtId), formatCode)
      else if (tag === 'font' && list === 'fonts') struckFonts.push(false)
      else if (tag === 'strike' && list === 'fonts')
        struckFonts[struckFonts.length - 1] = isOn(val)
      else if (tag === 'xf' && list === 'cellXfs')
        styles.push({
          format: toNumberFormat(Number(numFmtId), codes.get(Number(numFmtId))),
          isStruck: struckFonts[Number(fontId)] === true,
        })
    },
    close(tag) {
      if (lists.test(tag)) list = ''
    },
  })
  return styles
}

const lists = /^(?:fonts|cellXfs)$/
