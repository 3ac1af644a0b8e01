// Finds the time in a date: "at 3 pm", "14:30:00", "15h30", "15 Uhr", "noon", "14:30 UTC".

export interface Time {
  /** 24 is the end of the day. */
  hour: number
  minute: number
  second: number
  /** The time has "am" or "pm". */
  isHalfDay?: boolean
  /** Zone that the text names, as "utc+2:30". */
  zone?: string
}

const start = String.raw`(?:^|[\s,]+)(?:(?:at|um|à|a las?|às|as|alle|om|kl\.?|@|-) ?)?`
const half = String.raw`(?: ?(?<half>[ap])(?:\.? ?m\b\.?))`
const clock = String.raw`(?: ?(?:uhr|h|hrs?|hours|o'clock)\b)?`
const zone = String.raw`(?: ?(?<utc>z|utc|gmt)?(?<offset>(?<= )[+-]\d{4}|(?<=utc|gmt)[+-]\d\d?(?::?\d\d)?|\+\d\d:\d\d)?(?: \([^()]*\))?)`
const end = String.raw`(?=$|[\s,])`

const patterns = [
  String.raw`(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d{1,9})?)?${half}?${clock}${zone}`,
  String.raw`(?<hour>\d{1,2})${half}${zone}`,
  String.raw`(?<hour>\d{1,2})(?:[.:](?<minute>\d\d))? ?uhr(?: (?<late>\d\d))?`,
  String.raw`(?<hour>\d{1,2}) ?h(?: ?(?<minute>\d\d))?`,
].map((pattern) => new RegExp(`${start}${pattern}${end}`, 'gu'))

/** A bare hour needs a word before it, and ends the text. */
const bareHour = /(?:^|[\s,]+)(?:at|um|à|a las?|às|alle|om) (?<hour>\d{1,2})$/gu

const words =
  /(?:^|[\s,]+)(?:(?:at|um|à|a|al|às|a la) )?(?:(?<noon>noon|midday|mittags?|midi|mediodía|meio-dia|mezzogiorno)|midnight|mitternacht|minuit|medianoche|meia-noite|mezzanotte)(?=$|[\s,])/gu

/**
 * Splits off the time. Returns undefined if there are several, or none that a clock has ("25:00",
 * "0 pm").
 */
export function takeTime(phrase: string): { rest: string; time?: Time } | undefined {
  for (const pattern of [...patterns, bareHour, words]) {
    const [found, ...others] = phrase.matchAll(pattern)
    if (!found) continue
    const time = pattern === words ? namedTime(found) : toTime(found)
    if (!time || others.length > 0) return undefined
    const rest = `${phrase.slice(0, found.index)} ${phrase.slice(found.index + found[0].length)}`
    return { rest: rest.replace(/\s+/g, ' ').replace(/^[ ,]+|[ ,]+$/g, ''), time }
  }
  return { rest: phrase }
}

const namedTime = ({ groups }: RegExpExecArray): Time => ({
  hour: groups?.noon ? 12 : 0,
  minute: 0,
  second: 0,
})

function toTime({ groups = {} }: RegExpExecArray): Time | undefined {
  const { half: part, utc, offset } = groups
  const [hour, minute, second] = [
    groups.hour,
    groups.minute ?? groups.late ?? 0,
    groups.second ?? 0,
  ].map(Number) as [number, number, number]
  const isEnd = hour === 24 && minute === 0 && second === 0
  if (minute > 59 || second > 59 || (hour > (part ? 12 : 23) && (part || !isEnd))) return undefined
  if (part && hour === 0) return undefined
  const [, sign = '+', hours = '0', minutes = '00'] =
    /([+-])(\d\d?):?(\d\d)?/.exec(offset ?? '') ?? []
  if (Number(hours) > 14 || Number(minutes) > 59) return undefined
  return {
    hour: part ? (hour % 12) + (part === 'p' ? 12 : 0) : hour,
    minute,
    second,
    ...(part && { isHalfDay: true }),
    ...((utc || offset) && { zone: `utc${sign}${Number(hours)}:${minutes}` }),
  }
}
