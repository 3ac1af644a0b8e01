import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listSpellings } from './code-words.ts'
import { plainText } from './searchable-text.ts'

const pieces = [
  'AB',
  'ab',
  'createMessage',
  '12',
  '7',
  ' ',
  '  ',
  '-',
  '.',
  ',',
  "'",
  '/',
  '\n',
  '!',
  'X',
]
const ascii = fc
  .array(fc.constantFrom(...pieces), { maxLength: 20 })
  .map((all) => all.join(''))

test('words of ASCII texts are the same beside other letters', () =>
  fc.assert(
    fc.property(ascii, (text) => {
      expect(`${plainText(text)} e`.trim()).toBe(plainText(`${text} é`))
    }),
    { numRuns: 2_000 },
  ))

test('codes of a text without digits are the same beside a number', () =>
  fc.assert(
    fc.property(ascii, (text) => {
      expect(listSpellings(`${text}\n\n7`)).toEqual(listSpellings(text))
    }),
    { numRuns: 2_000 },
  ))
