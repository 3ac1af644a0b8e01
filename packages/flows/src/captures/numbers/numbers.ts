// Reads the number in an answer: "1,234.5", "1.234,5", "about 20 €", "2.5kg", "2 million", "١٢٣".

import { isBound } from '../bounds.ts'
import { withAsciiSigns } from '../characters.ts'
import type { Ambiguous, Conventions } from '../locales.ts'
import { isNumberDenied } from '../negations.ts'
import { plain } from '../words.ts'
import { findNamedNumber } from './number-names.ts'
import { readNotation, toExactNumber } from './number-notation.ts'
import {
  endsWithMinus,
  hasNumberWord,
  takeAmountScale,
  takeScale,
} from './number-words.ts'
import { isCurrency, isUnit } from './units.ts'

const maxLength = 1_000

/** "50m2" is 50 square metres. */
const area = /(?<=\d ?[kcdm]?m)[23](?![\p{L}\p{N}])/giu

/** Digits with signs between them. After a space, exactly three digits continue the number. */
const numeral =
  /(?:\d+(?:(?:[.,'٫٬]| (?=\d{3}(?!\d)))\d+)*|(?<![\p{L}\d)])[.,٫]\d+)(?:e[-+]?\d{1,4}(?![\p{L}\p{N}]))?/giu

/**
 * Returns the number, or its readings if there are two. Returns undefined if the text has none or
 * several, a part of a code, an address or a date, or a number that JavaScript cannot represent.
 */
export function numberIn(
  text: string,
  conventions: Conventions,
): number | Ambiguous | undefined {
  if (text.length > maxLength) return undefined
  const cleaned = withFractions(withAsciiSigns(text).replace(/['’ʼ‘`´]/g, "'")).replace(
    area,
    '²',
  )
  const [found, ...others] = cleaned.matchAll(numeral)
  if (!found) return spelledNumber(text, conventions.locale)
  if (others.length > 0) return undefined
  const [digits] = found
  const before = cleaned.slice(0, found.index)
  const after = cleaned.slice(found.index + digits.length)
  const isAmount = /\p{Sc} ?$/u.test(before)
  const scale = (isAmount ? takeAmountScale : takeScale)(after, conventions.locale)
  const signs = toSigns(before, after)
  const isAlone =
    hasFreeStart(before) && hasFreeEnd(scale.rest, scale.rest === after, conventions)
  const isChanged =
    isNumberDenied(before, scale.rest) ||
    isBound(before, scale.rest) ||
    endsWithMinus(scale.rest) !== false ||
    hasNumberWord(`${before} ${scale.rest}`, conventions.locale)
  return !signs || !isAlone || isChanged || isPhone(before, digits)
    ? undefined
    : choose(listValues(digits, signs, scale.powers, conventions))
}

const courtesies =
  /(?<= )(?:please|thanks|bitte|danke|por favor|merci|gracias|grazie|just|only|nur)(?= )/g

/** Reads an answer that is a number in words and nothing else: "five", "minus twenty-one, please". */
function spelledNumber(
  text: string,
  locale: string | undefined,
): number | Ambiguous | undefined {
  const clauses = text
    .split(/[,;:.!?/|\n、。，；！？]+/)
    .map((clause) =>
      ` ${plain(clause)} `.replace(courtesies, '').replace(/\s+/g, ' ').trim(),
    )
    .filter((clause) => clause !== '')
  const [words = '', ...others] = clauses
  if (others.length > 0) return undefined
  const [first = ''] = words.split(' ')
  const isNegative = endsWithMinus(`${first} `) === true
  const name = isNegative ? words.slice(first.length + 1) : words
  const value = findNamedNumber(name, locale)
  const values = value === undefined ? scaledNumbers(name, locale) : [value]
  return choose(values.map((one) => `${isNegative ? '-' : ''}${one}`))
}

/** "five million" */
function scaledNumbers(words: string, locale: string | undefined): string[] {
  const at = words.lastIndexOf(' ')
  const count = at < 0 ? undefined : findNamedNumber(words.slice(0, at), locale)
  const { powers, rest } = takeScale(words.slice(Math.max(at, 0)), locale)
  return count && rest === '' ? powers.map((power) => `${count}e${power}`) : []
}

const isPhone = (before: string, digits: string) =>
  /\+ ?$/.test(before) && /^\d+ |\d{8}/.test(digits.replace(/[.,'٫٬]/g, ''))

const simpleFractions = /(\d+)? ?(\p{No})|(\d+) ?\u2044 ?(\d+)/gu

/** Writes "1½" as 1.5. Keeps fractions without a finite decimal, so that they are not a number. */
const withFractions = (text: string) =>
  text.replace(simpleFractions, (written, whole = '', sign = '', above, below) => {
    const [top, bottom] = above ? [above, below] : sign.normalize('NFKC').split('\u2044')
    const decimal = String(Number(top) / Number(bottom))
    return bottom !== undefined && /^0\.\d{1,4}$/.test(decimal)
      ? `${whole || '0'}${decimal.slice(1)}`
      : written
  })

/** Returns the possible signs, or undefined if they are unclear. */
function toSigns(before: string, after: string): string[] | undefined {
  // Accountants write negative amounts in parentheses.
  if (/^\s*\(\s*\p{Sc}?\s*$/u.test(before) && /^\s*\p{Sc}?\s*\)/u.test(after))
    return ['', '-']
  if (/[-+] ?\([-+]? ?\p{Sc}? ?$/u.test(before)) return undefined
  // After a hyphen and a space, a number may be negative, or an item of a list.
  if (/(?:^|\s)- $/.test(before)) return ['', '-']
  const [, rest = '', first = '', amount = '', second = ''] =
    /^(.*?)([-+]?)((?:\p{Sc}|\p{L}+\.?\$?)? ?)([-+]?)$/su.exec(before) ?? []
  const isSigned =
    /(?:^|[\s(:=])$/.test(rest) && (!amount.trim() || isCurrency(amount.trim()))
  const written = first && isSigned ? first : second
  const isMinusWord = endsWithMinus(before.replace(/[-+]?\p{Sc}? ?$/u, ''))
  if (isMinusWord !== false) return written || isMinusWord === null ? undefined : ['-']
  if (first && isSigned && second) return undefined
  return written === '-' ? ['-'] : ['']
}

const withoutSpaces =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]+$/u

/** Returns whether the digits do not continue a word, an address or a code before them. */
function hasFreeStart(before: string): boolean {
  const [attached = ''] = /\S*$/.exec(before) ?? []
  if (/:\/\/|@|^www\.|±/i.test(attached)) return false
  const [mark = ''] = /[^:=(]*$/.exec(attached) ?? []
  const amount = mark.replace(/^[\p{Pi}"'*[<>≤≥≈~#%٪]+/u, '').replace(/^[-+]|[-+]$/g, '')
  return amount === '' || isCurrency(amount) || withoutSpaces.test(amount)
}

/** "5+" is at least five. */
const openEnd = /^ ?(?:\+|plus(?![\p{L}\p{M}]))/iu

const dayTime = /^ ?[ap]\.? ?m[\s.!]*$/i

/** Returns whether the digits do not continue after them. `isDirect`: no word was taken. */
function hasFreeEnd(rest: string, isDirect: boolean, { locale }: Conventions): boolean {
  if (/[\p{No}\p{Nl}]/u.test(rest.replace(/(?<=\p{L})[²³]/gu, ''))) return false
  const [letters = ''] = /^[°µμ]?\p{L}[\p{L}\p{M}]*/u.exec(rest) ?? []
  if (letters && isDirect && !isUnit(letters, locale)) return false
  const end = rest.slice(letters.length)
  if (openEnd.test(rest) || dayTime.test(rest)) return false
  // "20,-" and "500/-" are prices.
  if (/^(?:[.,]-+|\/-)(?!\S)/.test(end)) return true
  return !/^(?:[_@=\\^#&|]|-(?!\p{L})|[.](?=[\p{L}\p{N}])|:(?=\S)|\/(?!\p{L})|\/\/)/u.test(
    end,
  )
}

/** Returns the distinct values of all readings, or undefined if one of them is not exact. */
function listValues(
  written: string,
  signs: string[],
  powers: number[],
  conventions: Conventions,
): string[] | undefined {
  const [, digits = '', exponent = '0'] = /^([^e]*)(?:e(.*))?$/i.exec(written) ?? []
  if (isIdentifier(digits)) return undefined
  const readings = readNotation(digits, conventions)
  const all = readings.flatMap((reading) =>
    powers.flatMap((power) =>
      signs.map((sign) => `${sign}${reading}e${Number(exponent) + power}`),
    ),
  )
  return all.some((one) => toExactNumber(one) === undefined) ? undefined : all
}

/** Phone numbers, codes with leading zeros, and addresses of networks. */
function isIdentifier(digits: string): boolean {
  const parts = digits.split('.')
  const isAddress = parts.length === 4 && parts.every((part) => Number(part) < 256)
  return isAddress || /^0\d{3,}$/.test(digits)
}

function choose(values: string[] | undefined): number | Ambiguous | undefined {
  const numbers = [...new Set(values?.map((value) => toExactNumber(value)! + 0))]
  return numbers.length > 1 ? { readings: numbers.map(toReading) } : numbers[0]
}

/** Writes a number that has one reading only: 1.2340 instead of 1.234. */
const toReading = (value: number) => {
  const written = String(value)
  return /^-?[1-9]\d{0,2}\.\d{3}$/.test(written) ? `${written}0` : written
}
