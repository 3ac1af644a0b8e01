// The automatic numbers of paragraphs in PowerPoint (ECMA-376, 21.1.2.4).
import { type NumberStyle, numberIn } from './list-numbers.ts'
import {
  type AutoNumber,
  type LevelNumbers,
  LevelReader,
  toAutoNumber,
} from './pptx-list-styles.ts'

const styles: [start: RegExp, style: NumberStyle][] = [
  [/^alphaLc/, 'lowerLetter'],
  [/^alphaUc/, 'upperLetter'],
  [/^romanLc/, 'lowerRoman'],
  [/^romanUc/, 'upperRoman'],
  [/^circle/, 'circled'],
  [/^arabicDb/, 'fullWidth'],
  [/^ea1/, 'hanCount'],
  [/^thaiNum/, 'thai'],
  [/^hindiNum/, 'hindi'],
]

/** Counts the paragraphs of one shape. */
export class PptxNumbers {
  /** For paragraphs that set no bullet. */
  #usual: LevelNumbers = new Map()
  readonly #reader = new LevelReader()
  /** The last numbers by level, each with its kind. */
  #last: { kind: string; number: number }[] = []
  #level = 0
  /** Null for a paragraph with another bullet, or none. */
  #own: AutoNumber | null | undefined

  inherit(levels: LevelNumbers): void {
    this.#usual = new Map(levels)
  }

  open(tag: string, attributes: Record<string, string>): void {
    if (this.#reader.open(tag, attributes, this.#usual)) return
    if (tag === 'p') {
      this.#level = 0
      this.#own = undefined
    } else if (tag === 'pPr') this.#level = Number(attributes.lvl) || 0
    const own = toAutoNumber(tag, attributes)
    if (own !== undefined) this.#own = own
  }

  /** Counts the current paragraph. Returns its number with a space, empty for none. */
  label(): string {
    const auto = this.#own === undefined ? this.#usual.get(this.#level) : this.#own
    const last = this.#last[this.#level]
    this.#last.length = Math.min(this.#last.length, this.#level)
    if (!auto) return ''
    const kind = `${auto.type} ${auto.start}`
    const number = last?.kind === kind ? last.number + 1 : auto.start
    this.#last[this.#level] = { kind, number }
    return `${written(auto.type, number)} `
  }
}

function written(type: string, number: number): string {
  const text = numberIn(styles.find(([start]) => start.test(type))?.[1], number)
  if (/Both$/.test(type)) return `(${text})`
  if (/R$/.test(type)) return `${text})`
  if (/Minus$/.test(type)) return `${text}-`
  return /(?:Plain|^circle.*)$/.test(type) ? text : `${text}.`
}
