// Finds times as people say them: "half past seven", "halb acht", "kwart voor drie", "midi et demi",
// "las siete menos cuarto", "sette e mezza".
import { lazily } from '../../engine/lazily.ts'
import { findNumberIn } from '../numbers/number-names.ts'
import { oneOf } from '../patterns.ts'
import { timePhrases } from './time-phrases.ts'

export interface SpokenTime {
  /** Position of the words in the text, and after them. */
  start: number
  end: number
  /** Minutes from the beginning of the day, one for each reading. */
  minutes: number[]
  /** The hour is midnight: of a day, it is its beginning or its end. */
  isMidnight: boolean
  /** "a" or "p", as in "seven pm". */
  half?: string | undefined
}

const it = "it['’]?s|it is|es ist|het is|il est|son|es|sono|sono le|è|são"
const at = "at|um|om|à|a|alle|all['’]|a las?|las?|le|l['’]|às|as|ao|kl\\.?|klockan"
const lead = `(?<![\\p{L}\\p{M}\\d.:/-])(?:(?:${it})(?: |(?<=['’])))?(?:(?:${at})(?: |(?<=['’])))?`

const [word, clock] = ["[\\p{L}\\p{M}'’-]+?", oneOf('midi minuit')]
const tokens: Record<string, string> = {
  H: `(?<hour>\\d{1,2}|${word})`,
  N: `(?<hour>${word})`,
  C: `(?<hour>${clock})`,
  P: '(?: ?(?<half>[ap])(?:\\.? ?m\\b\\.?))?',
}

/** Minutes of one to three words. */
const minuteTokens = [0, 1, 2].map(
  (more) => `(?<minute>\\d{1,2}|${word}(?: ${word}){${more}})`,
)

const toPattern = (words: string, hours: string, minute: string) =>
  new RegExp(
    lead +
      words
        .replace('HU', `H${hours}`)
        .replace(/(?<![\p{L}\\])[HNCMP](?!\p{L})/gu, (token) => tokens[token] ?? minute)
        .replace(' (?: ?(?<half>', '(?: ?(?<half>') +
      '(?=$|[\\s,])',
    'uy',
  )

/** Hundreds of patterns, which most bots never need. */
const listPhrases = lazily(() =>
  Object.entries(timePhrases).flatMap(([language, { hours = '', phrases }]) =>
    phrases.flatMap(([words, offset]) =>
      (/M/.test(words) ? minuteTokens : ['']).map((minute) => {
        const pattern = toPattern(words, hours, minute)
        return { language, offset, pattern }
      }),
    ),
  ),
)

const noon = new Set('noon midday mittag midi mediodía meio-dia mezzogiorno'.split(' '))
const midnight = new Set(
  'midnight mitternacht minuit medianoche meia-noite mezzanotte'.split(' '),
)

const toNumber = (language: string, written: string) =>
  /^\d+$/.test(written) ? Number(written) : findNumberIn(language, written)

interface Match {
  language: string
  end: number
  minutes: number
  isMidnight: boolean
  half?: string | undefined
}

function match(
  phrase: string,
  start: number,
  { language, offset, pattern }: ReturnType<typeof listPhrases>[number],
) {
  pattern.lastIndex = start
  const { 0: found = '', groups = {} } = pattern.exec(phrase) ?? {}
  if (found === '') return []
  const { hour: written = '', minute: spoken, half } = groups
  const isMidnight = midnight.has(written)
  const named = noon.has(written) ? 12 : toNumber(language, written)
  const hour = isMidnight ? 0 : named
  const minute = spoken === undefined ? 0 : toNumber(language, spoken)
  if (hour === undefined || minute === undefined || hour > 24 || minute > 59) return []
  if (half && (hour === 0 || hour > 12)) return []
  const minutes = toMinutes(hour, offset(minute))
  return [
    {
      language,
      end: start + found.length,
      minutes,
      isMidnight: isMidnight && minutes < 60,
      half,
    },
  ]
}

/** "halb eins" is 12:30, and "quarter to midnight" 23:45. */
function toMinutes(hour: number, offset: number): number {
  const minutes = hour * 60 + offset
  if (hour === 1 && offset < 0) return minutes + 12 * 60
  return minutes < 0 ? minutes + 24 * 60 : minutes
}

/** Returns the longest time at a position, with its readings in other languages. */
function findAt(
  phrase: string,
  start: number,
  locale: string | undefined,
): SpokenTime | undefined {
  const all: Match[] = listPhrases().flatMap((one) => match(phrase, start, one))
  const end = Math.max(...all.map((one) => one.end))
  const longest = all.filter((one) => one.end === end)
  const own = longest.filter(
    ({ language }) => locale && new Intl.Locale(locale).language === language,
  )
  const [first, ...others] = own.length > 0 ? own : longest
  if (!first) return undefined
  const { isMidnight, half } = first
  const minutes = [...new Set([first, ...others].map((one) => one.minutes))]
  return { start, end, minutes, isMidnight, half }
}

/** Returns the spoken times in a text in lower case. */
export function listSpokenTimes(
  phrase: string,
  locale: string | undefined,
): SpokenTime[] {
  const found: SpokenTime[] = []
  for (const { index } of phrase.matchAll(/[^\s,]+/g)) {
    if (index < (found.at(-1)?.end ?? 0)) continue
    const time = findAt(phrase, index, locale)
    if (time) found.push(time)
  }
  return found
}
