import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberIn } from './numbers.ts'

const read = (text: string, locale?: string, timezone = 'utc') =>
  numberIn(text, { locale, timezone })

test.each([
  // Digits and signs of other scripts.
  ['١٢٣', 123],
  ['۴۵', 45],
  ['१२३', 123],
  ['๔๒', 42],
  ['１２３', 123],
  ['𝟜𝟚', 42],
  ['١٬٢٣٤٫٥', 1234.5],
  ['−5', -5],
  ['－５．５', -5.5],
  // Groups of all conventions.
  ['1,234', 1234],
  ['1,23,456', 123456],
  ['12,34,567.89', 1234567.89],
  ['1.234.567,89', 1234567.89],
  ["1'234.50", 1234.5],
  ['1’234’567', 1234567],
  ['1\u202f234,5', 1234.5],
  ['12 345', 12345],
  ['1234,567', 1234.567],
  ['1,2,3', undefined],
  ['1.000.00', undefined],
  ['12,345,67', undefined],
  // Words that change the number.
  ['2 million', 2_000_000],
  ['2,5 Mio. €', 2_500_000],
  ['2.3 million', 2_300_000],
  ['5 hundred thousand', 500_000],
  ['3 тыс.', 3000],
  ['5 लाख', 500_000],
  ['2万円', 20_000],
  ['5k', 5000],
  ['3bn', 3_000_000_000],
  ['2 Milliarden', 2_000_000_000],
  ['minus 5', -5],
  ['moins 5', -5],
  ['au moins 5', undefined],
  ['more or minus 5', undefined],
  ['-$5', -5],
  ['$-5', -5],
  ['5-', undefined],
  ['5 below zero', undefined],
  ['2.5 M€', 2_500_000],
  ['5 squared', undefined],
  ['2 and a half', undefined],
  ['2 thousand five hundred', undefined],
  ['not 5', undefined],
  ['£1.2m', 1_200_000],
  ['$3bn', 3_000_000_000],
  ['5m EUR', 5_000_000],
  ['5 thou', 5000],
  ['5+', undefined],
  ['5K+', undefined],
  ['5 plus', undefined],
  ['twice 5', undefined],
  ['-(5)', undefined],
  ['-(-5)', undefined],
  ['anything but 5', undefined],
  ['without 5', undefined],
  ['ohne 5', undefined],
  ['5 pm', undefined],
  ['5 a.m.', undefined],
  ['room 12b', undefined],
  // Units.
  ['2.5kg', 2.5],
  ['1.75m', 1.75],
  ['1,234ft', 1234],
  ['12.99USD', 12.99],
  ['USD12.99', 12.99],
  ['R$ 20', 20],
  ['99.90€', 99.9],
  ['70kg', 70],
  ['5pcs', 5],
  ['20km/h', 20],
  ['5 m²', 5],
  ['5%', 5],
  ['5 miles', 5],
  ['CHF 5.-', 5],
  ['20,- €', 20],
  ['about 20 €', 20],
  ['約20', 20],
  ['50m2', 50],
  ['100Mbps', 100],
  ['5kEUR', 5000],
  ['₹12,34,567/-', 1234567],
  ['20°C', 20],
  ['٥٠٪', 50],
  ['5 degrees minus', undefined],
  ['12XL', undefined],
  ['5pm', undefined],
  ['۱۲/۵', undefined],
  // Exponents and fractions.
  ['-1.5e-3', -0.0015],
  ['1½', 1.5],
  ['¾', 0.75],
  ['⅓', undefined],
  ['1/2', undefined],
  ['10²', undefined],
  ['1e400', undefined],
  ['1e-400', undefined],
  // Only what JavaScript can represent.
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', undefined],
  ['12345678901234567890', undefined],
  ['0.1234567890123456789', undefined],
  // Parts of something else.
  ['5-6', undefined],
  ['10–20 €', undefined],
  ['2 or 3', undefined],
  ['12:30', undefined],
  ['covid-19', undefined],
  ['12A', undefined],
  ['5h30', undefined],
  ['5\'11"', undefined],
  ['192.168.100.200', undefined],
  ['+1 555', undefined],
  ['+41441234567', undefined],
  ['0441234567', undefined],
  ['https://example.com/5', undefined],
  ['ana5@example.com', undefined],
  ['Nr.5', undefined],
  ['±5', undefined],
  [`${'x'.repeat(999)} 55`, undefined],
])('reads the number %j as %j', (text, value) => {
  expect(read(text)).toBe(value)
})

