// Numbers in words from 0 to 999,999,999: "twenty-one", "einundzwanzig", "quatre-vingt-dix-sept", "二十一".
import { lazily } from '../../engine/lazily.ts'
import { oneOf } from '../patterns.ts'
import { plain } from '../words.ts'
import { findHanNumber } from './han-numbers.ts'
import { numberLanguages } from './number-languages.ts'
import { findSmallNumber, isHomonym, listSmallNumbers } from './small-numbers.ts'

/** Spaces and hyphens between the words of a number have no meaning. */
const joined = (text: string) => plain(text).replace(/[^\p{L}\p{M}]/gu, '')

interface Names {
  below100: Map<string, number>
  /** Of 100, 200 and so on, the longest first. */
  hundreds: [name: string, value: number][]
  thousand: RegExp
  and: RegExp
}

function readNames(language: string): Names {
  const { writers, thousands, and = '', forms = [] } = numberLanguages[language]!
  const toNames = (value: number) =>
    writers.flatMap((write) => {
      const name = write(value)
      return [name, ...forms.map(([form, other]) => name.replace(form, other))].map(
        joined,
      )
    })
  const below100 = new Map(
    [...listSmallNumbers(language)].map(([name, value]) => [joined(name), value]),
  )
  for (let value = 13; value < 100; value++)
    for (const name of toNames(value)) below100.set(name, value)
  const hundreds = Array.from({ length: 9 }, (_, at) => (at + 1) * 100).flatMap((value) =>
    toNames(value).map((name): [string, number] => [name, value]),
  )
  hundreds.sort(([one], [other]) => other.length - one.length)
  return {
    below100,
    hundreds,
    thousand: new RegExp(
      `^(.*?)${oneOf(thousands.split(' ').map(joined).join(' '))}(.*)$`,
      'u',
    ),
    and: new RegExp(`^${and && joined(and)}(?=.)`, 'u'),
  }
}

const namesByLanguage = new Map(
  Object.keys(numberLanguages).map((language) => [
    language,
    lazily(() => readNames(language)),
  ]),
)

/** Words that also have another meaning. They count in their own language only. */
const homonyms = new Set('cent mil bin mille sto venti tio'.split(' '))

/** Returns the number that words of a language name. */
function parse(name: string, names: Names): number | undefined {
  const [found, before = '', after = ''] = names.thousand.exec(name) ?? []
  if (found === undefined) return parseBelow1000(name, names)
  const count = before === '' || before === 'a' ? 1 : parseBelow1000(before, names)
  const rest = after === '' ? 0 : parseRest(after, names, parseBelow1000)
  return count && rest !== undefined ? count * 1000 + rest : undefined
}

const parseRest = (
  name: string,
  names: Names,
  read: (name: string, names: Names) => number | undefined,
) => read(name, names) ?? read(name.replace(names.and, ''), names)

function parseBelow1000(name: string, names: Names): number | undefined {
  const exact = names.below100.get(name)
  if (exact !== undefined) return exact
  for (const [hundred, value] of names.hundreds) {
    if (!name.startsWith(hundred)) continue
    if (name === hundred) return value
    const rest = parseRest(name.slice(hundred.length), names, (one) =>
      names.below100.get(one),
    )
    if (rest) return value + rest
  }
  return undefined
}

/** Returns the number that words of a language name, such as "twenty one". */
export const findNumberIn = (language: string, words: string): number | undefined =>
  findJoined(language, joined(words))

function findJoined(language: string, name: string): number | undefined {
  const names = namesByLanguage.get(language)
  return names && parse(name, names())
}

const maxLength = 100

/**
 * Returns the number that normalized words name, in the language of the locale or any other. Returns
 * undefined if it is another number in another language.
 */
export function findNamedNumber(words: string, locale?: string): number | undefined {
  if (words.length > maxLength || words === '') return undefined
  const small = findSmallNumber(words, locale)
  if (small !== undefined) return small
  if (/\d/.test(words)) return undefined
  const name = joined(words)
  const own =
    locale === undefined ? undefined : findJoined(new Intl.Locale(locale).language, name)
  if (own !== undefined || homonyms.has(words) || isHomonym(words)) return own
  const found = [...namesByLanguage.keys()]
    .map((language) => findJoined(language, name))
    .filter((value) => value !== undefined)
  const han = findHanNumber(words)
  const all = new Set(han === undefined ? found : [...found, han])
  return all.size === 1 ? [...all][0] : undefined
}
