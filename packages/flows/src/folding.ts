// Plain forms of letters, for searches and for answers: people type "kobenhavn" and "sao paulo". Forms of
// characters and conventions of locales are remembered.

const unmarked: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ð: 'd',
  þ: 'th',
  ё: 'е',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
}

/**
 * Removes the marks of Latin and Greek letters, the vowels of Arabic and Hebrew ones, and replaces
 * letters that have no decomposition. Keeps the marks of other scripts, because they are letters
 * there. Also replaces compatibility forms such as full-width letters (NFKC).
 */
export const foldLetters = (text: string) =>
  text
    .normalize('NFKD')
    .replace(
      /([\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu,
      '$1',
    )
    .normalize('NFC')
    .replace(/[ßøłđæœıðþёىیک]/giu, (letter) => unmarked[letter.toLowerCase()]!)

/** Replaces decimal digits of all scripts. */
export const withAsciiDigits = (text: string) =>
  text.replace(/(?![0-9])\p{Nd}/gu, toAsciiDigit)

const isDigit = (code: number) => /^\p{Nd}$/u.test(String.fromCodePoint(code))

/** In Unicode, the ten digits of a script follow each other, and a range begins with zero. */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  let first = code
  while (isDigit(first - 1)) first--
  return String((code - first) % 10)
}

/** Remembers results by text. Discards all at `max`, because users choose the texts. */
export function memoize<Result>(compute: (text: string) => Result, max: number) {
  const known = new Map<string, Result>()
  return (text: string): Result => {
    const found = known.get(text)
    if (found !== undefined) return found
    if (known.size >= max) known.clear()
    const result = compute(text)
    known.set(text, result)
    return result
  }
}
