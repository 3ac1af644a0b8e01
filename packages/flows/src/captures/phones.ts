// Finds the phone number in an answer.
import {
  type CountryCode,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { withAsciiSigns } from './characters.ts'
import { endsWithDenial, startsWithDenial } from './negations.ts'
import { oneOf } from './patterns.ts'

const maxLength = 500
const minDigits = 7
const maxDigits = 15

/** Digits with spaces, dots, hyphens, slashes and parentheses between them. */
const candidate = /(?:\+ ?)?\(?(?:\+ ?)?\d(?:[\d ().\-/]*\d)?/g
const labels =
  /(?<![\p{L}\d])(?:tel|telefon|telephone|phone|fon|mobile?|handy|fax|whatsapp|t|m)\b[.:]*/giu
const extensionWords = oneOf(`
  ext extension extensión x # durchwahl dw poste anexo ramal interno int p w then dann puis доб 内線
  分机
`)
const extension = new RegExp(
  `^[ ,;(]*${extensionWords}\\.?[:= ]*\\d|^[ ,;(]*(?:ext\\.?|extension|extensión|durchwahl) \\p{L}`,
  'iu',
)

/** Digits of something else: "order no. 12345678". */
const otherNames = oneOf(`
  order invoice ticket customer account reference ref id iban isbn bestell\\p{L}* rechnungs?\\p{L}*
  kunden\\p{L}* auftrags?\\p{L}* commande facture pedido factura ordine fattura
`)
const otherLabel = new RegExp(
  `(?:#|\\b${otherNames}(?: (?:no|nr|number|nummer|num|id|n°|№)\\b)?)[.:#]*(?: is| ist)? *$`,
  'iu',
)

const countDigits = (text: string) => text.replace(/\D/g, '').length

/**
 * Returns the only number: in the form of E.164 if it has "+" or "00" or the region is known, and its
 * country has numbers of that length; otherwise its digits. A number with an extension is rejected,
 * because E.164 has none.
 */
export function phoneIn(text: string, region?: string): string | undefined {
  if (text.length > maxLength) return undefined
  const cleaned = withAsciiSigns(text)
    .replace(/[[\]]/g, (bracket) => (bracket === '[' ? '(' : ')'))
    .replace(/[·•∙⋅‧]/g, '.')
    .replace(/\s/g, ' ')
    .replace(labels, ' ')
  const found = [...cleaned.matchAll(candidate)].filter(
    ([one]) => countDigits(one) >= minDigits,
  )
  const [only] = found
  if (!only || found.length > 1) return undefined
  const number = /^\(?(?:\+|00)/.test(only[0])
    ? only[0].replace(/\( ?0 ?\)/, ' ')
    : only[0]
  const before = cleaned.slice(0, only.index)
  const after = cleaned.slice(only.index + only[0].length)
  const isContinued = !only[0].includes('+') && /\d[^\p{L}]*$/u.test(before)
  return isContinued ||
    endsWithDenial(before) ||
    startsWithDenial(after) ||
    otherLabel.test(before) ||
    isPart(before, after) ||
    isSeveral(number) ||
    isOther(number)
    ? undefined
    : toNumber(number, region)
}

/** Returns whether the digits continue a word, a date, a number or an address. */
const isPart = (before: string, after: string) =>
  /[\p{L}\d][-._/]?$|\p{Sc} ?$|[@=_&?]$|\d[:,.]$/u.test(before) ||
  /^[-._/]?[\p{L}_@]|^[^\p{L}]*\d|^[@_=]|^-\S/u.test(after) ||
  /^ ?(?:[\p{Sc}%]|(?:k?g|k?m|eur|euros?|usd|dollars?)\b)/iu.test(after) ||
  extension.test(after)

/** Two numbers may stand beside each other: "555-1234 555-4321". */
function isSeveral(number: string): boolean {
  const [, afterPlus = ''] = number.match(/\d.*(\+)/) ?? []
  const groups = number.split(/[ /]+/).filter((group) => countDigits(group) >= minDigits)
  return afterPlus !== '' || groups.length > 1
}

/** Dates and addresses of networks. */
const isOther = (number: string) =>
  /^(?:\d{1,3}\.){3}\d{1,3}$/.test(number) ||
  /^(?:(?:19|20)\d\d[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:19|20)\d\d)$/.test(
    number,
  )

function toNumber(written: string, region: string | undefined): string | undefined {
  const digits = written.replace(/\D/g, '')
  const international = written.includes('+') ? digits : /^00(\d+)$/.exec(digits)?.[1]
  if (international === undefined && region === undefined)
    return digits.length <= maxDigits ? digits : undefined
  const number = parsePhoneNumberFromString(
    international === undefined ? digits : `+${international}`,
    international === undefined ? (region as CountryCode) : undefined,
  )
  if (!number?.isPossible()) return undefined
  return international === undefined && isOtherAbroad(digits, number)
    ? undefined
    : number.number
}

/** Digits may begin with the country code without its "+": "49 170 1234567" in Germany. */
function isOtherAbroad(digits: string, national: PhoneNumber): boolean {
  if (!digits.startsWith(national.countryCallingCode)) return false
  const other = parsePhoneNumberFromString(`+${digits}`)
  return other?.isValid() === true && other.number !== national.number
}
