// Patterns of $regex: JavaScript patterns without the features that an automaton lacks (lookaround,
// backreferences), so that no text takes long to match.
// Each pattern is parsed here and rewritten for PostgreSQL. The syntaxes differ in details; no
// PostgreSQL-only syntax gets through.
//
// texts and .   classes [a-z] [^…]   \d \D \w \W \s \S   \t \n \r \f \v \xHH \uHHHH \u{H…}
// (…) (?:…) (?<name>…)   |   * + ? {m} {m,} {m,n}   ^ $ \b \B
//
// As in JavaScript with the flag u, \d and \w match ASCII only, \s all Unicode spaces, and ^ and $
// the ends of the text. \b is the boundary of a word in any language.
type Refuse = (reason: string) => Error
type Range = [number, number]

const maxLength = 1_000
/**
 * Maximum number of characters and classes, each multiplied by its repetitions: the size of the
 * automaton.
 */
const maxStates = 1_000
/** PostgreSQL's maximum repetition count. */
const maxTimes = 255
const maxNesting = 30

const digits: Range[] = [[48, 57]]
const wordy: Range[] = [[48, 57], [65, 90], [95, 95], [97, 122]] // biome-ignore format: a table
// biome-ignore format: a table
const spaces: Range[] = [
  [9, 13], [32, 32], [0xa0, 0xa0], [0x1680, 0x1680], [0x2000, 0x200a],
  [0x2028, 0x2029], [0x202f, 0x202f], [0x205f, 0x205f], [0x3000, 0x3000], [0xfeff, 0xfeff],
]
const lineEnds: Range[] = [[10, 10], [13, 13], [0x2028, 0x2029]] // biome-ignore format: a table
const lastCharacter = 0x10ffff

interface Pattern {
  /** In PostgreSQL's syntax. */
  text: string
  /** Texts that every match contains, as they are or, ignoring case, in another case. */
  literals: string[]
}

/** Throws the error of `refuse`. */
export function readPattern(pattern: string, refuse: Refuse): Pattern {
  if (pattern.length > maxLength)
    throw refuse(`the pattern has more than ${maxLength} characters`)
  const reader = new PatternReader(pattern, refuse)
  const { text, states, exact, literals } = reader.alternatives(0)
  if (!reader.isAtEnd()) throw refuse('unmatched )')
  if (states > maxStates) throw refuse('the pattern is too large')
  return { text, literals: exact ? [exact] : literals }
}

interface Part {
  text: string
  states: number
  /** The only text that it matches; null if there are several. */
  exact: string | null
  /** If `exact` is null: texts that every match contains. */
  literals: string[]
  /** An anchor, which cannot be repeated. */
  isAnchor?: boolean
}

class PatternReader {
  readonly #characters: string[]
  readonly #refuse: Refuse
  #at = 0

  constructor(pattern: string, refuse: Refuse) {
    this.#characters = [...pattern]
    this.#refuse = refuse
  }

  isAtEnd = () => this.#at >= this.#characters.length

