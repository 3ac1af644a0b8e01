import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateWithin } from './date-limits.ts'
import { dateIn } from './dates.ts'

// This is a Wednesday.
const now = new Date('2026-03-04T12:00:00Z')
const read = (text: string, locale?: string, timezone = 'utc') =>
  dateIn(text, { now, timezone, locale })

test.each([
  // Written by programs.
  ['2026-03-05 14:30:00', '2026-03-05T14:30:00.000Z'],
  ['2026-03-05 14:30:00.250', '2026-03-05T14:30:00.250Z'],
  ['2026-03-05T14:30+05:30', '2026-03-05T09:00:00.000Z'],
  ['2026-03-05 14:30:00 +0000', '2026-03-05T14:30:00.000Z'],
  ['2026-03-05 14:30 UTC', '2026-03-05T14:30:00.000Z'],
  ['2026/03/05', '2026-03-05'],
  ['2026.03.05', '2026-03-05'],
  ['20260305', '2026-03-05'],
  ['Mar. 5, 2026', '2026-03-05'],
  ['5 mar', '2026-03-05'],
  ['Monday 9 March 2026 at 8 am UTC', '2026-03-09T08:00:00.000Z'],
  ['2026-W10-4', '2026-03-05'],
  ['2026-064', '2026-03-05'],
  ['5-Mar-2026', '2026-03-05'],
  ['Mon 9 March', '2026-03-09'],
  ['Thu, 05 Mar 2026 14:30:00 +0000', '2026-03-05T14:30:00.000Z'],
  ['Thu Mar 05 2026 14:30:00 GMT+0100 (CET)', '2026-03-05T13:30:00.000Z'],
  ['Thu Mar  5 14:30:00 2026', '2026-03-05T14:30:00.000Z'],
  ['March 5, 2026, 2:30:15 PM', '2026-03-05T14:30:15.000Z'],
  // Other scripts and languages.
  ['٢٠٢٦-٠٣-٠٥', '2026-03-05'],
  ['２０２６／０３／０５', '2026-03-05'],
  ['2026年3月5日', '2026-03-05'],
  ['5. März 2026 um 15 Uhr', '2026-03-05T15:00:00.000Z'],
  ['5 de marzo de 2026', '2026-03-05'],
  ['1er avril à 15h30', '2026-04-01T15:30:00.000Z'],
  ['nächsten Montag', '2026-03-09'],
  ['lundi prochain', '2026-03-09'],
  ['übermorgen', '2026-03-06'],
  ['mañana a las 15:00', '2026-03-05T15:00:00.000Z'],
  ['in 3 Tagen', '2026-03-07'],
  ['dans 2 semaines', '2026-03-18'],
  ['2 days ago', '2026-03-02'],
  // Times.
  ['tomorrow at 12 am', '2026-03-05T00:00:00.000Z'],
  ['tomorrow at noon', '2026-03-05T12:00:00.000Z'],
  ['tonight at 8', '2026-03-04T20:00:00.000Z'],
  ['5 March 2026 24:00', '2026-03-06T00:00:00.000Z'],
  ['5 March 2026 24:30', undefined],
  ['5 March 2026 25:00', undefined],
  ['tomorrow at 0 pm', undefined],
  ['tomorrow at 13 pm', undefined],
  ['2026-03-05 10:00-11:00', undefined],
  ['tomorrow 10:00 or 11:00', undefined],
  ['7.30pm', '2026-03-04T19:30:00.000Z'],
  ['tomorrow 7.30 p.m.', '2026-03-05T19:30:00.000Z'],
  ['12 noon', '2026-03-05T12:00:00.000Z'],
  ['19.30 uur', '2026-03-04T19:30:00.000Z'],
  ['19u30', '2026-03-04T19:30:00.000Z'],
  ['o 19:30', '2026-03-04T19:30:00.000Z'],
  ['в 19:30', '2026-03-04T19:30:00.000Z'],
  ['19時30分', '2026-03-04T19:30:00.000Z'],
  ['午後7時半', '2026-03-04T19:30:00.000Z'],
  ['下午3点', '2026-03-04T15:00:00.000Z'],
  ['오후 7시 30분', '2026-03-04T19:30:00.000Z'],
  ['午前12時', '2026-03-05T00:00:00.000Z'],
  ['3月5日19時', '2026-03-05T19:00:00.000Z'],
  ['25時', undefined],
  // Spelled counts.
  ['in three days', '2026-03-07'],
  ['in zwei Wochen', '2026-03-18'],
  ['dans une semaine', '2026-03-11'],
  ['two days ago', '2026-03-02'],
  ['diesen Freitag', '2026-03-06'],
  ['ce vendredi', '2026-03-06'],
  // A limit or a negation is not a day.
  ['by Friday', undefined],
  ['until Friday', undefined],
  ['before Friday', undefined],
  ['nicht morgen', undefined],
  ['ab Freitag', undefined],
  ['Friday or Saturday', undefined],
  // Days that do not exist or are not one day.
  ['31.02.2026', undefined],
  ['31.02.', undefined],
  ['2026-02-30', undefined],
  ['10.30', undefined],
  ['3.14', undefined],
  ['2026-02-30 14:30:00', undefined],
  ['29.02.', '2028-02-29'],
  ['0.3.2026', undefined],
  ['13/13/2026', undefined],
  ['2026-03', undefined],
  ['March 2026', undefined],
  ['Tue 9 March', undefined],
  ['last Monday', undefined],
  ['1404/12/14', undefined],
  ['5/3/2569', undefined],
  // Years of two digits.
  ['1.1.99', '1999-01-01'],
  ['24.12.85', '1985-12-24'],
  ['24.12.26', '2026-12-24'],
])('reads the date %j as %j', (text, value) => {
  expect(read(text)).toBe(value)
})

