// Parts of the day beside a time: "in the evening", "nachmittags", "du matin", "de la noche".

import { oneOf } from '../patterns.ts'
import type { Time } from './clock-time.ts'

type Part = 'morning' | 'afternoon' | 'evening' | 'night'

/** "This evening" is today. */
const todays: Record<Part, string> = {
  morning:
    'this_morning ce_matin esta_mañana stamattina questa_mattina vanochtend vanmorgen',
  afternoon: 'this_afternoon cet_après-midi esta_tarde questo_pomeriggio vanmiddag',
  evening: 'this_evening ce_soir esta_noche stasera questa_sera vanavond',
  night: '',
}
const names: Record<Part, string> = {
  morning: `
    in_the_morning morning morgens früh vormittags? am_morgen am_vormittag du_matin matin
    de_la_mañana por_la_mañana da_manhã de_manhã da_madrugada de_la_madrugada di_mattina del_mattino mattina
    ['’]?s_(?:ochtends|morgens) ochtend utra утра rano (?<=\\S\\s)morgen
  `,
  afternoon: `
    in_the_afternoon afternoon nachmittags? am_nachmittag mittags de_l['’]après-midi après-midi de_la_tarde
    por_la_tarde del_mediodía da_tarde à_tarde del_pomeriggio pomeriggio ['’]?s_middags middag дня
  `,
  evening: `
    in_the_evening evening abends? am_abend du_soir soir de_la_noche por_la_noche da_noite à_noite di_sera
    sera ['’]?s_avonds avond вечера wieczorem
  `,
  night: `at_night night nachts nacht de_la_nuit di_notte della_notte ['’]?s_nachts ночи`,
}

const parts = Object.keys(names) as Part[]
const toPattern = (words: string) =>
  new RegExp(`(?:^|[\\s,]+)${oneOf(words)}(?=$|[\\s,])`, 'u')
const [todayPatterns, patterns] = [todays, names].map((words) =>
  parts.flatMap((part) => (words[part] ? [[part, toPattern(words[part])] as const] : [])),
) as [[Part, RegExp][], [Part, RegExp][]]

/** Splits the part of the day off. Its rest is "today" for "this evening". */
export function takeDayPart(phrase: string): { rest: string; part?: Part } {
  for (const [list, day] of [
    [todayPatterns, ' today '],
    [patterns, ' '],
  ] as const)
    for (const [part, pattern] of list)
      if (pattern.test(phrase))
        return { rest: phrase.replace(pattern, day).replace(/\s+/g, ' ').trim(), part }
  return { rest: phrase }
}

/** Hours from 1 to 11 that the part moves by twelve. */
const late: Record<Part, (hour: number) => boolean> = {
  morning: () => false,
  afternoon: () => true,
  evening: (hour) => hour > 3,
  night: (hour) => hour > 7,
}

/** Returns the time in a part of the day, or undefined if they contradict each other. */
export function inDayPart(time: Time, part: Part): Time | undefined {
  const { hour, isHalfDay } = time
  const isMorning = part === 'morning'
  if (isHalfDay || hour > 12)
    return hour < 12 === isMorning || part === 'night' ? time : undefined
  if (hour === 12 && part === 'afternoon') return time
  if (hour === 12) return isMorning ? undefined : { ...time, hour: 0, isMidnight: true }
  if (hour === 0) return part === 'night' ? time : undefined
  if (late[part](hour)) return { ...time, hour: hour + 12 }
  return isMorning ? time : undefined
}
