// Number formats of workbooks (ECMA-376, 18.8.30): whether a number is a date, a time, a duration or a
// share.

export interface NumberFormat {
  kind: 'number' | 'date' | 'time' | 'duration' | 'percent'
  /** Whether it shows seconds, or parts of a second. */
  hasSeconds: boolean
  hasFraction: boolean
  /** Decimals of a percentage. */
  decimals: number
  /** Minimum digits of an integer: 5 of `00000`. */
  minDigits: number
}

/** Formats that files do not define: in every language, and in East Asian ones (27–36, 50–58). */
const builtInCodes = new Map<number, string>([
  ...[14, 15, 16, 17].map((id) => [id, 'yyyy-mm-dd'] as const),
  ...[27, 28, 29, 30, 31, 34, 35, 36].map((id) => [id, 'yyyy-mm-dd'] as const),
  ...[50, 51, 52, 53, 54, 55, 56, 57, 58].map((id) => [id, 'yyyy-mm-dd'] as const),
  ...[18, 20, 32].map((id) => [id, 'h:mm'] as const),
  ...[19, 21, 33].map((id) => [id, 'h:mm:ss'] as const),
  ...[22].map((id) => [id, 'yyyy-mm-dd h:mm'] as const),
  [9, '0%'],
  [10, '0.00%'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
])

/** `code` is the file's own code for the id. */
export function toNumberFormat(id: number, code?: string): NumberFormat {
  const [section = ''] = splitSections(code ?? builtInCodes.get(id) ?? '')
  const isElapsed = /\[(?:h+|m+|s+)\]/i.test(section)
  const letters = section.replaceAll(/\[[^\]]*\]|general|E[+-]/gi, '')
  return {
    kind: isElapsed ? 'duration' : toKind(letters),
    hasSeconds: /s/i.test(section),
    hasFraction: /s\.0/i.test(section),
    decimals: /\.([0#?]+)/.exec(letters)?.[1]?.length ?? 0,
    minDigits: /^0{2,20}$/.test(letters) ? letters.length : 0,
  }
}

function toKind(letters: string): NumberFormat['kind'] {
  // a and p are of AM/PM; b, e and g are years of other calendars.
  if (/[ydbeg]/i.test(letters)) return 'date'
  if (/[hs]/i.test(letters)) return 'time'
  if (/m/i.test(letters)) return 'date'
  return letters.includes('%') ? 'percent' : 'number'
}

/** The sections of positive numbers, negative ones and so on, without texts, spaces and fillings. */
const splitSections = (code: string) => code.replaceAll(/"[^"]*"|\\.|[_*]./gsu, '').split(';')
