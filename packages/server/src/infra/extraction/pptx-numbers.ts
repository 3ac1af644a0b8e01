// The automatic numbers of paragraphs in PowerPoint (ECMA-376, 21.1.2.4).
import { type NumberStyle, numberIn } from './list-numbers.ts'

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

interface AutoNumber {
  type: string
  start: number
}

/** Counts the paragraphs of one shape. */
export class PptxNumbers {
  /** By the shape's levels, for paragraphs that set no bullet. */
  readonly #usual = new Map<number, AutoNumber>()
  /** The last numbers by level, each with its kind. */
  #last: { kind: string; number: number }[] = []
  #level = 0
  /** Null for a paragraph with another bullet, or none. */
  #own: AutoNumber | null | undefined
  /** The level whose default the file describes, or null. */
  #described: number | null = null

  open(tag: string, { lvl = '0', type = '', startAt = '1' }: Record<string, string>): void {
    const described = /^lvl([1-9])pPr$/.exec(tag)?.[1]
    if (described !== undefined) this.#described = Number(described) - 1
    else if (tag === 'p') {
      this.#level = 0
      this.#own = undefined
      this.#described = null
    } else if (tag === 'pPr') this.#level = Number(lvl) || 0
    else if (/^bu(?:None|Char|Blip)$/.test(tag) && this.#described === null) this.#own = null
    else if (tag === 'buAutoNum') {
      const found = { type, start: Number(startAt) || 1 }
      if (this.#described === null) this.#own = found
      else this.#usual.set(this.#described, found)
    }
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
