// Characters that look like ASCII ones or are not visible, in texts that people paste.

/** Joins the parts of an emoji. Elsewhere it is invisible. */
const joiner = /(?<!\p{Extended_Pictographic})\u200d|\u200d(?!\p{Extended_Pictographic})/gu

/** Removes variation selectors, skin tones, the frames of keycaps and format characters. */
export const withoutInvisible = (text: string) =>
  text
    .replace(/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u{1f3fb}-\u{1f3ff}\u20e3]/gu, '')
    .replace(joiner, '')
    .replace(/(?!\u200d)\p{Cf}/gu, '')

/** Replaces decimal digits of all scripts. */
export const withAsciiDigits = (text: string) => text.replace(/(?![0-9])\p{Nd}/gu, toAsciiDigit)

const isDigit = (code: number) => /^\p{Nd}$/u.test(String.fromCodePoint(code))

/** In Unicode, the ten digits of a script follow each other, and a range begins with zero. */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  let first = code
  while (isDigit(first - 1)) first--
  return String((code - first) % 10)
}

/** Replaces full-width forms of ASCII characters. */
const withoutFullWidth = (text: string) =>
  text.replace(/[\uff01-\uff5e]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xfee0))

/** Replaces digits, spaces, hyphens, dashes and minus signs of all scripts by ASCII ones. */
export const withAsciiSigns = (text: string) =>
  withAsciiDigits(withoutFullWidth(withoutInvisible(text)))
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\p{Pd}\u2212]/gu, '-')
