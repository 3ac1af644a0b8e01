// Raised and lowered text in Unicode, so that it does not join the text before it: 10⁶, H₂O.

const zip = (from: string, to: string) =>
  new Map([...from].map((char, at) => [char, [...to][at]!]))
const raised = zip('0123456789+-\u2212=()ni', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ')
const lowered = zip('0123456789+-\u2212=()', '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎')

const translated = (text: string, characters: Map<string, string>) =>
  [...text].map((char) => characters.get(char) ?? char).join('')

/**
 * `before` is the text in front. Exponents without raised characters get a sign: 2^(x+1). Marks of notes,
 * ordinals (1st) and other texts stay.
 */
export function toSuperscript(text: string, before = ''): string {
  const content = text.trim()
  if (isSimple.test(content) && !/[ni]{2}/.test(content))
    return text.replace(content, translated(content, raised))
  const isAfterNumber = /\d$/.test(before)
  if (!isAfterNumber && isNotes.test(content)) return translated(text, raised)
  if (!isAfterNumber && !/(?:^|\P{L})\p{L}$|[)\]]$/u.test(before)) return text
  if (/^[ijkpqxyz]$|^\d+[.,]\d+$/.test(content)) return `^${content}`
  return content.length > 1 && isTerm.test(content) ? `^(${content})` : text
}

/** An exponent, or the charge of an ion. */
const isSimple = /^[+\-\u2212]?[\dni+\-\u2212]{0,8}[\dn]$|^\d{0,2}[+\-\u2212]$/

/** Numbers of several notes. */
const isNotes = /^\d{1,3}(?:[,\u2013-] ?\d{1,3}){1,9}$/
/** Such as x+1, 2x, -x or 1/2. */
const isTerm = /^[+\-\u2212]?(?:\d+|\d*[a-z])(?:[+\-\u2212*/·](?:\d+|\d*[a-z])){0,9}$/i

/** Only numbers: letters stay, as in V_max without its sign. */
export const toSubscript = (text: string): string =>
  /^\(?[+\-\u2212]?\d{1,9}[+\-\u2212]?\)?$/.test(text.trim())
    ? translated(text, lowered)
    : text
