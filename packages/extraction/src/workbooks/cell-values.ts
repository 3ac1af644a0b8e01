// The value of an XLSX cell: by its type (ECMA-376, 18.18.11) and the number format of its style.
import { keepsDigits } from '@botstead/lib'
import { UnreadableFile } from '../blocks.ts'
import { isStruckText, marked, resolveMarks } from '../text/text-marks.ts'
import type { CellStyle } from './cell-styles.ts'
import { formatted, type NumberFormat } from './number-formats.ts'
import { toClock, toIsoDate } from './serial-dates.ts'
import type { SheetContext } from './sheet-context.ts'
import type { CellValue, CellView } from './sheets.ts'

export interface RawCell {
  type: string
  text: string
  style: CellStyle | undefined
  isFormula: boolean
  hasValue: boolean
}

/** Returns null for a cell without a value. Throws UnreadableFile. */
export function toCellValue(
  cell: RawCell,
  reference: string,
  context: SheetContext,
): CellValue {
  const { view, remarks } = context
  if (!cell.hasValue) {
    if (cell.isFormula)
      remarks.add('Formulas without a stored value are empty', reference)
    return null
  }
  const value = readValue(cell, reference, context)
  const isStruck = cell.style?.isStruck === true
  if (view === 'text') {
    const text = String(value ?? '')
    return resolveMarks(isStruck ? marked(resolveMarks(text, plain), { isStruck }) : text)
  }
  if (value !== null && (isStruck || (typeof value === 'string' && isStruckText(value))))
    remarks.add(struckRemark, reference)
  return typeof value === 'string' ? resolveMarks(value, plain) : value
}

export const struckRemark = 'Struck-out values were imported like others'
const plain = { keepsStruck: false }

/** Returns texts with their marks. */
function readValue(
  { type, text, style }: RawCell,
  reference: string,
  { view, is1904, strings, remarks, name }: SheetContext,
): CellValue {
  switch (type) {
    case 's': {
      if (text.trim() === '') return null
      const shared = strings[Number(text)]
      if (shared !== undefined) return toTextCell(shared, style?.format, view)
      throw new UnreadableFile(
        `The workbook is damaged: the text of cell ${reference} in sheet "${name}" is missing`,
      )
    }
    case 'str':
    case 'inlineStr':
      return toTextCell(unescapeText(text), style?.format, view)
    case 'b':
      return toBoolean(text, view)
    case 'e':
      if (view === 'text') return text
      remarks.add('Cells with errors such as #N/A are empty', reference)
      return null
    case 'd':
      return toDateCell(text.trim(), view)
    default:
      return toNumberCell(text, style?.format, { view, is1904 })
  }
}

/** A format may add to texts: `"No. "@`. */
function toTextCell(
  text: string,
  format: NumberFormat | undefined,
  view: CellView,
): string {
  const isAdded = view === 'text' && format?.code?.includes('@') === true
  return (isAdded ? formatted(text, format.code!) : null) ?? text
}

function toBoolean(text: string, view: CellView): CellValue {
  const isTrue = /^(?:1|true)$/i.test(text.trim())
  return view === 'text' ? String(isTrue).toUpperCase() : isTrue
}

/** A date in ISO 8601, without an offset: spreadsheets have no time zones. */
export function toDateCell(text: string, view: CellView): CellValue {
  const [, day, time = '00:00:00'] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)Z?)?$/.exec(text) ?? []
  const date = new Date(`${day}T${time}Z`)
  if (day === undefined || Number.isNaN(date.getTime())) return text
  return view === 'data' ? date.toISOString() : toShownDate(date.toISOString())
}

function toNumberCell(
  text: string,
  format: NumberFormat | undefined,
  { view, is1904 }: { view: CellView; is1904: boolean },
): CellValue {
  const number = Number(text)
  if (text.trim() === '') return null
  if (!Number.isFinite(number)) return text
  const moment = format ? toMoment(number, format, is1904) : null
  if (moment !== null) return view === 'text' ? toShownDate(moment) : moment
  // Programs other than spreadsheets may write more digits than a number has.
  if (/^\s*-?\d{16,}\s*$/.test(text) && !keepsDigits(text.trim())) return text.trim()
  const shown = toShownNumber(number, format)
  if (view === 'text') return shown
  // A code with an empty part may look like another number: -4711.
  return format?.isCode && (Number(shown) === number || Number.isNaN(Number(shown)))
    ? shown
    : number
}

/** Returns a date in ISO 8601, or a time or duration as on a clock; null for another number. */
function toMoment(number: number, format: NumberFormat, is1904: boolean): string | null {
  if (format.kind === 'duration') return toClock(number, format)
  if (format.kind !== 'date' && format.kind !== 'time') return null
  const isTimeOnly =
    number >= 0 && number < 1 && (format.kind === 'time' || (number > 0 && !is1904))
  return isTimeOnly ? toClock(number, format) : toIsoDate(number, { ...format, is1904 })
}

/** Dates without a time at midnight, else with hours, minutes, and seconds if not 0. */
const toShownDate = (text: string) =>
  text
    .replace(/T00:00:00\.000Z$/, '')
    .replace(/T(\d\d:\d\d)(:\d\d)\.(\d{3})Z$/, (_, minutes: string, seconds: string) =>
      seconds === ':00' ? ` ${minutes}` : ` ${minutes}${seconds}`,
    )

function toShownNumber(number: number, format: NumberFormat | undefined): string {
  const isWritten = format?.kind === 'number' && format.code !== null
  const shown = isWritten ? formatted(number, format.code!) : null
  return shown ?? String(Number(number.toPrecision(15)))
}

/** Characters that XML cannot hold are written as `_x000D_`, and `_x005F_` is an underscore before `x`. */
export const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text
