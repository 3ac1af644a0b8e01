// Finds the option of an answer: by value, label, synonym, its number in the list, or words that
// only one option has; also misspelt. Two options that fit equally well are not chosen.
import { isMisspelt } from './misspellings.ts'
import { isNegated } from './negations.ts'
import { findNamedNumber } from './numbers/number-names.ts'
import { findPosition } from './numbers/small-numbers.ts'
import { isAlone, isOtherMeaning, withoutCourtesies } from './other-meanings.ts'
import { oneOf } from './patterns.ts'
import { expanded, plain, withoutCase } from './words.ts'

export interface Option {
  label: string
  value: string
  synonyms?: string[]
}

/** Normalizes the options of a card or an expression: `['a', 'b']` or `[{ label, value }]`. */
export function toOptions(given: unknown): Option[] {
  return (Array.isArray(given) ? given : []).flatMap((one) => {
    if (typeof one === 'string' || typeof one === 'number')
      return [{ label: String(one), value: String(one) }]
    if (typeof one !== 'object' || one === null) return []
    const { label, value, synonyms } = one as Record<string, unknown>
    const name = label ?? value
    if (name === undefined || name === null) return []
    return [
      {
        label: String(name),
        value: String(value ?? label),
        ...(Array.isArray(synonyms) && { synonyms: synonyms.map(String) }),
      },
    ]
  })
}

interface Named {
  option: Option
  names: Forms[]
}

/** From the strictest to the most tolerant. The next one counts only if no option fits this one. */
type Forms = [exact: string, caseless: string, plain: string, expanded: string]

const decoration =
  /\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic})*|\p{RI}/gu

const toForms = (name: string): Forms => [
  name.trim(),
  withoutCase(name),
  plain(name),
  expanded(name),
]

const isWord = (name: string) => /[\p{L}\p{N}]/u.test(name)

const toNamed = (options: Option[]): Named[] =>
  options.map((option) => {
    const { value, label, synonyms = [] } = option
    const names = [value, label, ...synonyms]
    // "❌ Cancel" is also named "Cancel".
    const undecorated = names.map((name) => name.replace(decoration, '')).filter(isWord)
    return { option, names: [...new Set([...names, ...undecorated])].map(toForms) }
  })

const unique = (options: Option[]) => [
  ...new Map(options.map((option) => [option.value, option])).values(),
]

const onlyOne = (options: Option[]) => (options.length === 1 ? options[0] : undefined)

/** "Mueller" is the expanded form of "Müller", and "Muller" its plain one. */
const isEqual = (level: number, name: Forms, answer: Forms) =>
  level < 3
    ? name[level] !== '' && name[level] === answer[level]
    : [name[2], name[3]].some((form) => form !== '' && answer.slice(2).includes(form))

/** Returns the options with the answer as value, label or synonym; several if it is ambiguous. */
function namedBy(answer: Forms, options: Named[]): Option[] {
  const byValue = options.find(({ option }) => option.value === answer[0])
  if (byValue) return [byValue.option]
  for (const level of answer.keys()) {
    const found = options.filter(({ names }) =>
      names.some((name) => isEqual(level, name, answer)),
    )
    if (found.length > 0) return unique(found.map(({ option }) => option))
  }
  return []
}

export const choiceIn = (text: string, options: Option[], locale?: string) =>
  findChoice(text, toNamed(options), locale)

function findChoice(text: string, options: Named[], locale?: string): Option | undefined {
  const forms = toForms(text)
  const [, , answer] = forms
  const named = namedBy(forms, options)
  if (named.length > 0 || answer === '') return onlyOne(named)
  const number = numberedBy(answer, options, locale)
  if (number.length > 0) return onlyOne(number)
  const position = positionIn(answer, options)
  if (position !== undefined)
    return (
      position === 0 ? undefined : options.at(position > 0 ? position - 1 : position)
    )?.option
  const inside = namesInside(forms, options, locale)
  if (inside) return onlyOne(inside)
  const around = namesAround(answer, options)
  return around ? around[0] : misspeltName(answer, options)
}

/** Returns the options with the number as name that the answer writes in words. */
function numberedBy(answer: string, options: Named[], locale?: string): Option[] {
  const number = findNamedNumber(answer, locale)
  return number === undefined ? [] : namedBy(toForms(String(number)), options)
}

/**
 * Returns the number of an option in the list, or -1 for the last: "2", "option two", "the second
 * one". A bare number counts unless options are numbers.
 */
function positionIn(answer: string, options: Named[]): number | undefined {
  const ordinal = findPosition(answer.replace(/^(?:the|option) | (?:one|option)$/g, ''))
  const [, word, number = ''] = /^(number |option |no |nr )?(\S+)$/.exec(answer) ?? []
  const position = /^\d{1,4}$/.test(number) ? Number(number) : findNamedNumber(number)
  const areNumbers = options.some(({ option }) =>
    /^\p{Sc}?-?\d/u.test(plain(option.label)),
  )
  return ordinal ?? (areNumbers && word === undefined ? undefined : position)
}