test.each([
  ['half past seven', '2026-03-05T07:30:00.000Z'],
  ['half seven', '2026-03-05T07:30:00.000Z'],
  ['tomorrow at half past seven', '2026-03-05T07:30:00.000Z'],
  ['quarter to eight', '2026-03-05T07:45:00.000Z'],
  ['a quarter past eight', '2026-03-05T08:15:00.000Z'],
  ['tomorrow at quarter to eight in the evening', '2026-03-05T19:45:00.000Z'],
  ['seven thirty', '2026-03-05T07:30:00.000Z'],
  ['seven thirty pm', '2026-03-04T19:30:00.000Z'],
  ["seven o'clock", '2026-03-05T07:00:00.000Z'],
  ['at seven', '2026-03-05T07:00:00.000Z'],
  ['five past three', '2026-03-05T03:05:00.000Z'],
  ['twenty to nine', '2026-03-05T08:40:00.000Z'],
  ['five to seven', undefined],
  ['at five to seven', '2026-03-05T06:55:00.000Z'],
  ['five minutes to seven', '2026-03-05T06:55:00.000Z'],
  ['5 to 7', undefined],
  ['halb acht', '2026-03-05T07:30:00.000Z'],
  ['morgen um halb acht', '2026-03-05T07:30:00.000Z'],
  ['Viertel vor drei', '2026-03-05T02:45:00.000Z'],
  ['viertel nach drei', '2026-03-05T03:15:00.000Z'],
  ['dreiviertel acht', '2026-03-05T07:45:00.000Z'],
  ['viertel acht', '2026-03-05T07:15:00.000Z'],
  ['fünf vor halb acht', '2026-03-05T07:25:00.000Z'],
  ['zehn nach acht', '2026-03-05T08:10:00.000Z'],
  ['5 vor 12', '2026-03-05T11:55:00.000Z'],
  ['acht Uhr', '2026-03-05T08:00:00.000Z'],
  ['acht Uhr dreißig', '2026-03-05T08:30:00.000Z'],
  ['um acht', '2026-03-05T08:00:00.000Z'],
  ['halb eins', '2026-03-04T12:30:00.000Z'],
  ['halb 8', '2026-03-05T07:30:00.000Z'],
  ['um 8 Uhr abends', '2026-03-04T20:00:00.000Z'],
  ['morgen früh um 8', '2026-03-05T08:00:00.000Z'],
  ['heute Abend um halb acht', '2026-03-04T19:30:00.000Z'],
  ['kwart voor drie', '2026-03-05T02:45:00.000Z'],
  ['half acht', '2026-03-05T07:30:00.000Z'],
  ['kwart over drie', '2026-03-05T03:15:00.000Z'],
  ['tien voor half acht', '2026-03-05T07:20:00.000Z'],
  ['drie uur', '2026-03-05T03:00:00.000Z'],
  ['sept heures et demie', '2026-03-05T07:30:00.000Z'],
  ['trois heures et quart', '2026-03-05T03:15:00.000Z'],
  ['trois heures moins le quart', '2026-03-05T02:45:00.000Z'],
  ['midi et demi', '2026-03-04T12:30:00.000Z'],
  ['minuit et quart', '2026-03-05T00:15:00.000Z'],
  ['midi moins le quart', '2026-03-05T11:45:00.000Z'],
  ['à sept heures', '2026-03-05T07:00:00.000Z'],
  ['sept heures vingt-cinq', '2026-03-05T07:25:00.000Z'],
  ['7h et demie', '2026-03-05T07:30:00.000Z'],
  ['ce soir à 8h', '2026-03-04T20:00:00.000Z'],
  ['8 heures du matin', '2026-03-05T08:00:00.000Z'],
  ['las siete y media', '2026-03-05T07:30:00.000Z'],
  ['a las siete y media', '2026-03-05T07:30:00.000Z'],
  ['las ocho menos cuarto', '2026-03-05T07:45:00.000Z'],
  ['son las tres y diez', '2026-03-05T03:10:00.000Z'],
  ['a la una y cuarto', '2026-03-05T01:15:00.000Z'],
  ['un cuarto para las ocho', '2026-03-05T07:45:00.000Z'],
  ['mañana a las siete y media de la tarde', '2026-03-05T19:30:00.000Z'],
  ['a las ocho de la noche', '2026-03-04T20:00:00.000Z'],
  ['sette e mezza', '2026-03-05T07:30:00.000Z'],
  ['le sette e mezza', '2026-03-05T07:30:00.000Z'],
  ['alle otto meno un quarto', '2026-03-05T07:45:00.000Z'],
  ['otto meno dieci', '2026-03-05T07:50:00.000Z'],
  ['domani alle sette e mezza', '2026-03-05T07:30:00.000Z'],
  ['sete e meia', '2026-03-05T07:30:00.000Z'],
  ['às sete e meia', '2026-03-05T07:30:00.000Z'],
  ['quinze para as oito', '2026-03-05T07:45:00.000Z'],
  ['amanhã às oito da manhã', '2026-03-05T08:00:00.000Z'],
  ['halv åtta', '2026-03-05T07:30:00.000Z'],
  ['kvart i tre', '2026-03-05T02:45:00.000Z'],
  ['halv otte', '2026-03-05T07:30:00.000Z'],
  ['kvart på tre', '2026-03-05T02:45:00.000Z'],
  ['tomorrow evening', undefined],
  ['tomorrow morning at 8', '2026-03-05T08:00:00.000Z'],
  ['Friday night at 9', '2026-03-06T21:00:00.000Z'],
  ['from half past seven', undefined],
  ['half past seven or eight', undefined],
  ['half past thirteen', '2026-03-04T13:30:00.000Z'],
  ['quarter past 25', undefined],
  ['half an hour', undefined],
  ['gegen halb acht', undefined],
  ['in half an hour', undefined],
  ['tomorrow at 12 in the morning', undefined],
  ['tonight at half past eight', '2026-03-04T20:30:00.000Z'],
  ['halb acht oder halb neun', undefined],
  ['between five and seven', undefined],
  ['half past seven UTC', undefined],
  ['quarter to one', '2026-03-04T12:45:00.000Z'],
  ['quarter past midnight', '2026-03-05T00:15:00.000Z'],
  ['ten past eight on Friday', '2026-03-06T08:10:00.000Z'],
  ['Friday, half past seven', '2026-03-06T07:30:00.000Z'],
  ['half past seven on 5 March', '2026-03-05T07:30:00.000Z'],
  ['viertel vor 3 Uhr', '2026-03-05T02:45:00.000Z'],
  ['3 uhr nachmittags', '2026-03-04T15:00:00.000Z'],
  ['15 uhr nachmittags', '2026-03-04T15:00:00.000Z'],
  ['8 pm in the evening', '2026-03-04T20:00:00.000Z'],
  ['8 am in the evening', undefined],
  ['once y media', '2026-03-05T11:30:00.000Z'],
  ['doze e meia', '2026-03-04T12:30:00.000Z'],
  ['dieci e un quarto', '2026-03-05T10:15:00.000Z'],
  ['mezzogiorno e mezza', '2026-03-04T12:30:00.000Z'],
  ['meio-dia e meia', '2026-03-04T12:30:00.000Z'],
  ['a las doce y media', '2026-03-04T12:30:00.000Z'],
  ['ten thirty', '2026-03-05T10:30:00.000Z'],
  ['nine fifteen am', '2026-03-05T09:15:00.000Z'],
  ['nine oh five', '2026-03-05T09:05:00.000Z'],
  ['5:30 half past', undefined],
  ['dos y media', '2026-03-05T02:30:00.000Z'],
  ['three in the afternoon', '2026-03-04T15:00:00.000Z'],
  ['ocho de la noche', '2026-03-04T20:00:00.000Z'],
  ['a las doce del mediodía', '2026-03-05T12:00:00.000Z'],
  ['Friday 5 in the evening', '2026-03-06T17:00:00.000Z'],
  ['march 5 in the evening', undefined],
  ['five people in the evening', undefined],
  ['в восемь вечера', '2026-03-04T20:00:00.000Z'],
  ['klockan sju', '2026-03-05T07:00:00.000Z'],
  ['三月五日', '2026-03-05'],
  ['3月5日下午三点一刻', '2026-03-05T15:15:00.000Z'],
  ['午後七時半', '2026-03-04T19:30:00.000Z'],
  ['下午三时', '2026-03-04T15:00:00.000Z'],
  ['in twenty-one days', '2026-03-25'],
  ['in einundzwanzig Tagen', '2026-03-25'],
  ['dans vingt et un jours', '2026-03-25'],
])('reads the spoken time %j as %j', (text, value) => {
  expect(read(text)).toBe(value)
})

