// Detects numbers that JavaScript cannot hold: those with more digits than a double keeps.

const decimal = /^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?$/
/** Digits that every double keeps. */
const safeDigits = 15
/** Maximum of toPrecision. */
const maxDigits = 100

/** Returns whether the number that a text writes has all of its digits: not `12345678901234567890`. */
export function keepsDigits(text: string): boolean {
  const number = Number(text)
  if (!decimal.test(text) || !Number.isFinite(number)) return false
  const digits = significantDigits(text)
  if (digits === '') return true
  if (number === 0 || digits.length > maxDigits) return false
  return (
    digits.length <= safeDigits ||
    digits === significantDigits(String(number)) ||
    digits === significantDigits(number.toPrecision(digits.length))
  )
}

const significantDigits = (text: string) =>
  text.replace(/e.*$/i, '').replaceAll(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '')

const plain = /^-?(?:0|[1-9]\d*)?(?:\.\d+)?$/

/**
 * Returns the number of a text that a number can replace: null for leading zeros, plus signs, `1e5`, `-0`
 * and lost digits. Zeros at the end of decimals are the exception: `12.50`.
 */
export function parseExactNumber(text: string): number | null {
  const trimmed = text.trim()
  const number = Number(trimmed)
  if (trimmed === '' || Object.is(number, -0) || !Number.isFinite(number)) return null
  if (String(number) === trimmed) return number
  const full = trimmed.replace(/^(-?)\./, '$10.')
  return plain.test(trimmed) && keepsDigits(full) ? number : null
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs

/** Returns the first number of a JSON text that has more digits than a number keeps. */
export function findInexactNumber(json: string): string | null {
  if (!/\d[\d.]{15}/.test(json)) return null
  for (const [token] of json.matchAll(tokens))
    if (token.length > safeDigits && !token.startsWith('"') && !keepsDigits(token))
      return token
  return null
}
