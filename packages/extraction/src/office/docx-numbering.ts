// The automatic numbers of paragraphs in Word (ECMA-376, 17.9): `2.1`, `b)`, `§ 3`.
import type { DocxStyle, ListReference } from './docx-styles.ts'
import { type NumberStyle, numberIn } from './list-numbers.ts'
import { readXml } from './office-xml.ts'

interface Level {
  start: number
  format: string
  /** With the numbers of levels as `%1`. */
  text: string
  /** The number of a level from 1, after which this one begins again; 0 for none. */
  restart?: number
  /** Whether all numbers are written in digits. */
  isLegal: boolean
  /** The paragraph style of the level. */
  style: string
}

interface Numbering {
  /** Lists that share their counters. */
  abstract: string
  starts: Map<number, number>
  levels: Map<number, Level>
}

const newLevel = (): Level => ({
  start: 1,
  format: 'decimal',
  text: '',
  isLegal: false,
  style: '',
})

const formats: Record<string, NumberStyle> = {
  lowerLetter: 'lowerLetter',
  upperLetter: 'upperLetter',
  lowerRoman: 'lowerRoman',
  upperRoman: 'upperRoman',
  decimalZero: 'decimalZero',
  russianLower: 'russianLower',
  russianUpper: 'russianUpper',
  decimalEnclosedCircle: 'circled',
  decimalEnclosedCircleChinese: 'circled',
  decimalFullWidth: 'fullWidth',
  decimalFullWidth2: 'fullWidth',
  chineseCounting: 'hanCount',
  chineseCountingThousand: 'hanCount',
  japaneseCounting: 'hanCount',
  taiwaneseCounting: 'hanCount',
  taiwaneseCountingThousand: 'hanCount',
  koreanDigital2: 'han',
  ideographDigital: 'han',
  japaneseDigitalTenThousand: 'han',
  thaiNumbers: 'thai',
  hindiNumbers: 'hindi',
}

/** The lists of a document. */
export interface ListDefinitions {
  abstracts: Map<string, Map<number, Level>>
  /** Names of styles with the levels, by the ids of abstract lists. */
  links: Map<string, string>
  numberings: Map<string, Numbering>
}

export function parseNumbering(xml: string): ListDefinitions {
  const found: ListDefinitions = {
    abstracts: new Map(),
    links: new Map(),
    numberings: new Map(),
  }
  let abstract = ''
  let numbering: Numbering | null = null
  let overridden = 0
  let level = newLevel()
  readXml(xml, {
    open(tag, attributes) {
      const { val = '', ilvl = '0' } = attributes
      if (tag === 'abstractNum') {
        numbering = null
        abstract = attributes.abstractNumId ?? ''
        found.abstracts.set(abstract, new Map())
      } else if (tag === 'num') {
        numbering = { abstract: '', starts: new Map(), levels: new Map() }
        found.numberings.set(attributes.numId ?? '', numbering)
      } else if (tag === 'abstractNumId' && numbering) numbering.abstract = val
      else if (tag === 'numStyleLink') found.links.set(abstract, val)
      else if (tag === 'lvlOverride') overridden = Number(ilvl)
      else if (tag === 'startOverride') numbering?.starts.set(overridden, Number(val))
      else if (tag === 'lvl') {
        level = newLevel()
        const levels = numbering?.levels ?? found.abstracts.get(abstract)
        levels?.set(Number(ilvl), level)
      } else readLevel(level, tag, attributes.val)
    },
  })
  return found
}

/** Counts the paragraphs of one story. */
export class DocxNumbering {
  readonly #definitions: ListDefinitions
  readonly #styles: Map<string, DocxStyle>
  /** By the ids of abstract lists. */
  readonly #counters = new Map<string, (number | undefined)[]>()
  /** Lists and levels whose own start was applied. */
  readonly #started = new Set<string>()

  constructor(definitions: ListDefinitions, styles: Map<string, DocxStyle>) {
    this.#definitions = definitions
    this.#styles = styles
  }

  /**
   * Counts a paragraph. Returns its number, `-` for a bullet and for an unknown list; null outside of lists.
   */
  count(
    reference: ListReference,
    style: string,
  ): { level: number; label: string } | null {
    const inStyle = this.#styles.get(style)?.list ?? {}
    const id = reference.id ?? inStyle.id
    if (id === undefined || id === '0') return null
    const numbering = this.#find(id)
    const named = [...(numbering?.levels ?? [])].find(
      ([, level]) => level.style === style,
    )?.[0]
    const number = reference.level ?? (reference.id === undefined ? named : undefined)
    const level = number ?? inStyle.level ?? 0
    if (!numbering?.levels.has(level)) return { level, label: '-' }
    return {
      level,
      label: this.#label(numbering, this.#next(id, numbering, level), level),
    }
  }

  /** Returns a list with all its levels; those of a style are in the list of the style. */
  #find(id: string, depth = 0): Numbering | null {
    const numbering = this.#definitions.numberings.get(id)
    if (!numbering) return null
    const link = this.#definitions.links.get(numbering.abstract)
    const linked = link === undefined ? undefined : this.#styles.get(link)?.list.id
    const base = linked !== undefined && depth < 10 ? this.#find(linked, depth + 1) : null
    const levels =
      base?.levels ?? this.#definitions.abstracts.get(numbering.abstract) ?? new Map()
    return {
      abstract: base?.abstract ?? numbering.abstract,
      starts: numbering.starts,
      levels: new Map([...levels, ...numbering.levels]),
    }
  }

  #next(id: string, { abstract, starts, levels }: Numbering, level: number) {
    const counters = this.#counters.get(abstract) ?? []
    this.#counters.set(abstract, counters)
    for (const [number, start] of starts)
      if (number <= level && !this.#started.has(`${id} ${number}`)) {
        this.#started.add(`${id} ${number}`)
        counters[number] = number === level ? start - 1 : start
      }
    const { start } = levels.get(level)!
    counters[level] = (counters[level] ?? start - 1) + 1
    for (const [number, { restart }] of levels)
      if (number > level && level < (restart ?? number)) counters[number] = undefined
    return counters
  }

  #label({ levels }: Numbering, counters: (number | undefined)[], level: number): string {
    const { format, text, isLegal } = levels.get(level)!
    if (format === 'bullet') return '-'
    return text
      .replaceAll(/%([1-9])/g, (_, digit: string) => {
        const at = Number(digit) - 1
        const { format: own = 'decimal', start = 1 } = levels.get(at) ?? {}
        if (own === 'none') return ''
        return numberIn(isLegal ? undefined : formats[own], counters[at] ?? start)
      })
      .trim()
  }
}

function readLevel(level: Level, tag: string, val: string | undefined): void {
  if (tag === 'start') level.start = Number(val) || 0
  else if (tag === 'numFmt') level.format = val ?? 'decimal'
  else if (tag === 'lvlText') level.text = val ?? ''
  else if (tag === 'lvlRestart') level.restart = Number(val)
  else if (tag === 'pStyle') level.style = val ?? ''
  else if (tag === 'isLgl') level.isLegal = !/^(?:0|false|off)$/i.test(val ?? '')
}
