// Parses times in query strings and request bodies. Responses always use `Timestamp` (fields.ts).
// Accepts ISO 8601 (also with a space instead of the T), RFC 1123, and milliseconds since 1970.
// A time without an offset is UTC.

export const momentForms =
  'a date or time in ISO 8601, such as 2026-01-31T12:00:00Z, in RFC 1123, or in milliseconds since 1970'

const months = [
  'jan',
  'feb',
  'mar',
  'apr',
  'may',
  'jun',
  'jul',
  'aug',
  'sep',
  'oct',
  'nov',
  'dec',
]

const clock = '(?<time>(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?)'
const offset = '(?:[01]\\d|2[0-3]):?[0-5]\\d'
/** A plus that the client did not encode in a query string arrives as a space. */
const zone = `(?: ?(?:Z|UTC|GMT)| ?(?<signed>[+-]${offset})| {1,2}(?<plus>${offset}))?`

const iso = new RegExp(
  `^(?<day>\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01]))(?:[T ` +
    `]${clock}(?<fraction>[.,]\\d{1,9})?${zone})?$`,
  'i',
)
const rfc1123 = new RegExp(
  `^(?:(?:mon|tue|wed|thu|fri|sat|sun), ?)?(?<date>[012]?\\d|3[01]) (?<month>${months.join('|')}) ` +
    `(?<year>\\d{4}) ${clock}${zone}$`,
  'i',
)
/** At least 11 digits: shorter numbers are ambiguous with years and seconds. */
const milliseconds = /^(?:0|\d{11,15})$/

const lastMoment = Date.parse('9999-12-31T23:59:59.999Z')

/** Parses a time. Returns null for any other text. */
export function parseMoment(text: string): Date | null {
  if (text.length > 40) return null
  const moment = milliseconds.test(text)
    ? new Date(Number(text))
    : new Date(toIso(text) ?? Number.NaN)
  return moment.getTime() <= lastMoment && isInCalendar(text) ? moment : null
}

/** Date turns February 30 into a day of March. */
function isInCalendar(text: string): boolean {
  const { day } = iso.exec(text)?.groups ?? {}
  return day === undefined || new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

function toIso(text: string): string | null {
  const { groups } = iso.exec(text) ?? rfc1123.exec(text) ?? {}
  if (!groups) return null
  const { time = '00:00', fraction = '', signed, plus } = groups
  const seconds = time.length === '00:00'.length ? ':00' : ''
  const behind = signed ?? (plus ? `+${plus}` : '+00:00')
  const colon = behind.includes(':') ? behind : `${behind.slice(0, 3)}:${behind.slice(3)}`
  return `${groups.day ?? toDay(groups)}T${time}${seconds}${fraction.replace(',', '.')}${colon}`
}

const toDay = ({ year, month, date }: Record<string, string | undefined>) =>
  `${year}-${String(months.indexOf(month!.toLowerCase()) + 1).padStart(2, '0')}-${date!.padStart(2, '0')}`

/** Checks whether the text is a date without a time. */
export const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)
