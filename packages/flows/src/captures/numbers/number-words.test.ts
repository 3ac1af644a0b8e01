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
