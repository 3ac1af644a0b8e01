// Finds the time in a date: "at 3 pm", "14:30:00", "15h30", "15 Uhr", "noon", "14:30 UTC", "half past 7".

import { findNamedNumber } from '../numbers/number-names.ts'
import { oneOf } from '../patterns.ts'
import { plain } from '../words.ts'
import type { Time } from './clock-time.ts'
import { inDayPart, takeDayPart } from './day-parts.ts'
import { listSpokenTimes, type SpokenTime } from './spoken-times.ts'

const prepositions = String.raw`at|um|à|a las?|às|as|alle|om|o|в|о|saat|kl\.?|@|-`
const start = String.raw`(?:^|[\s,]+|(?<=[日天号號])の?)(?:(?:${prepositions}) ?)?`
const dayHalf = '(?<part>午前|午後|上午|下午|오전|오후)?'
const half = String.raw`(?: ?(?<half>[ap])(?:\.? ?m\b\.?))`
const clock = String.raw`(?: ?(?:uhr|h|hrs?|hours|o'clock)\b)?`
const offset = String.raw`(?<= )[+-]\d{4}|(?<=utc|gmt)[+-]\d\d?(?::?\d\d)?|\+\d\d:\d\d`
const zone = String.raw`(?: ?(?<utc>z|utc|gmt)?(?<offset>${offset})?(?: \([^()]*\))?)`
const end = String.raw`(?=$|[\s,])`

const patterns = [
  String.raw`(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d{1,9})?)?${half}?${clock}${zone}`,
  String.raw`(?<hour>\d{1,2})(?:\.(?<minute>\d\d))?${half}${zone}`,
  String.raw`(?<hour>\d{1,2})(?:[.:](?<minute>\d\d))? ?(?:uhr|uur)(?: (?<late>\d\d))?`,
  String.raw`(?<hour>\d{1,2}) ?[hu](?: ?(?<minute>\d\d))?`,
  String.raw`${dayHalf} ?(?<hour>\d{1,2}) ?[時时点點시](?: ?(?<minute>\d{1,2}) ?[分분]|(?<thirty>半))?`,
].map((pattern) => new RegExp(`${start}${pattern}${end}`, 'gu'))

/** A bare hour needs a word before it, and ends the text. */
const bareHour = /(?:^|[\s,]+)(?:at|um|à|a las?|às|alle|om|в|о) (?<hour>\d{1,2})$/gu

/** "8 in the evening", "three in the afternoon" */
function takeBareHour(phrase: string, locale: string | undefined): Taken {
  const [last = ''] = /[^\s,]+$/.exec(phrase) ?? []
  const hour = /^\d{1,2}$/.test(last)
    ? Number(last)
    : findNamedNumber(plain(last), locale)
  if (hour === undefined || hour > 23) return { rest: phrase, times: [] }
  const start = phrase.length - last.length
  return {
    rest: without(phrase, start, phrase.length),
    times: [{ hour, minute: 0, second: 0 }],
  }
}

const noon = oneOf('noon midday mittags? midi mediodía meio[-_]dia mezzogiorno')
const midnight = oneOf('midnight mitternacht minuit medianoche meia[-_]noite mezzanotte')
const atNoon = '(?:(?:at|um|à|a|al|ao|às|a la) )?(?:12 )?'
const words = new RegExp(
  String.raw`(?:^|[\s,]+)${atNoon}(?:(?<noon>${noon})|${midnight})(?=$|[\s,])`,
  'gu',
)

const anywhere = [...patterns, bareHour, words]

interface Taken {
  /** The text without the time. */
  rest: string
  /** The readings of the time; none without a time. */
  times: Time[]
}

/**
 * Splits off the time. Returns undefined if there are several, or none that a clock has ("25:00",
 * "0 pm").
 */
export function takeTime(phrase: string, locale: string | undefined): Taken | undefined {
  const { rest, part } = takeDayPart(phrase)
  if (part === undefined) return takeAny(phrase, locale)
  const taken = takeAny(rest, locale, anywhere)
  const bare = taken?.times.length === 0 ? takeBareHour(rest, locale) : taken
  if (!bare || bare.times.length === 0) return takeAny(phrase, locale)
  const times = bare.times.map((time) => inDayPart(time, part))
  const fitting = times.filter((time) => time !== undefined)
  return fitting.length > 0 ? { rest: bare.rest, times: fitting } : undefined
}

const takeAny = (phrase: string, locale: string | undefined, written = anywhere) =>
  takeSpokenTime(phrase, locale) ?? takeWrittenTime(phrase, written)

const without = (phrase: string, start: number, end: number) =>
  `${phrase.slice(0, start)} ${phrase.slice(end)}`
    .replace(/\s+/g, ' ')
    .replace(/^[ ,]+|[ ,]+$/g, '')

function takeSpokenTime(phrase: string, locale: string | undefined): Taken | undefined {
  const [found, ...others] = listSpokenTimes(phrase, locale)
  if (!found || others.length > 0) return undefined
  const rest = without(phrase, found.start, found.end)
  return /\d:\d/.test(rest)
    ? undefined
    : { rest, times: found.minutes.map((one) => toSpoken(one, found)) }
}

const toSpoken = (minutes: number, { isMidnight, half }: SpokenTime): Time => {
  const hour = Math.floor(minutes / 60)
  return {
    hour: half ? (hour % 12) + (half === 'p' ? 12 : 0) : hour,
    minute: minutes % 60,
    second: 0,
    ...(half && { isHalfDay: true }),
    ...(isMidnight && { isMidnight }),
  }
}

function takeWrittenTime(phrase: string, written: RegExp[]): Taken | undefined {
  for (const pattern of written) {
    const [found, ...others] = phrase.matchAll(pattern)
    if (!found) continue
    const time = pattern === words ? namedTime(found) : toTime(found)
    if (!time || others.length > 0) return undefined
    return {
      rest: without(phrase, found.index, found.index + found[0].length),
      times: [time],
    }
  }
  return { rest: phrase, times: [] }
}

const namedTime = ({ groups }: RegExpExecArray): Time => ({
  hour: groups?.noon ? 12 : 0,
  minute: 0,
  second: 0,
  ...(groups?.noon === undefined && { isMidnight: true }),
})

/** "午前" and "오전" are before noon. */
function toHalf(part: string | undefined) {
  if (part === undefined) return undefined
  return /午前|上午|오전/.test(part) ? 'a' : 'p'
}

function toTime({ groups = {} }: RegExpExecArray): Time | undefined {
  const { utc, offset } = groups
  const part = groups.half ?? toHalf(groups.part)
  const [hour, minute, second] = [
    groups.hour,
    groups.minute ?? groups.late ?? (groups.thirty ? 30 : 0),
    groups.second ?? 0,
  ].map(Number) as [number, number, number]
  const isEnd = hour === 24 && minute === 0 && second === 0
  if (minute > 59 || second > 59 || (hour > (part ? 12 : 23) && (part || !isEnd)))
    return undefined
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
