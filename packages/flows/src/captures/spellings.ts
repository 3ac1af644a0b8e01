// Compares texts that people type with stored ones by what they name: e-mail addresses in any capitals, phone
// numbers in national and international form, codes such as "#A-1001" without their separators.
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { emailIn } from './addresses.ts'
import { withAsciiSigns } from './characters.ts'
import { phoneIn } from './phones.ts'

/** A typed text, as a search among stored texts. */
export interface Spelling {
  /** Pattern of `$regex` without case, which at least all texts of the same meaning match. */
  pattern: string
  /** Returns whether the stored text has the same meaning. */
  fits: (stored: string) => boolean
}

/** Of letters and digits. The pattern of a longer text would exceed the limits of `$regex`. */
const maxLength = 100

const toLetters = (text: string) => [
  ...withAsciiSigns(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, ''),
]

const between = '[\\W_]*'

/** Returns null for a text without letters and digits, or with too many. `region` is a country: `CH`. */
export function toSpelling(typed: string, region?: string): Spelling | null {
  const letters = toLetters(typed)
  if (letters.length === 0 || letters.length > maxLength) return null
  return toEmail(typed) ?? toPhone(typed, region) ?? toCode(letters)
}

function toEmail(typed: string): Spelling | null {
  const email = emailIn(typed)
  if (typeof email !== 'string') return null
  const wanted = email.toLowerCase()
  return {
    pattern: `^\\s*${wanted.replace(/[\^$\\.*+?()[\]{}|]/g, '\\$&')}\\s*$`,
    fits: (stored) => stored.trim().toLowerCase() === wanted,
  }
}

/** Letters beyond ASCII have no other case in some databases. */
const toAnyCase = (letter: string) => (/[a-z0-9]/.test(letter) ? letter : '.')

function toCode(letters: string[]): Spelling {
  const wanted = letters.join('')
  return {
    pattern: `^${between}${letters.map((letter) => toAnyCase(letter) + between).join('')}$`,
    fits: (stored) => toLetters(stored).join('') === wanted,
  }
}

interface Phone {
  /** E.164; undefined if the country is not known. */
  international?: string
  /** Digits within the country: `0441234567`. */
  national: string
}

function readPhone(text: string, region: string | undefined): Phone | null {
  const found = phoneIn(text, region)
  if (found === undefined) return null
  if (!found.startsWith('+')) return { national: found }
  const national = parsePhoneNumberFromString(found)?.formatNational().replace(/\D/g, '')
  return { international: found, national: national || found.slice(1) }
}

/** A number of seven digits alone may be that of an order: a phone number begins with a sign or a zero. */
const phoneStart = /^\s*(?:\+|\(|0)/

/** Digits at the end that all forms of a number have. */
const commonDigits = 7

function toPhone(typed: string, region: string | undefined): Spelling | null {
  const wanted = phoneStart.test(typed) ? readPhone(typed, region) : null
  if (!wanted) return null
  const digits = [...wanted.national.slice(-commonDigits)]
  const code = toCode(toLetters(typed))
  return {
    pattern: `${digits.join(between)}${between}$`,
    fits(stored) {
      const other = readPhone(stored, region)
      return code.fits(stored) || (other !== null && isSamePhone(wanted, other))
    },
  }
}

const isSamePhone = (one: Phone, other: Phone) =>
  one.international !== undefined && other.international !== undefined
    ? one.international === other.international
    : one.national === other.national
