// Number formats of workbooks (ECMA-376, 18.8.30): whether a number is a date, a time, a duration or a
// code, and how it is shown.
import { format } from 'numfmt'

export interface NumberFormat {
  kind: 'number' | 'date' | 'time' | 'duration'
  /** Whether it shows seconds, or parts of a second. */
  hasSeconds: boolean
  hasFraction: boolean
  /** Whether it writes codes: leading zeros as `00000`, or parts as `000-00-0000`. */
  isCode: boolean
  /** Null for the general format. */
  code: string | null
}

/**
 * Formats that files do not define: in every language, and in East Asian ones (27–36, 50–58). The currency of
 * 5–8 and 41–44 depends on the program's language, so it is left out.
 */
const builtInCodes = new Map<number, string>([
  ...[14, 15, 16, 17].map((id) => [id, 'yyyy-mm-dd'] as const),
  ...[27, 28, 29, 30, 31, 34, 35, 36].map((id) => [id, 'yyyy-mm-dd'] as const),
  ...[50, 51, 52, 53, 54, 55, 56, 57, 58].map((id) => [id, 'yyyy-mm-dd'] as const),
  ...[18, 20, 32].map((id) => [id, 'h:mm'] as const),
  ...[19, 21, 33].map((id) => [id, 'h:mm:ss'] as const),
  ...[3, 5, 6, 37, 38, 41, 42].map((id) => [id, '#,##0'] as const),
  ...[4, 7, 8, 39, 40, 43, 44].map((id) => [id, '#,##0.00'] as const),
  [1, '0'],
  [2, '0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  [22, 'yyyy-mm-dd h:mm'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
  [48, '##0.0E+0'],
])

/** `written` is the file's own code for the id. */
export function toNumberFormat(id: number, written?: string): NumberFormat {
  const code = written ?? builtInCodes.get(id) ?? ''
  const sections = code.replaceAll(literal, '').split(';')
  const timed = sections.find((section) => toKind(section) !== 'number')
  const shown = timed ?? sections[0] ?? ''
  return {
    kind: toKind(shown),
    hasSeconds: /s/i.test(shown),
    hasFraction: /s\.0/i.test(shown),
    isCode: timed === undefined && isCode(code),
    code: /^(?:general|@)?$/i.test(code) ? null : withoutLocales(code),
  }
}

/** Texts, escaped characters, spaces and fillings. */
const literal = /"[^"]*"|\\.|[_*]./gsu

function toKind(section: string): NumberFormat['kind'] {
  if (/\[(?:h+|m+|s+)\]/i.test(section)) return 'duration'
  const letters = section.replaceAll(/\[[^\]]*\]|general|E[+-]/gi, '')
  // a and p are of AM/PM; b, e and g are years of other calendars.
  if (/[ydbeg]/i.test(letters)) return 'date'
  if (/[hs]/i.test(letters)) return 'time'
  return /m/i.test(letters) ? 'date' : 'number'
}

/** Amounts have a decimal point, separators of thousands, a share or an exponent. */
function isCode(code: string): boolean {
  const plain = code.replaceAll(/"[^"]*"|[_*]./gsu, '').replaceAll(/\[[^\]]*\]/g, '')
  if (/(?<!\\)[.,%?/]|E[+-]/i.test(plain)) return false
  // A sign only for positive numbers is that of a telephone number.
  if (/^"?\\?\+"? ?[0#]/.test(code) && !code.includes(';')) return true
  return /^[^0#]*00/.test(plain) || /[0#]\\?[-/][0#]/.test(plain)
}

/** Languages would change the separators, although spreadsheets show those of their user. */
const withoutLocales = (code: string) =>
  code.replaceAll(/\[\$([^\]-]*)(?:-[^\]]*)?\]/g, (_, currency: string) =>
    currency === '' ? '' : `"${currency}"`,
  )

/** Returns the value as a spreadsheet shows it, with decimal points; null for an unknown format. */
export function formatted(value: number | string, code: string): string | null {
  try {
    return format(code, value).replaceAll(/\s+/g, ' ').trim()
  } catch {
    return null
  }
}
