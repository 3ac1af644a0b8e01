import fc from 'fast-check'
import { toCardinal as german } from 'n2words/de-DE'
import { toCardinal as british } from 'n2words/en-GB'
import { toCardinal as spanish } from 'n2words/es-ES'
import { toCardinal as french } from 'n2words/fr-FR'
import { toCardinal as polish } from 'n2words/pl-PL'
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
  'no more than 5',
  'not more than 5',
  'at most 5',
  'at least 5 people',
  'up to 5',
  'up to about 5',
  'less than 5',
  'more than 5 kg',
  'over $5',
  'under 5',
  'below 5',
  '5 or more',
  '5 people or more',
  '5 or less',
  '5 at most',
  '5 max',
  'max. 5',
  'minimum 5',
  '5 minimum',
  'from 5',
  '5 and up',
  '5 upwards',
  '>5',
  '>= 5',
  '≥5',
  '< 5',
  '5 tops',
  '5, no more',
  'between 5 and ten',
  '5 kg less',
  'höchstens 5',
  'mindestens 5',
  'maximal 5',
  'bis zu 5',
  'bis 5',
  'unter 5',
  'über 5',
  'ab 5',
  'weniger als 5',
  'mehr als 5',
  '5 oder mehr',
  '5 aufwärts',
  'au plus 5',
  'au maximum 5',
  'moins de 5',
  'plus de 5',
  "jusqu'à 5",
  '5 ou plus',
  'à partir de 5',
  '5 maxi',
  'no más de 5',
  'hasta 5',
  'como máximo 5',
  '5 o más',
  'a lo sumo 5',
  'no máximo 5',
  'mais de 5',
  'até 5',
  'al massimo 5',
  'almeno 5',
  'più di 5',
  'fino a 5',
  '5 o più',
  'oltre 5',
  'hoogstens 5',
  'meer dan 5',
  'tot 5',
  'maximaal 5',
  '5 of meer',
  'co najmniej 5',
  'ponad 5',
  'do 5',
  'od 5',
  '5 lub więcej',
  'не более 5',
  'больше 5',
  'до 5',
  'от 5',
  'минимум 5',
  '5 или больше',
  'en fazla 5',
  'en az 5',
  '5’e kadar',
  '5 veya daha fazla',
  '5以上',
  '5人以下',
  '5未満',
  '最大5',
  '5 <',
  '5 >',
  '5 bis',
  'maks. 5',
  '5まで',
  '5から',
  '至少5',
  '最多5个',
  '不超过5',
  '少于5',
  '5 이상',
  '최대 5',
  'ไม่เกิน 5',
  'على الأقل ٥',
  'أكثر من ٥',
  'حتى ٥',
  'अधिकतम ५',
  'कम से कम ५',
  '५ से ज्यादा',
  '५ तक',
])('reads no number from the limit %j', (text) => {
  expect(read(text)).toBeUndefined()
})

test.each([
  'no 5',
  '5? no',
  "5 isn't right",
  'never 5',
  'not 5',
  "I don't have 5",
  'nicht 5',
  '5 nicht',
  'keine 5',
  'pas 5',
  'non 5',
  'niet 5',
  'nie 5',
  'не 5',
  '5 нет',
  '5 değil',
  '5ではない',
  '5じゃない',
  '不是5',
  '没有5',
  '5 말고',
  'ليس ٥',
  '५ नहीं',
  'everything but 5',
  // Parts and fractions in words.
  '5 buçuk',
  '5 и половина',
  '5 i pół',
  'साढ़े ५',
  '5個半',
  '5割',
  '打5折',
  '三分之5',
  '5 en half',
])('reads no number from %j', (text) => {
  expect(read(text)).toBeUndefined()
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

test.each([
  ['twenty-one', 21],
  ['ninety nine please', 99],
  ['one hundred and five', 105],
  ['a hundred', 100],
  ['twelve hundred', 1200],
  ['two thousand and one', 2001],
  ['five hundred thousand', 500_000],
  ['five million', 5_000_000],
  ['minus twenty', -20],
  ['einundzwanzig', 21],
  ['hundertfünfzig', 150],
  ['zweitausendfünfhundert', 2500],
  ['dreissig', 30],
  ['fünf Millionen', 5_000_000],
  ['quatre-vingt-dix-sept', 97],
  ['quatre vingt', 80],
  ['vingt et une', 21],
  ['nonante-sept', 97],
  ['huitante', 80],
  ['mille deux cents', 1200],
  ['twee en twintig', 22],
  ['tweeëntwintig', 22],
  ['ventuno', 21],
  ['duemilacinquecento', 2500],
  ['veintidós', 22],
  ['treinta y cinco', 35],
  ['dos mil', 2000],
  ['vinte e um', 21],
  ['dezesseis', 16],
  ['tjugoett', 21],
  ['enogtyve', 21],
  ['seksten', 16],
  ['dwadzieścia jeden', 21],
  ['двадцать одна', 21],
  ['двадцять один', 21],
  ['yirmi bir', 21],
  ['واحد وعشرون', 21],
  ['इक्कीस', 21],
  ['二十一', 21],
  ['三百零五', 305],
  ['一万二千', 12_000],
  ['이십일', 21],
  // Several numbers, years, parts, and words with another meaning.
  ['twenty, five', undefined],
  ['twenty or thirty', undefined],
  ['twenty three four', undefined],
  ['fifty-fifty', undefined],
  ['nineteen eighty-four', undefined],
  ['not twenty', undefined],
  ['twenty people', undefined],
  ['二百五', undefined],
  ...['cent', 'mil', 'bin', 'venti', 'to', 'fire', 'a', 'and'].map(
    (word) => [word, undefined] as const,
  ),
])('reads the words %j as %j', (text, value) => {
  expect(read(text)).toBe(value)
})

test('reads a number in words as the same number, or not at all', () => {
  const writers = {
    'de-DE': german,
    'en-GB': british,
    'es-ES': spanish,
    'fr-FR': french,
    'pl-PL': polish,
  }
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.entries(writers)),
      fc.integer({ min: 0, max: 999_999 }),
      ([locale, write], value) => {
        expect([write(value), read(write(value), locale)]).toEqual([write(value), value])
      },
    ),
    { numRuns: 500 },
  )
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
  for (const reading of readings) expect(read(reading, locale, timezone)).toBe(Number(reading))
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
      const written = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }).format(value)
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
        const hasReading = typeof found === 'object' && found.readings.map(Number).includes(amount)
        expect([written, found, isRight || hasReading]).toEqual([written, found, true])
      }
    }),
    { numRuns: 1500 },
  )
})
