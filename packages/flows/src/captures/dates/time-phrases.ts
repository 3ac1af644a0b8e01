// Phrases of spoken times by language, for spoken-times.ts.

/** Minutes after the hour. `m`: the minutes that the words name. */
type Offset = (m: number) => number

const after: Offset = (m) => m
const before: Offset = (m) => -m

/**
 * H is the hour, HU the hour with its unit (`hours`), N an hour in words only, C noon or midnight, M the
 * minutes, and P "am" or "pm". Bare minutes before "to" may be the start of a range: "five to seven".
 */
export const timePhrases: Record<
  string,
  { hours?: string; phrases: [words: string, offset: Offset][] }
> = {
  en: {
    phrases: [
      ['half (?:past )?H P', () => 30],
      ['(?:a )?quarter (?:past|after) H P', () => 15],
      ['(?:a )?quarter (?:to|before|till?|of) H P', () => -15],
      ['M (?:minutes? )?(?:past|after) H P', after],
      ['M minutes? (?:to|before|till?|of) H P', before],
      ['at M (?:to|before|till?) H P', before],
      ['(?<minute>twenty(?:[- ]five)?|2[05]) (?:to|before|till?) H P', before],
      ["H o['’ ]?clock P", () => 0],
      ['N (?:oh? )?M P', after],
      ['at N', () => 0],
      ['N(?= [ap]\\.? ?m\\b) P', () => 0],
    ],
  },
  de: {
    phrases: [
      ['halb H(?: uhr)?', () => -30],
      ['viertel (?:nach|ab) H(?: uhr)?', () => 15],
      ['viertel vor H(?: uhr)?', () => -15],
      ['viertel H(?: uhr)?', () => -45],
      ['drei ?viertel H(?: uhr)?', () => -15],
      ['M (?:minuten )?nach halb H(?: uhr)?', (m) => m - 30],
      ['M (?:minuten )?vor halb H(?: uhr)?', (m) => -m - 30],
      ['M (?:minuten )?(?:nach|ab) H(?: uhr)?', after],
      ['M (?:minuten )?vor H(?: uhr)?', before],
      ['N uhr(?: M)?', after],
      ['H uhr M', after],
      ['um N', () => 0],
    ],
  },
  nl: {
    phrases: [
      ['half H(?: uur)?', () => -30],
      ['kwart over H(?: uur)?', () => 15],
      ['kwart voor H(?: uur)?', () => -15],
      ['M (?:minuten )?over half H(?: uur)?', (m) => m - 30],
      ['M (?:minuten )?voor half H(?: uur)?', (m) => -m - 30],
      ['M (?:minuten )?over H(?: uur)?', after],
      ['M (?:minuten )?voor H(?: uur)?', before],
      ['N uur(?: M)?', after],
      ['om N', () => 0],
    ],
  },
  fr: {
    hours: '(?: heures?| ?h)?',
    phrases: [
      ['HU et demie?', () => 30],
      ['HU (?:et|un) quart', () => 15],
      ['HU moins (?:le |un )?quart', () => -15],
      ['HU moins M', before],
      ['H heures?(?: M)?', after],
      ['C M', after],
    ],
  },
  es: {
    phrases: [
      ['HU y media', () => 30],
      ['HU y cuarto', () => 15],
      ['HU menos (?:un )?cuarto', () => -15],
      ['HU menos M', before],
      ['N y M', after],
      ['(?:un )?cuarto para las? H', () => -15],
      ['M (?:minutos )?para las? H', before],
      ['N en punto', () => 0],
      ['(?:a )?las? N', () => 0],
    ],
  },
  pt: {
    hours: '(?: horas?)?',
    phrases: [
      ['HU e meia', () => 30],
      ['HU e (?:um )?quarto', () => 15],
      ['HU menos (?:um )?quarto', () => -15],
      ['(?:um )?quarto para (?:as?|o) H', () => -15],
      ['M (?:minutos )?para (?:as?|o) H', before],
      ['N(?: horas?)? e M', after],
      ['H horas?', () => 0],
      ['N(?: horas?)? em ponto', () => 0],
      ['às? N', () => 0],
    ],
  },
  it: {
    phrases: [
      ['HU e mezz[ao]', () => 30],
      ['HU e (?:un )?quarto', () => 15],
      ['HU e tre quarti', () => 45],
      ['HU meno (?:un )?quarto', () => -15],
      ['HU meno M', before],
      ['N e M', after],
      ['N in punto', () => 0],
      ["(?:alle |all['’])N", () => 0],
    ],
  },
  ru: {
    phrases: [
      ['в N(?: час(?:а|ов)?)?', () => 0],
      ['в H час(?:а|ов)?', () => 0],
    ],
  },
  sv: {
    phrases: [
      ['halv H', () => -30],
      ['(?:kl\\.?|klockan) N', () => 0],
      ['(?:en )?kvart över H', () => 15],
      ['(?:en )?kvart i H', () => -15],
      ['M (?:minuter )?över H', after],
      ['M (?:minuter )?i H', before],
    ],
  },
  da: {
    phrases: [
      ['halv H', () => -30],
      ['(?:et )?kvart(?:er)? over H', () => 15],
      ['(?:et )?kvart(?:er)? i H', () => -15],
      ['M (?:minutter )?over H', after],
      ['M (?:minutter )?i H', before],
    ],
  },
  nb: {
    phrases: [
      ['halv H', () => -30],
      ['kvart over H', () => 15],
      ['kvart på H', () => -15],
      ['M (?:minutter )?over H', after],
      ['M (?:minutter )?på H', before],
    ],
  },
}