test.each([
  ['no, 5', 5],
  ['no. 5', 5],
  ['Not sure. 5?', 5],
  ['about 5', 5],
  ['~5', 5],
  ['5 more', 5],
  ['only 5', 5],
  ['<5>', 5],
  ['I ate 5', 5],
  ['5 min', 5],
  ['I have 3 kids', 3],
  ['I came from Rome with my 5 kids', 5],
  ['%5', 5],
  ['百分之5', 5],
  ['5成人', 5],
  // Spelled.
  ['five', 5],
  ['Five, please', 5],
  ['fünf', 5],
  ['zwölf', 12],
  ['trois', 3],
  ['siete', 7],
  ['пять', 5],
  ['beş', 5],
  ['五', 5],
  ['5五', undefined],
  ['零下5度', -5],
  ['氷点下5度', -5],
  ['ثلاثة', 3],
  ['पाँच', 5],
  ['five people', undefined],
  ['twenty-five', 25],
  ['once', undefined],
  ['not five', undefined],
])('reads %j as %j', (text, value) => {
  expect(read(text)).toBe(value)
})

test('reads homonyms in the language of the locale only', () => {
  expect(read('once', 'es')).toBe(11)
  expect(read('sei', 'it')).toBe(6)
  expect(read('cent', 'fr')).toBe(100)
  expect(read('mil', 'es')).toBe(1000)
  expect(read('sei', 'de')).toBeUndefined()
})

test.each([
  ['1.500', undefined, 'utc', ['1.5', '1500']],
  ['1.234', undefined, 'utc', ['1.2340', '1234']],
  ['1,500', undefined, 'Europe/Berlin', ['1.5', '1500']],
  ['1.500', 'fr', 'utc', ['1.5', '1500']],
  ['2 billion', undefined, 'utc', ['2000000000', '2000000000000']],
  ['5 mil', undefined, 'utc', ['5000', '5000000']],
  ['2M', undefined, 'utc', ['2', '2000000']],
  ['- 5', undefined, 'utc', ['5', '-5']],
  ['(1,234.50)', undefined, 'utc', ['1234.5', '-1234.5']],
])('asks which number %j is (locale %j, %s)', (text, locale, timezone, readings) => {
  expect(read(text, locale, timezone)).toEqual({ readings })
  for (const reading of readings)
    expect(read(reading, locale, timezone)).toBe(Number(reading))
})

test.each([
  ['1.500', 'de', 1500],
  ['1,500', 'de', 1.5],
  ['1.500', 'en', 1.5],
  ['1,500', 'en-GB', 1500],
  ['2 billion', 'en', 2e9],
  ['2 Billion', 'de', 2e12],
  ['5 mil', 'es', 5000],
])('reads %j in the locale %s as %d', (text, locale, value) => {
  expect(read(text, locale)).toBe(value)
})

const locales = [
  ...'en de fr es pt pt-PT it nl sv da nb fi pl cs hu ro bg el ru uk tr he ar-EG ar-AE fa'.split(
    ' ',
  ),
  ...'hi mr bn ta te th vi id ja ko zh de-CH de-AT en-IN en-ZA fr-CH es-MX my ne hy ka et'.split(
    ' ',
  ),
  ...'lv lt sl hr sr sk ca'.split(' '),
]
const numbers = fc.oneof(
  fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }),
  fc.integer({ min: -99_999_999, max: 99_999_999 }).map((value) => value / 1000),
)

test('reads a number that its locale formats as the same number, or not at all', () => {
  const readings = { exact: 0, all: 0 }
  fc.assert(
    fc.property(fc.constantFrom(...locales), numbers, (locale, value) => {
      const written = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }).format(
        value,
      )
      const found = read(written, locale)
      readings.all++
      if (found === value) readings.exact++
      else expect([written, found]).toEqual([written, undefined])
    }),
    { numRuns: 3000 },
  )
  expect(readings.exact / readings.all).toBeGreaterThan(0.95)
})

test('never reads another number from a formatted amount', () => {
  fc.assert(
    fc.property(fc.constantFrom(...locales), numbers, (locale, value) => {
      const amount = Math.round(value)
      for (const options of [
        { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 },
        { style: 'unit', unit: 'kilogram', unitDisplay: 'narrow' },
        { notation: 'compact', compactDisplay: 'long', maximumFractionDigits: 15 },
      ] as const) {
        const written = new Intl.NumberFormat(locale, options).format(amount)
        const found = read(written, locale)
        const isRight = found === undefined || found === amount
        const hasReading =
          typeof found === 'object' && found.readings.map(Number).includes(amount)
        expect([written, found, isRight || hasReading]).toEqual([written, found, true])
      }
    }),
    { numRuns: 1500 },
  )
})
