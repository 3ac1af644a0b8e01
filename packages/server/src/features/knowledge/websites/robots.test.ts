import { expect, test } from 'vitest'
import { parseRobots } from './robots.ts'

const at = (path: string) => new URL(path, 'https://example.org')

test.each<[string, string, string[], string[]]>([
  ['an empty file', '', ['/', '/a'], []],
  ['an empty rule', 'User-agent: *\nDisallow:', ['/a'], []],
  [
    'rules of everybody',
    'User-agent: *\nDisallow: /private',
    ['/', '/pri'],
    ['/private', '/privately'],
  ],
  [
    'a group of its own in place of that of everybody',
    'User-agent: *\nDisallow: /\n\nUser-agent: BotStead/1.0\nDisallow: /b',
    ['/a'],
    ['/b'],
  ],
  [
    'several names of a group',
    'user-agent: other\nuser-agent: botstead\ndisallow: /a',
    ['/b'],
    ['/a'],
  ],
  [
    'several groups of its name',
    'User-agent: botstead\nDisallow: /a\nUser-agent: x\nAllow: /\nUser-agent: botstead\nDisallow: /b',
    ['/c'],
    ['/a', '/b'],
  ],
  [
    'the longest match',
    'User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c',
    ['/a/b', '/a/bc'],
    ['/a/', '/a/b/c'],
  ],
  [
    'the allowing one of equal matches',
    'User-agent: *\nDisallow: /a\nAllow: /a',
    ['/a'],
    [],
  ],
  [
    'patterns',
    'User-agent: *\nDisallow: /*.pdf$\nDisallow: /x*y/z',
    ['/a.pdf?x', '/xz'],
    ['/a/b.pdf', '/x1y2y/z'],
  ],
  ['a pattern that would overlap', 'User-agent: *\nDisallow: /ab*b$', ['/ab'], ['/abb']],
  [
    'escapes in either form',
    'User-agent: *\nDisallow: /%7Ejo\u00e9\nDisallow: /caf%c3%a9',
    ['/jo'],
    ['/~jo%C3%A9', '/café'],
  ],
  ['queries', 'User-agent: *\nDisallow: /*?print', ['/a?x'], ['/a?print=1']],
  [
    'comments, other line ends and unknown fields',
    '\u0000junk\rUser-agent: * # all\r\nSitemap: https://x/\r\nDisallow: /a # no\r\nunknown',
    ['/b'],
    ['/a'],
  ],
  [
    'names of prototypes',
    'User-agent: __proto__\nconstructor: /\nDisallow: /',
    ['/a', '/constructor'],
    [],
  ],
])('follows %s', (_, text, allowed, disallowed) => {
  const robots = parseRobots(text)
  expect(allowed.filter((path) => !robots.allows(at(path)))).toEqual([])
  expect(disallowed.filter((path) => robots.allows(at(path)))).toEqual([])
  expect(robots.allows(at('/robots.txt'))).toBe(true)
})

test('reads the pause between requests', () => {
  expect(parseRobots('User-agent: *\nCrawl-delay: 2.5').delayMs).toBe(2_500)
  expect(parseRobots('User-agent: *\nCrawl-delay: -1\nCrawl-delay: x').delayMs).toBe(0)
  expect(parseRobots('User-agent: x\nCrawl-delay: 9').delayMs).toBe(0)
})

test('takes linear time for hostile patterns', () => {
  const robots = parseRobots(`User-agent: *\nDisallow: /${'*a'.repeat(20_000)}$\n`)
  const begin = performance.now()
  expect(robots.allows(at(`/${'a'.repeat(15_000)}b`))).toBe(true)
  expect(performance.now() - begin).toBeLessThan(1_000)
})
