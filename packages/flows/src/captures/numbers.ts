// Reads the number in an answer: "1,234.5", "1.234,5", "about 20 €", "-3".

const maxLength = 1_000

/** Returns the number, or undefined if the text has none or several. */
export function numberIn(text: string): number | undefined {
  const cleaned = text.slice(0, maxLength).replace(/[\u2212\u2013]/g, '-')
  const found =
    cleaned.match(
      /(?<![\p{L}\p{N}.,])[-+]?(?:\d[\d.,'\u00a0\u202f]*|\.\d+)(?:e[-+]?\d{1,3})?(?![\p{L}\p{N}])/giu,
    ) ?? []
  const grouped =
    found.length > 1 ? /^[^\d]*[-+]?\d{1,3}(?: \d{3})+(?:[.,]\d+)?[^\d]*$/.exec(cleaned) : null
  if (grouped) return numberIn(cleaned.replaceAll(' ', ''))
  return found.length === 1 ? readNumber(found[0]!) : undefined
}

function readNumber(written: string): number | undefined {
  const digits = written.replace(/[.,']$/, '').replace(/['\u00a0\u202f]/g, '')
  const [comma, point] = [digits.lastIndexOf(','), digits.lastIndexOf('.')]
  const last = comma > point ? ',' : '.'
  const decimal = comma >= 0 && point >= 0 ? last : decimalSign(digits)
  const plain =
    decimal === ',' ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '')
  const value = Number(decimal === null ? plain.replaceAll('.', '') : plain)
  return Number.isFinite(value) ? value : undefined
}

/**
 * Returns the decimal sign of a number with one kind of sign, or null if the signs separate
 * thousands. They do if three digits follow each of several signs, or a single comma.
 */
function decimalSign(digits: string): ',' | '.' | null {
  const sign = digits.includes(',') ? ',' : '.'
  const parts = digits.split(sign)
  const thousands =
    parts.slice(1).every((part) => part.length === 3) &&
    parts[0]!.length <= 4 &&
    !/^[-+]?0$/.test(parts[0]!)
  if (parts.length > 2) return thousands ? null : sign
  return sign === ',' && thousands ? null : sign
}
