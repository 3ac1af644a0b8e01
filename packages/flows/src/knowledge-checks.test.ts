import { expect, test } from 'vitest'
import {
  hasKnowledgeChecks,
  parseKnowledgeChecks,
  writeKnowledgeChecks,
} from './knowledge-checks.ts'

const file = `# of the shop
knowledgeChecks:
  - question: How much is a baking stone?
    expectedText: 24.90
  - question: "May I return an item?"
    expectedFile: returns.md
    expectedText: yes
`

test('reads checks with their lines, and every value as a text', () => {
  expect(hasKnowledgeChecks(file)).toBe(true)
  expect(parseKnowledgeChecks(file)).toEqual([
    { question: 'How much is a baking stone?', expectedText: '24.90', line: 3 },
    {
      question: 'May I return an item?',
      expectedFile: 'returns.md',
      expectedText: 'yes',
      line: 5,
    },
  ])
})

test('reads what it writes', () => {
  const checks = [
    { question: 'a: b? # c', expectedText: '0x10' },
    {
      question: '- "ü" 日本語 🙂\u2028',
      expectedFile: '__proto__',
      expectedText: 'line one\nline two',
    },
    { question: '*alias &anchor !tag', expectedText: '~' },
    { question: 'x'.repeat(1_000), expectedText: 'no' },
  ]
  const more = {
    id: 'check_1',
    createdAt: '2026-01-01T00:00:00Z',
    result: { passed: true },
  }
  const text = writeKnowledgeChecks(checks.map((check) => ({ ...check, ...more })))
  expect(text).not.toContain('check_1')
  expect(parseKnowledgeChecks(text).map(({ line: _, ...check }) => check)).toEqual(checks)
  expect(parseKnowledgeChecks(writeKnowledgeChecks([]))).toEqual([])
})

test('reads JSON, a byte order mark and Windows line ends', () => {
  const checks = [{ question: 'a', expectedText: 'b' }]
  expect(parseKnowledgeChecks(JSON.stringify({ knowledgeChecks: checks }))).toMatchObject(
    checks,
  )
  expect(hasKnowledgeChecks(JSON.stringify({ knowledgeChecks: checks }))).toBe(true)
  expect(parseKnowledgeChecks(`\ufeff${file.replaceAll('\n', '\r\n')}`)).toHaveLength(2)
  expect(hasKnowledgeChecks(`\ufeff${file}`)).toBe(true)
})

test.each([
  ['name: a script\nsteps: []'],
  ['knowledge: { docs: [] }\nsteps: []'],
  ['steps:\n  - user: "knowledgeChecks: a"'],
])('is no file of checks: %j', (text) => expect(hasKnowledgeChecks(text)).toBe(false))

test.each([
  ['', [1, 1], 'expected a mapping with knowledgeChecks'],
  ['- a', [1, 1], 'expected a mapping with knowledgeChecks'],
  ['knowledgeChecks: 1', [1, 18], '`knowledgeChecks` must be a list'],
  ['knowledgeChecks: []\nsteps: []', [2, 1], '"steps" is not a known field'],
  ['knowledgeChecks:\n  - a', [2, 5], 'expected a mapping with question'],
  ['knowledgeChecks:\n  - expectedText: a', [2, 5], 'the check has no `question`'],
  ['knowledgeChecks:\n  - question: a', [2, 5], 'the check needs `expectedFile`'],
  [
    'knowledgeChecks:\n  - question: a\n    expected: b',
    [3, 5],
    '"expected" is not a known field',
  ],
  [
    'knowledgeChecks:\n  - question: a\n    expectedText:',
    [3, 18],
    '`expectedText` must be a text',
  ],
  [
    'knowledgeChecks:\n  - question: [a]\n    expectedText: b',
    [2, 15],
    '`question` must be a text',
  ],
  ['knowledgeChecks:\n  - question: a\n    question: b', [3, 5], 'unique'],
  [
    `knowledgeChecks:\n  - question: ${'a'.repeat(1_001)}`,
    [2, 15],
    'more than 1000 characters',
  ],
  [
    'knowledgeChecks:\n  - &a { question: a, expectedText: b }\n  - *a',
    [3, 5],
    'expected a mapping',
  ],
  [
    'knowledgeChecks:\n  - { question: a, __proto__: b }',
    [2, 20],
    '"__proto__" is not a known field',
  ],
  ['knowledgeChecks: [', [1, 19], ''],
  ['knowledgeChecks: []\n---\nsteps: []', [2, 1], 'need a file of their own'],
])('rejects %j with its position', (text, [line, column], message) => {
  expect(() => parseKnowledgeChecks(text)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(message),
      position: { line, column },
    }),
  )
})
