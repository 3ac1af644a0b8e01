import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { Automaton, type Match, PatternError, Search } from './automaton.ts'

function search(pattern: string, text: string) {
  const found = new Search(new Automaton(pattern), text)
  found.advance(Number.POSITIVE_INFINITY)
  return found
}

/** The same by repeated searches. */
function searchRepeatedly(pattern: string, text: string): Match[] {
  const matcher = RE2JS.compile(RE2JS.translateRegExp(pattern)).matcher(text)
  const found: Match[] = []
  while (matcher.find())
    if (matcher.end() > matcher.start())
      found.push({ start: matcher.start(), end: matcher.end() })
  return found
}

const patterns = [
  'a',
  'ab|a',
  'a|ab',
  'a[^b]*b|a',
  'a.*b|b',
  'a+?',
  'a+',
  '(?:ab)+',
  '(a|ab)(c|bcd)(d*)',
  '^a',
  'a$',
  '\\ba',
  'a\\b',
  '\\Bb',
  '(?i)AB',
  'aa?b',
  'a{2,3}',
  '(?:a|b){2}c?',
  '[^a]b',
  'a[^b]*b|ab?|b',
  '(?:a+b)+c|a',
  'a(?:b+a)*c|ba|a',
  '(?m)^b',
  'a\\n|b$',
  '(?:a|b|c){3}|c',
  'é+',
  '[😀-😂]a|a',
  '(?:a*)*b',
  'c|a*b',
  '.{3}',
  '(?s).{2}b|a',
  'b[ab]*?a|[ab]{3}',
]

test('finds the matches of repeated searches', () => {
  const alphabet = ['a', 'b', 'c', 'd', ' ', '\n', 'é', '😀', 'A']
  let seed = 7
  const random = (limit: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(seed / 65_536) % limit
  }
  for (let i = 0; i < 3_000; i++) {
    const letters = 2 + random(alphabet.length - 1)
    const text = Array.from({ length: random(14) }, () => alphabet[random(letters)]).join(
      '',
    )
    const pattern = patterns[random(patterns.length)]!
    const matches = search(pattern, text).matches()
    expect(matches, JSON.stringify({ pattern, text })).toEqual(
      searchRepeatedly(pattern, text),
    )
  }
})

test.each([
  ['a[^b]*b|a', 'a'],
  ['(?:a+)+b|a', 'a'],
  ['(?:[a-z]{1,100}){10}[0-9]', 'abc'],
  ['(.*)(.*)(.*)(.*)(.*)[bc]|a', 'a'],
  ['x*y|x', 'x'],
])('takes steps in proportion to the text: %s', (pattern, part) => {
  const stepsFor = (length: number) => search(pattern, part.repeat(length)).steps
  expect(stepsFor(4_000) / stepsFor(2_000)).toBeLessThan(2.1)
})

test('pauses and continues', () => {
  const found = new Search(new Automaton('ab|a'), 'ab'.repeat(1_000))
  let pauses = 0
  while (!found.advance(found.steps + 100)) pauses++
  expect(pauses).toBeGreaterThan(10)
  expect(found.matches()).toHaveLength(1_000)
})

test.each(['(a', '(a)\\1', '(?<=a)b', 'a{2000}', '[b-a]'])('rejects %s', (pattern) =>
  expect(() => new Automaton(pattern)).toThrow(PatternError),
)
