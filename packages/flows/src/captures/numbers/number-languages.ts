// How languages write numbers in words, for number-names.ts.
import { toCardinal as arabic } from 'n2words/ar-SA'
import { toCardinal as danish } from 'n2words/da-DK'
import { toCardinal as german } from 'n2words/de-DE'
import { toCardinal as british } from 'n2words/en-GB'
import { toCardinal as spanish } from 'n2words/es-ES'
import { toCardinal as belgian } from 'n2words/fr-BE'
import { toCardinal as french } from 'n2words/fr-FR'
import { toCardinal as hindi } from 'n2words/hi-IN'
import { toCardinal as italian } from 'n2words/it-IT'
import { toCardinal as korean } from 'n2words/ko-KR'
import { toCardinal as norwegian } from 'n2words/nb-NO'
import { toCardinal as dutch } from 'n2words/nl-NL'
import { toCardinal as polish } from 'n2words/pl-PL'
import { toCardinal as portuguese } from 'n2words/pt-PT'
import { toCardinal as russian } from 'n2words/ru-RU'
import { toCardinal as swedish } from 'n2words/sv-SE'
import { toCardinal as turkish } from 'n2words/tr-TR'
import { toCardinal as ukrainian } from 'n2words/uk-UA'

interface Language {
  writers: ((value: number) => string)[]
  /** Words for a thousand. */
  thousands: string
  /** Word between hundreds or thousands and the rest, if writers may omit or add it. */
  and?: string
  /** Other forms of names: gender, spelling, a number without "one". */
  forms?: [form: RegExp, other: string][]
}

const slavicForms: [RegExp, string][] = [
  [/один$/, 'одна'],
  [/один$/, 'одну'],
  [/два$/, 'две'],
  [/два$/, 'дві'],
]

export const numberLanguages: Record<string, Language> = {
  en: {
    writers: [british],
    thousands: 'thousand',
    and: 'and',
    forms: [
      [/^one hundred/, 'a hundred'],
      [/^one hundred/, 'hundred'],
      [/^forty/, 'fourty'],
    ],
  },
  de: {
    writers: [german],
    thousands: 'tausend',
    and: 'und',
    forms: [
      [/^einhundert/, 'hundert'],
      [/eins$/, 'ein'],
      [/eins$/, 'eine'],
      [/zwei/, 'zwo'],
      [/dreißig/, 'dreissig'],
    ],
  },
  fr: {
    writers: [
      french,
      belgian,
      (value) => belgian(value).replace(/quatre-vingts?/, 'huitante'),
    ],
    thousands: 'mille',
    and: 'et',
    forms: [
      [/un$/, 'une'],
      [/ et /, ' '],
      [/vingts$/, 'vingt'],
      [/cents$/, 'cent'],
    ],
  },
  es: {
    writers: [spanish],
    thousands: 'mil',
    and: 'y',
    forms: [
      [/uno$/, 'una'],
      [/uno$/, 'un'],
      [/ y /, ' '],
      [/ientos/, 'ientas'],
      [/^cien$/, 'ciento'],
    ],
  },
  pt: {
    writers: [
      portuguese,
      (value) => portuguese(value).replace('catorze', 'quatorze').replace('ezas', 'esse'),
      (value) =>
        portuguese(value).replace(/dezas/, 'dezes').replace('dezanove', 'dezenove'),
    ],
    thousands: 'mil',
    and: 'e',
    forms: [
      [/um$/, 'uma'],
      [/dois$/, 'duas'],
      [/entos$/, 'entas'],
      [/^cem$/, 'cento'],
    ],
  },
  it: {
    writers: [italian],
    thousands: 'mille mila',
    and: 'e',
    forms: [
      [/uno$/, 'una'],
      [/uno$/, 'un'],
    ],
  },
  nl: { writers: [dutch], thousands: 'duizend', and: 'en', forms: [[/^één/, 'een']] },
  sv: { writers: [swedish], thousands: 'tusen', and: 'och', forms: [[/ett$/, 'en']] },
  da: {
    writers: [danish],
    thousands: 'tusind tusinde',
    and: 'og',
    forms: [[/^ethundrede/, 'hundrede']],
  },
  nb: {
    writers: [norwegian],
    thousands: 'tusen',
    and: 'og',
    forms: [[/^en hundre/, 'hundre']],
  },
  pl: {
    writers: [polish],
    thousands: 'tysiące tysięcy tysiąc',
    forms: [[/dwa$/, 'dwie']],
  },
  ru: { writers: [russian], thousands: 'тысяча тысячи тысячу тысяч', forms: slavicForms },
  uk: {
    writers: [(value) => ukrainian(value).replaceAll('i', 'і')],
    thousands: 'тисяча тисячі тисячу тисяч',
    forms: slavicForms,
  },
  tr: { writers: [turkish], thousands: 'bin' },
  ar: { writers: [arabic], thousands: 'ألف آلاف', and: 'و' },
  hi: { writers: [hindi], thousands: 'हज़ार हजार', forms: [[/^एक /, '']] },
  ko: { writers: [korean], thousands: '천' },
}
