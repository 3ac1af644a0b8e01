// Assembles the lines of a page of a PDF: pieces of text arrive in drawing order; those at the same height
// form a line. Values of form fields and text boxes on the page join the line beside them.
import { oneLine } from './blocks.ts'
import { marked, resolveMarks, type TextStyle } from './text/text-marks.ts'

export interface Line {
  text: string
  size: number
  /** Distance from the top of the page, in the direction of the text. */
  top: number
}

/** Text of pdf.js. Text of XFA forms has no position. */
export interface TextItem {
  str?: string
  transform?: number[]
  width?: number
  hasEOL?: boolean
}

/** An annotation of pdf.js. */
export interface Annotation {
  subtype?: string
  rect: [left: number, bottom: number, right: number, top: number]
  annotationFlags?: number
  contentsObj?: { str?: string }
  textContent?: string[]
  fieldType?: string
  fieldValue?: unknown
  password?: boolean
  checkBox?: boolean
  radioButton?: boolean
  exportValue?: string
  buttonValue?: string | null
  options?: { exportValue: string; displayValue: string }[]
}

interface PlacedLine {
  size: number
  top: number
  /** In quarters of a turn. */
  turn: number
  pieces: { left: number; text: string }[]
}

export function toLines(
  items: TextItem[],
  annotations: Annotation[],
  pageTurn: number,
): Line[] {
  const lines = placeItems(items)
  for (const annotation of annotations) {
    const text = shownText(annotation)
    if (text !== '') placeText(lines, annotation.rect, text, pageTurn)
  }
  return lines
    .map(({ size, top, pieces }) => ({
      size,
      top,
      text: oneLine(resolveMarks(pieces.map(({ text }) => text).join(''))),
    }))
    .filter(({ text }) => text !== '')
}

/** A piece of text in a line. */
interface Run {
  size: number
  top: number
  right: number
  style: TextStyle
}

function placeItems(items: TextItem[]): PlacedLine[] {
  const lines: PlacedLine[] = []
  let line: PlacedLine | null = null
  let before: Run | null = null
  for (const { str = '', transform, width = 0, hasEOL } of items) {
    if (!transform) {
      lines.push({
        size: 0,
        top: lines.length,
        turn: 0,
        pieces: [{ left: 0, text: str }],
      })
      continue
    }
    const { size, turn, left, top } = findPosition(transform)
    if (line && !isBeside(line, { size, turn, top })) line = null
    if (!line && str.trim() === '') continue
    if (!line) {
      line = { size, top, turn, pieces: [] }
      lines.push(line)
      before = null
    }
    const style: TextStyle =
      before === null ? {} : styleAfter(before, { size, top, left })
    line.pieces.push({ left, text: marked(str, style) })
    if (str !== '')
      before = str.endsWith(' ') ? null : { size, top, right: left + width, style }
    if (hasEOL) line = null
  }
  return lines
}

/** Smaller text above or below the line of the text in front is raised or lowered. */
function styleAfter(
  before: Run,
  { size, top, left }: { size: number; top: number; left: number },
): TextStyle {
  if (left - before.right > before.size * maxGap) return {}
  if (size === before.size && Math.abs(top - before.top) < size * 0.05)
    return before.style
  if (size > before.size * maxRaisedSize) return {}
  const rise = (before.top - top) / before.size
  return { isRaised: rise > 0.15, isLowered: rise < -0.05 }
}

/** Shares of the size of the text in front. */
const maxGap = 0.3
const maxRaisedSize = 0.85

const isBeside = (line: PlacedLine, { size, turn, top }: Omit<PlacedLine, 'pieces'>) =>
  line.turn === turn && Math.abs(line.top - top) <= Math.max(line.size, size) * 0.5

function findPosition([a = 1, b = 0, c = 0, d = 1, x = 0, y = 0]: number[]) {
  const turn = Math.round((Math.atan2(b, a) * 2) / Math.PI)
  return { size: Math.round(Math.hypot(c, d) * 2) / 2, turn, ...turned(x, y, turn) }
}

/** Returns a position in the direction of text that is turned by quarters. */
function turned(x: number, y: number, turn: number): { left: number; top: number } {
  const [cos, sin] = [
    Math.round(Math.cos((turn * Math.PI) / 2)),
    Math.round(Math.sin((turn * Math.PI) / 2)),
  ]
  return { left: cos * x + sin * y, top: sin * x - cos * y }
}

/** Inserts a text into the line at its height, by its left edge; else as a separate line. */
function placeText(
  lines: PlacedLine[],
  [x1, y1, x2, y2]: Annotation['rect'],
  text: string,
  pageTurn: number,
): void {
  const corners = [turned(x1, y1, pageTurn), turned(x2, y2, pageTurn)]
  const left = Math.min(...corners.map((corner) => corner.left))
  const [top, bottom] = corners.map((corner) => corner.top).sort((a, b) => a - b) as [
    number,
    number,
  ]
  const beside = lines.find((line) => line.top >= top && line.top <= bottom)
  if (beside) {
    const at = beside.pieces.findIndex((piece) => piece.left > left)
    const piece = { left, text: ` ${text} ` }
    beside.pieces.splice(at === -1 ? beside.pieces.length : at, 0, piece)
    return
  }
  const below = lines.findIndex((line) => line.top > bottom)
  const size = lines[below]?.size ?? lines.at(-1)?.size ?? 0
  const line = { size, top: bottom, turn: 0, pieces: [{ left, text }] }
  lines.splice(below === -1 ? lines.length : below, 0, line)
}

/** The flags Hidden and NoView (PDF 32000-1, table 165). */
const invisible = 2 | 32

/** Returns the text that a viewer draws for an annotation. Notes and comments are not on the page. */
function shownText(annotation: Annotation): string {
  const { subtype, annotationFlags = 0, fieldType, password } = annotation
  if (annotationFlags & invisible || password) return ''
  if (subtype === 'Widget') {
    if (fieldType === 'Btn') return isChecked(annotation) ? '☑' : ''
    return fieldType === 'Tx' || fieldType === 'Ch' ? shownValue(annotation) : ''
  }
  if (subtype !== 'FreeText' && subtype !== 'Stamp') return ''
  return oneLine(annotation.contentsObj?.str || (annotation.textContent ?? []).join(' '))
}

const isChecked = ({
  fieldValue,
  checkBox,
  radioButton,
  exportValue,
  buttonValue,
}: Annotation) =>
  typeof fieldValue === 'string' &&
  fieldValue !== 'Off' &&
  ((checkBox && fieldValue === exportValue) ||
    (radioButton && fieldValue === buttonValue))

/** Choices have names for people. */
const shownValue = ({ fieldValue, options = [] }: Annotation) =>
  [fieldValue]
    .flat()
    .filter((value) => typeof value === 'string')
    .map(
      (value) =>
        options.find(({ exportValue }) => exportValue === value)?.displayValue ?? value,
    )
    .map(oneLine)
    .join(', ')