/** Short words that are in most sentences. As the name of an option, they must have its case. */
const commonWords = new Set(
  `a an the i he we us me my it is am are be do go to of for and or in on at as by if so up can may
  will der die das den ein eine ich es ist und oder zu im le la les un une je il est et ou el lo los
  las una yo es y o de da do e ou`.split(/\s+/),
)

const plainNames = (options: Named[]) =>
  options.flatMap(({ option, names }) =>
    names
      .map(([exact, , name]) => ({ option, exact, name }))
      .filter(({ name }) => name !== ''),
  )

const toNames = (named: { name: string }[]) => named.map(({ name }) => name)

/**
 * Returns the options with a name inside of the answer, or undefined if there are none. "Dark
 * blue" does not contain "blue". A negation beside the name leaves no option.
 */
function namesInside(
  [text, , answer]: Forms,
  options: Named[],
  locale?: string,
): Option[] | undefined {
  const isMeant = ({ exact, name }: { exact: string; name: string }) =>
    !commonWords.has(name) ||
    isAlone(` ${answer} `.replaceAll(` ${name} `, ' · ')) ||
    text.split(/[^\p{L}\p{M}\p{N}]+/u).includes(exact)
  const names = plainNames(options).sort(
    (one, other) => other.name.length - one.name.length,
  )
  let rest = ` ${answer} `
  const found: typeof names = []
  for (const named of names) {
    const isKnown = found.some(({ name }) => name === named.name)
    if (!isKnown && !rest.includes(` ${named.name} `)) continue
    found.push(named)
    rest = rest.replaceAll(` ${named.name} `, ' \u00b7 ')
  }
  if (found.length === 0) return undefined
  const position = 1 + options.findIndex(({ option }) => option === found[0]!.option)
  const isOther =
    !found.some(isMeant) ||
    isOtherMeaning({
      text,
      rest,
      position,
      locale,
      found: toNames(found),
      all: toNames(names),
    })
  return isOther ? [] : unique(found.map(({ option }) => option))
}

/**
 * Returns the only option with the answer inside of its name, unless the rest of the name negates it; none if
 * there are several. Returns undefined if no name has it.
 */
function namesAround(answer: string, options: Named[]): Option[] | undefined {
  // "A" is in "Vitamin A", but it is no part of "Sign up for a plan" that identifies it.
  const end = commonWords.has(answer) ? '$' : ' '
  const names = plainNames(options).filter(({ name }) =>
    ` ${name} ${end}`.includes(` ${answer} ${end === ' ' ? '' : end}`),
  )
  if (names.length === 0) return undefined
  const isNegative = names.some(({ name }) =>
    isNegated(` ${name} `.replace(` ${answer} `, ' ')),
  )
  const found = unique(names.map(({ option }) => option))
  return isNegative || found.length > 1 ? [] : found
}

/** Returns the only option with a name that the answer misspells or begins. */
function misspeltName(answer: string, options: Named[]): Option | undefined {
  const words = withoutCourtesies(` ${answer} `).replace(/\s+/g, ' ').trim()
  if (commonWords.has(words)) return undefined
  const names = plainNames(options).filter(({ name }) => isMisspelt(words, name))
  return onlyOne(unique(names.map(({ option }) => option)))
}

const conjunctions = oneOf('and y e und et en och og i ve и و')
const [letter, noLetter] = ['[\\p{L}\\p{N}]', '[\\p{L}\\p{M}\\p{N}]']
const separators = [
  '[,;\\n|•،؛、，；]',
  '(?<=\\s)[+&](?=\\s)',
  `(?<=${letter})[+&](?=${letter})`,
  `(?<!${noLetter})${conjunctions}(?!${noLetter})`,
]
const separator = new RegExp(`(\\s*(?:${separators.join('|')})\\s*)`, 'iu')

const maxChoices = 100

/**
 * Returns the options of a list such as "a, b and c". Returns undefined if a part matches no
 * option. A name may contain a separator ("Rock, Pop").
 */
export function choicesIn(
  text: string,
  options: Option[],
  locale?: string,
): Option[] | undefined {
  const named = toNamed(options)
  const whole = namedBy(toForms(text), named)
  if (whole.length > 0) return whole.length === 1 ? whole : undefined
  // Pieces at odd positions are separators.
  const pieces = text.slice(0, 2_000).split(separator)
  if (pieces.length > 2 * maxChoices) return undefined
  const found: Option[] = []
  for (let at = 0; at < pieces.length; at += 2) {
    if (pieces[at]!.trim() === '') continue
    const longest = longestName(pieces, at, named)
    const option = longest?.option ?? findChoice(pieces[at]!, named, locale)
    if (!option) return undefined
    found.push(option)
    at = longest?.end ?? at
  }
  return found.length > 0 ? unique(found) : undefined
}

/** Finds a name of up to five pieces with the separators between them. */
function longestName(pieces: string[], start: number, options: Named[]) {
  for (const end of [8, 6, 4, 2].map((more) => start + more)) {
    const name = end < pieces.length ? pieces.slice(start, end + 1).join('') : ''
    const option = name.trim() && onlyOne(namedBy(toForms(name), options))
    if (option) return { option, end }
  }
  return undefined
}
