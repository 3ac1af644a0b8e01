import { expect, test } from 'vitest'
import {
  countMembers,
  countTricks,
  countWords,
  measureDialect,
  toLines,
} from './figures.js'

const sources = (text: string) => [{ path: 'packages/server/src/core/a.ts', text }]

test('counts the members of Services, not the parameters of their methods', () => {
  const text =
    'export interface Services {\n  /** a */\n  db: Db\n  run: <T>(\n    work: T,\n  ) => T\n  log?: Log\n}\n'
  expect(countMembers(text)).toBe(3)
})

test('counts objects that are spread at once', () => {
  expect(countTricks(sources('  ...{ a, b },\n  ...rest,\n  ...{\n    a,\n  },\n'))).toBe(
    1,
  )
})

test('counts words without marks', () => {
  expect(countWords('# A core\n\n| `db` | - |\n')).toBe(3)
})

test('measures dialect among different names', () => {
  const text =
    'const rulesOf = 1\nconst made = 2\nfunction made() {}\nconst toRow = 3\nclass Bot {}\n'
  expect(measureDialect(sources(text))).toBe(500)
})

test('aligns figures', () => {
  expect(
    toLines([{ name: 'words', before: '7,386', now: 1500, goal: '≤ 1,500' }]),
  ).toEqual(['       before    now  goal', 'words   7,386  1,500  ≤ 1,500'])
})