test.each([
  ['half 8', undefined, ['2026-03-05T08:30:00.000Z', '2026-03-05T07:30:00.000Z']],
  ['next Friday', undefined, ['2026-03-06', '2026-03-13']],
  ['nächsten Freitag', 'de', ['2026-03-06', '2026-03-13']],
  ['vendredi prochain', 'fr', ['2026-03-06', '2026-03-13']],
  [
    'tomorrow at midnight',
    undefined,
    ['2026-03-05T00:00:00.000Z', '2026-03-06T00:00:00.000Z'],
  ],
  ['26-03-05', undefined, ['2005-03-26', '2026-03-05']],
  ['कल', 'hi', ['2026-03-03', '2026-03-05']],
  ['05/03/2026', undefined, ['2026-03-05', '2026-05-03']],
  ['05-03-2026', undefined, ['2026-03-05', '2026-05-03']],
  ['5/3', undefined, ['2026-03-05', '2026-05-03']],
  ['05.03.2026', 'en-US', ['2026-03-05', '2026-05-03']],
  ['1.1.55', undefined, ['2055-01-01', '1955-01-01']],
])('asks which day %j is (locale %j)', (text, locale, readings) => {
  expect(read(text, locale)).toEqual({ readings })
  for (const reading of readings) expect(read(reading, locale)).toBe(reading)
})