  alternatives(nesting: number): Part {
    if (nesting > maxNesting) throw this.#refuse('the pattern is nested too deeply')
    const parts = [this.#sequence(nesting)]
    while (this.#take('|')) parts.push(this.#sequence(nesting))
    // PostgreSQL needs an explicit form for an empty alternative.
    const text = parts.map((part) => part.text || '(?:)').join('|')
    return { ...(parts.length === 1 ? parts[0]! : unknown), text, states: sum(parts) }
  }

  #sequence(nesting: number): Part {
    const parts: Part[] = []
    while (!this.isAtEnd() && this.#next() !== '|' && this.#next() !== ')')
      parts.push(this.#repeated(this.#atom(nesting)))
    return {
      text: parts.map(({ text }) => text).join(''),
      states: sum(parts),
      ...joined(parts),
    }
  }

  #repeated(part: Part): Part {
    const [least, most] = this.#times() ?? [1, 1]
    if (least === 1 && most === 1) return part
    if (part.isAnchor) throw this.#refuse('an anchor (^, $, \\b, \\B) cannot be repeated')
    this.#take('?') // laziness does not affect whether there is a match
    if (this.#times()) throw this.#refuse('a quantifier must not follow another')
    if (least > maxTimes || (most !== Infinity && most > maxTimes))
      throw this.#refuse(`a repetition count may be at most ${maxTimes}`)
    if (most < least)
      throw this.#refuse('the maximum of a repetition must not be less than its minimum')
    const states =
      Math.max(1, part.states) * Math.max(1, most === Infinity ? least + 1 : most)
    if (states > maxStates) throw this.#refuse('the pattern is too large')
    const text = `${part.text}{${least},${most === Infinity ? '' : most}}`
    if (least === 0) return { text, states, ...unknown }
    if (part.exact === null) return { text, states, exact: null, literals: part.literals }
    const exact = part.exact.repeat(least)
    return least === most
      ? { text, states, exact, literals: [] }
      : { text, states, exact: null, literals: [exact] }
  }

  /** Returns null without a quantifier. A { that begins no count is a literal character. */
  #times(): [number, number] | null {
    if (this.#take('*')) return [0, Infinity]
    if (this.#take('+')) return [1, Infinity]
    if (this.#take('?')) return [0, 1]
    const [whole, least, comma, most] =
      /^\{(\d{1,9})(,?)(\d{0,9})\}/.exec(
        this.#characters.slice(this.#at, this.#at + 24).join(''),
      ) ?? []
    if (whole === undefined || (comma === '' && most !== '')) return null
    this.#at += whole.length
    if (comma === '') return [Number(least), Number(least)]
    return [Number(least), most === '' ? Infinity : Number(most)]
  }

  #atom(nesting: number): Part {
    const character = this.#read()
    switch (character) {
      case '(':
        return this.#group(nesting)
      case '[':
        return this.#class()
      case '.':
        return { text: written(lineEnds, true), states: 1, ...unknown }
      case '^':
      case '$':
        return anchor(character)
      case '*':
      case '+':
      case '?':
        throw this.#refuse('a quantifier must follow a character, class or group')
      case '\\':
        return this.#escaped()
      default:
        return {
          text: point(character.codePointAt(0)!),
          states: 1,
          exact: character,
          literals: [],
        }
    }
  }

  #group(nesting: number): Part {
    if (this.#take('?')) {
      const name = /^<[A-Za-z_$][\w$]*>/.exec(
        this.#characters.slice(this.#at, this.#at + 100).join(''),
      )
      if (name) this.#at += name[0].length
      else if (!this.#take(':'))
        throw this.#refuse('lookahead, lookbehind and inline flags are not supported')
    }
    const part = this.alternatives(nesting + 1)
    if (!this.#take(')')) throw this.#refuse('missing closing )')
    return { ...part, text: `(?:${part.text})`, isAnchor: false }
  }

  #escaped(): Part {
    if (this.isAtEnd()) throw this.#refuse('a backslash at the end')
    if (this.#take('b')) return anchor('\\y')
    if (this.#take('B')) return anchor('\\Y')
    return ofRanges(this.#escape())
  }

  #escape(): Range[] {
    const character = this.#read()
    const named = shorthands[character]
    if (named) return named
    if (character === 'x') return single(this.#code(/^[\da-fA-F]{2}/))
    if (character === 'u')
      return single(
        this.#next() === '{'
          ? this.#code(/^\{[\da-fA-F]{1,6}\}/)
          : this.#code(/^[\da-fA-F]{4}/),
      )
    if (/[\dk]/.test(character)) throw this.#refuse('backreferences are not supported')
    if (/[A-Za-z]/.test(character)) throw this.#refuse(`unknown escape \\${character}`)
    return single(character.codePointAt(0)!)
  }

  #code(form: RegExp): number {
    const [digits] =
      form.exec(this.#characters.slice(this.#at, this.#at + 8).join('')) ?? []
    const code = Number.parseInt(digits?.replace('{', '') ?? '', 16)
    if (
      digits === undefined ||
      code < 1 ||
      code > lastCharacter ||
      (code >= 0xd800 && code <= 0xdfff)
    )
      throw this.#refuse('invalid character escape')
    this.#at += digits.length
    return code
  }

  #class(): Part {
    const isNegated = this.#take('^')
    const ranges: Range[] = []
    while (!this.#take(']')) {
      const from = this.#member()
      if (
        this.#next() === '-' &&
        this.#characters[this.#at + 1] !== ']' &&
        this.#characters[this.#at + 1] !== undefined
      ) {
        this.#at++
        const to = this.#member()
        if (!isSingle(from) || !isSingle(to) || to[0]![0] < from[0]![0])
          throw this.#refuse('a class range must run from a lower to a higher character')
        ranges.push([from[0]![0], to[0]![0]])
      } else ranges.push(...from)
    }
    if (ranges.length === 0 && !isNegated)
      throw this.#refuse('a character class must not be empty')
    if (ranges.length > 0 && !isNegated) return ofRanges(ranges)
    return {
      text:
        ranges.length === 0
          ? written([[1, lastCharacter]], false)
          : written(ranges, isNegated),
      states: 1,
      ...unknown,
    }
  }

  #member(): Range[] {
    if (this.isAtEnd()) throw this.#refuse('missing closing ]')
    const character = this.#read()
    if (character !== '\\') return single(character.codePointAt(0)!)
    if (this.isAtEnd()) throw this.#refuse('a backslash at the end')
    return this.#take('b') ? single(8) : this.#escape()
  }

  #next = () => this.#characters[this.#at]
  #read = () => this.#characters[this.#at++]!
  #take(character: string): boolean {
    if (this.#next() !== character) return false
    this.#at++
    return true
  }
}

const unknown: Pick<Part, 'exact' | 'literals'> = { exact: null, literals: [] }
/** An anchor matches between characters, and so the empty text. */
const anchor = (text: string): Part => ({
  text,
  states: 1,
  isAnchor: true,
  exact: '',
  literals: [],
})
const ofRanges = (ranges: Range[]): Part => ({
  text: written(ranges, false),
  states: 1,
  exact: isSingle(ranges) ? String.fromCodePoint(ranges[0]![0]) : null,
  literals: [],
})

/** Joins neighbours with one text each into one literal. */
function joined(parts: Part[]): Pick<Part, 'exact' | 'literals'> {
  const literals: string[] = []
  let run = ''
  for (const { exact, literals: inside } of parts) {
    if (exact !== null) run += exact
    else {
      if (run) literals.push(run)
      literals.push(...inside)
      run = ''
    }
  }
  if (parts.every(({ exact }) => exact !== null)) return { exact: run, literals: [] }
  return { exact: null, literals: run ? [...literals, run] : literals }
}

const sum = (parts: Part[]) => parts.reduce((all, { states }) => all + states, 0)
const single = (code: number): Range[] => [[code, code]]
const isSingle = (ranges: Range[]) =>
  ranges.length === 1 && ranges[0]![0] === ranges[0]![1]

/** Writes every character as its code point, so that none has a special meaning. */
const point = (code: number) => `\\U${code.toString(16).padStart(8, '0')}`
const range = ([from, to]: Range) =>
  from === to ? point(from) : `${point(from)}-${point(to)}`
const written = (ranges: Range[], isNegated: boolean) =>
  `[${isNegated ? '^' : ''}${ranges.map(range).join('')}]`

/** Returns all characters outside of `ranges`, which are sorted. */
function others(ranges: Range[]): Range[] {
  const starts = [1, ...ranges.map(([, to]) => to + 1)]
  return starts
    .map(
      (start, i): Range => [start, i < ranges.length ? ranges[i]![0] - 1 : lastCharacter],
    )
    .filter(([from, to]) => from <= to)
}

const shorthands: Record<string, Range[]> = Object.assign(Object.create(null), {
  d: digits,
  D: others(digits),
  w: wordy,
  W: others(wordy),
  s: spaces,
  S: others(spaces),
  t: single(9),
  n: single(10),
  v: single(11),
  f: single(12),
  r: single(13),
})
