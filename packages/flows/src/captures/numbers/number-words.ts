// Words beside numbers that change them: "2 million", "5k", "minus 5", "2 and a half".
import { lazily } from '../../engine/lazily.ts'
import { byLocale } from '../locales.ts'
import { oneOf } from '../patterns.ts'
import { plain } from '../words.ts'
import { scales } from './scale-words.ts'
import { isCurrency } from './units.ts'

/** The forms of words depend on the number: "1 milijoną", "2 milijonai", "1,5 milijono". */
const factors = [1, 1.5, 2, 5, 11, 21]

/** Words for powers of ten that CLDR uses in compact numbers of a language: "2 Mio.", "2 million". */
function readScales(locale: string) {
  const words = new Map<string, number[]>()
  for (const compactDisplay of ['long', 'short'] as const) {
    const format = new Intl.NumberFormat(locale, {
      notation: 'compact',
      compactDisplay,
      numberingSystem: 'latn',
    })
    for (let power = 3; power < 15; power++)
      for (const factor of factors) {
        const value = factor * 10 ** power
        const parts = format.formatToParts(value)
        const digits = parts
          .map(({ type, value }) => (type === 'integer' ? value : ''))
          .join('')
        const word = plain(parts.find(({ type }) => type === 'compact')?.value ?? '')
        // One or two letters are units, too: "2 m", "5 mi".
        if (/^[a-z]{0,2}$/.test(word)) continue
        const scale = String(value).length - digits.length
        words.set(word, [...new Set([...(words.get(word) ?? []), scale])])
      }
  }
  return words
}

const getScales = byLocale(readScales)

interface Scale {
  /** Possible exponents of ten. */
  powers: number[]
  /** The text after the words. */
  rest: string
}

const word = String.raw`\p{L}[\p{L}\p{M}]*\.?`
const following = [3, 2, 1].map(
  (count) =>
    new RegExp(`^([ -]?)(${word}(?: ${word}){${count - 1}})(?![\\p{L}\\p{M}])`, 'u'),
)

/** Takes the words for powers of ten that follow a number: "mil millones". */
export function takeScale(text: string, locale: string | undefined): Scale {
  const [millions, , currency] =
    /^( ?[mM])(?= ?(\p{Sc}|[A-Z]{3}(?!\p{L})))/u.exec(text) ?? []
  if (millions && isCurrency(currency!))
    return { powers: [6], rest: text.slice(millions.length) }
  for (const pattern of following) {
    const [, space = '', written] = pattern.exec(text) ?? []
    if (written === undefined) continue
    const { powers, length } = readScale(written, space !== '', locale)
    if (!powers) continue
    const next = takeScale(text.slice(space.length + length), locale)
    const sums = powers.flatMap((one) => next.powers.map((other) => one + other))
    return { powers: [...new Set(sums)], rest: next.rest }
  }
  return { powers: [0], rest: text }
}

/** One letter may be a unit: "5 K" is a temperature, "5K" is 5000, and "2M" may be two metres. */
const letterScales: Record<string, number[]> = { M: [0, 6], B: [0, 9], T: [0, 3, 12] }

/** Returns the exponents of words and how many of their characters they take. */
function readScale(written: string, isSpaced: boolean, locale: string | undefined) {
  const { length } = written
  if (written === 'k' || written === 'K')
    return { powers: isSpaced && written === 'K' ? [0, 3] : [3], length }
  if (/^[A-Za-z]$/.test(written)) return { powers: letterScales[written], length }
  const [, factor] = /^([kKM])[A-Z]{3}$/.exec(written) ?? []
  if (factor && isCurrency(written.slice(1)))
    return { powers: [factor === 'M' ? 6 : 3], length: 1 }
  if (/^miles de$/i.test(written)) return { powers: [3], length: 'miles'.length }
  const words = plain(written)
  const found = locale === undefined ? undefined : getScales(locale).get(words)
  const powers = found ?? findScale(words.replace(/^de /, ''))
  return powers ? { powers, length } : scaleBefore(written)
}