test.each([
  ['half 8', 'en-GB', '2026-03-05T08:30:00.000Z'],
  ['half 8', 'nl', '2026-03-05T07:30:00.000Z'],
  ['05/03/2026', 'de', '2026-03-05'],
  ['05/03/2026', 'en-GB', '2026-03-05'],
  ['05/03/2026', 'en-US', '2026-05-03'],
  ['24/12/2026', 'en-US', '2026-12-24'],
  ['26/03/05', 'ja', '2026-03-05'],
  ['5 марта', 'ru', '2026-03-05'],
  ['завтра', 'ru', '2026-03-05'],
  ['mar 10 mar', 'es', '2026-03-10'],
  ['5 marca 2026', 'pl', '2026-03-05'],
  ['5 listopada 2026', 'pl', '2026-11-05'],
  ['5 listopada 2026', 'hr', '2026-10-05'],
])('reads %j in the locale %s as %s', (text, locale, value) => {
  expect(read(text, locale)).toBe(value)
})

test('reads the next occurrence of a time in the zone that it names', () => {
  expect(read('17:00 UTC', undefined, 'Asia/Tokyo')).toBe('2026-03-04T17:00:00.000Z')
  expect(read('11:00 UTC', undefined, 'Asia/Tokyo')).toBe('2026-03-05T11:00:00.000Z')
})

test('reads no time that summer time skips, and asks for one that it repeats', () => {
  expect(read('2026-03-29 02:30', undefined, 'Europe/Berlin')).toBeUndefined()
  expect(read('29 March 2026 at 2:30', undefined, 'Europe/Berlin')).toBeUndefined()
  expect(read('2026-10-04 02:15', undefined, 'Australia/Lord_Howe')).toBeUndefined()
  const readings = ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']
  expect(read('25 October 2026 at 2:30', undefined, 'Europe/Berlin')).toEqual({
    readings,
  })
  for (const reading of readings)
    expect(read(reading, undefined, 'Europe/Berlin')).toBe(reading)
})

test.each<
  [string, { min?: string; max?: string; timezone: string; now?: string }, string]
>([
  [
    'tomorrow at 8 am',
    { min: 'tomorrow', timezone: 'Asia/Tokyo' },
    '2026-03-04T23:00:00.000Z',
  ],
  [
    '6 March 2026 at 0:30',
    { min: '2026-03-06', timezone: 'Asia/Tokyo' },
    '2026-03-05T15:30:00.000Z',
  ],
  [
    '6 March 2026 at 6 pm',
    { max: '2026-03-06', timezone: 'America/Los_Angeles' },
    '2026-03-07T02:00:00.000Z',
  ],
  ['6 March 2026', { min: '2026-03-06T10:00:00Z', timezone: 'utc' }, '2026-03-06'],
  [
    '6 March 2026 at 23:59',
    { max: '2026-03-06', timezone: 'Pacific/Kiritimati' },
    '2026-03-06T09:59:00.000Z',
  ],
  [
    '29 March 2026 at 1:30',
    { min: '2026-03-29', timezone: 'Europe/Berlin' },
    '2026-03-29T00:30:00.000Z',
  ],
  [
    '25 October 2026 at 23:30',
    { max: '2026-10-25', timezone: 'Europe/Berlin' },
    '2026-10-25T22:30:00.000Z',
  ],
  ['1.1.55', { max: 'today', timezone: 'utc' }, '1955-01-01'],
  ['1.1.30', { min: 'today', timezone: 'utc' }, '2030-01-01'],
])('accepts %j within %j', (text, limits, value) => {
  expect(dateWithin(text, { now: new Date('2026-03-04T03:00:00Z'), ...limits })).toEqual({
    value,
  })
})

test.each<[string, { min?: string; max?: string }]>([
  ['5 March 2026 at 23:59', { min: '2026-03-06' }],
  ['7 March 2026 at 0:00', { max: '2026-03-06' }],
  ['5 March 2026', { min: '2026-03-05T16:00:00Z' }],
  ['6 March 2026 at 0:59', { min: '2026-03-05T16:00:00Z' }],
])('rejects %j, which is outside of %j in Tokyo', (text, limits) => {
  const reading = dateWithin(text, { now, timezone: 'Asia/Tokyo', ...limits })
  expect(reading.problem).toMatch(/^Please choose 2026-03-0[56]/)
})

test('throws for a limit that is not a date', () => {
  expect(() => dateWithin('today', { now, timezone: 'utc', min: 'soon' })).toThrow(
    '`min` "soon" is not a date',
  )
})

const locales = [
  ...'en en-GB en-US de de-CH fr es pt it nl sv da nb fi pl cs hu ro bg el ru uk tr he'.split(
    ' ',
  ),
  ...'ar-EG ar-SA fa hi bn ta th vi id ja ko zh zh-TW en-IN fr-CA es-MX et lv lt sl hr sr'.split(
    ' ',
  ),
  ...'sk ca eu my ka hy'.split(' '),
]

test('reads a date that its locale formats as the same day, or not at all', {
  timeout: 60_000,
}, () => {
  const readings = { exact: 0, all: 0 }
  // Making a formatter takes milliseconds.
  const formats = new Map<string, Intl.DateTimeFormat>()
  const format = (
    locale: string,
    dateStyle: 'full' | 'long' | 'medium' | 'short',
    day: Date,
  ) => {
    const key = `${locale} ${dateStyle}`
    const found =
      formats.get(key) ?? new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'utc' })
    formats.set(key, found)
    return found.format(day)
  }
  const days = fc
    .integer({ min: 0, max: 36_500 })
    .map((day) => new Date(day * 86_400_000))
  fc.assert(
    fc.property(
      fc.constantFrom(...locales),
      days,
      fc.constantFrom(...(['full', 'long', 'medium', 'short'] as const)),
      (locale, day, dateStyle) => {
        const written = format(locale, dateStyle, day)
        const found = read(written, locale)
        const expected = day.toISOString().slice(0, 10)
        readings.all++
        if (found === expected) readings.exact++
        const isOtherCentury =
          typeof found === 'string' &&
          !/\d{4}/.test(written) &&
          found.slice(4) === expected.slice(4)
        const hasReading = typeof found === 'object' && found.readings.includes(expected)
        const isRight =
          found === undefined || found === expected || isOtherCentury || hasReading
        expect([written, found, isRight]).toEqual([written, found, true])
      },
    ),
    { numRuns: 2000 },
  )
  expect(readings.exact / readings.all).toBeGreaterThan(0.5)
})