/** Long words may have another ending than in the list. */
function findScale(word: string): number[] | undefined {
  const exact = scales().get(word)
  if (exact || word.length < 6) return exact
  const isForm = ([known]: [string, number[]]) =>
    known.length > 6 &&
    word.length <= known.length + 1 &&
    word.startsWith(known.slice(0, -1))
  return [...scales()].find(isForm)?.[1]
}

/** In scripts without spaces, the unit follows directly: "2万円". */
function scaleBefore(written: string) {
  const [prefix] = /^[百千万萬億亿兆백천만억조]+/.exec(written) ?? []
  const length = [2, 1].find((count) => prefix && scales().has(prefix.slice(0, count)))
  return length
    ? { powers: scales().get(prefix!.slice(0, length)), length }
    : { powers: undefined, length: 0 }
}

/** Takes the letter after an amount: "£1.2m" is no length. */
export function takeAmountScale(text: string, locale: string | undefined): Scale {
  const [found, letter] = /^ ?([mb])(?:n|io)?(?![\p{L}\p{M}])/iu.exec(text) ?? []
  if (!found) return takeScale(text, locale)
  return {
    powers: [letter?.toLowerCase() === 'm' ? 6 : 9],
    rest: text.slice(found.length),
  }
}

const toSet = (words: string) =>
  lazily(() => new Set(words.trim().split(/\s+/).map(plain)))

/** Number words beside digits are another number, or a part of it: "2 and a half". */
const numberWords = toSet(`
  zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety half halves quarter
  quarters third thirds dozen dozens double twice triple point below squared cubed
  tenth tenths hundredth hundredths thousandth thousandths millionth millionths
  null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn zwanzig dreißig vierzig
  fünfzig sechzig siebzig achtzig neunzig halb halbe halber halbes einhalb viertel drittel dutzend komma
  deux trois quatre cinq sept huit neuf dix onze douze vingt trente quarante cinquante soixante demi
  demie quart quarts tiers douzaine virgule
  uno dos tres cuatro cinco seis siete ocho nueve diez doce veinte treinta cuarenta cincuenta medio media
  cuarto cuartos tercio docena coma
  dois duas quatro sete oito nove dez vinte trinta quarenta meio meia quartos terço dúzia vírgula
  due tre quattro cinque sette otto nove dieci dodici venti mezzo mezza virgola
  anderhalf anderhalve kwart halv halva halvt pół półtora połowa ćwierć половина половиной полтора
  четверть треть половиною yarım buçuk çeyrek نصف ونصف ربع وربع ثلث وثلث आधा साढ़े सवा पौने डेढ़ ढाई 반
`)

/** "5個半" is 5.5, "5割" and "打5折" are 50%. */
const attachedParts =
  /半|[割折]|成(?!人|年|员|員)|(?<![百千])分[之の]|^\S*[一二三四五六七八九十] | [〇零一二三四五六七八九十]/

/** Also finds words for powers of ten that do not follow the number. */
export const hasNumberWord = (text: string, locale: string | undefined) =>
  attachedParts.test(text) ||
  plain(text)
    .split(' ')
    .some(
      (word) =>
        numberWords().has(word) ||
        (word.length > 2 && scales().has(word)) ||
        (locale !== undefined && getScales(locale).has(word)),
    )

const minusNames = oneOf(`
  minus negative negativo? négatif минус мінус eksi ऋण माइनस سالب ناقص منفی מינוס
`)
const attachedMinus = oneOf('マイナス 負の? 负 마이너스 음수 氷点下 零下 영하')
const minusWords = new RegExp(
  `(?:(?:^|[^\\p{L}\\p{M}])${minusNames}|${attachedMinus})[ :]*$`,
  'iu',
)

/** Also "at least" and "more or less", with other words before them. */
const lessWords = /(?:^|[^\p{L}\p{M}])(?:moins|menos|meno)[ :]*$/iu
const plusOrMinus = /(?:^|[^\p{L}])(?:or|oder|ou|o|och|of|или|\/) ?\S+[ :]*$/iu

/** Returns whether the text before a number ends with a minus in words; null if it is unclear. */
export function endsWithMinus(before: string): boolean | null {
  const isLess = lessWords.test(before)
  if (!isLess && !minusWords.test(before)) return false
  return (isLess && !/^\s*\S+\s*$/.test(before)) || plusOrMinus.test(before) ? null : true
}
