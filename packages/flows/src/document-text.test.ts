// Texts of documents: positions of values and of syntax errors.
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { escapePointer } from './document/pointer.ts'
import { DocumentSyntaxError, parseText } from './document-text.ts'

test('finds the line and column of each value', () => {
  const text = '{\n  "a": [1, {\n    "b/c": "x\\"}{", "d~": {} }],\n  "e": null }'
  const { value, findPosition } = parseText(text, 'JSON')
  expect(value).toEqual({ a: [1, { 'b/c': 'x"}{', 'd~': {} }], e: null })
  expect(
    ['', '/a', '/a/0', '/a/1/b~1c', '/a/1/d~0', '/e', '/a/1/missing', '/none'].map(
      (pointer) => Object.values(findPosition(pointer)).join(':'),
    ),
  ).toEqual(['1:1', '2:3', '2:9', '3:5', '3:21', '4:3', '2:12', '1:1'])
})

test('reads the line and column in the message of Firefox', () => {
  const message =
    "JSON.parse: expected property name or '}' at line 3 column 1 of the JSON data"
  const parse = vi.spyOn(JSON, 'parse').mockImplementation(() => {
    throw new SyntaxError(message)
  })
  try {
    expect(() => parseText('{\n "a": 1,\n}', 'JSON')).toThrow(
      expect.objectContaining({
        message: "expected property name or '}'",
        position: { line: 3, column: 1 },
      }),
    )
  } finally {
    parse.mockRestore()
  }
})

test.each([
  ['{\n "a": 1,\n}', 3],
  ['{\n "a" 1}', 2],
  ['[\n1,\n', 3],
  ['', 1],
])('finds the line of the syntax error in %j', (broken, line) => {
  expect(() => parseText(broken, 'JSON')).toThrow(
    expect.toSatisfy(
      (error) => error instanceof DocumentSyntaxError && error.position.line === line,
    ),
  )
})

const syntaxProblem = (text: string, format: 'JSON' | 'YAML') => {
  try {
    parseText(text, format)
  } catch (error) {
    if (!(error instanceof DocumentSyntaxError)) throw error
    return `${error.position.line}:${error.position.column} ${error.message}`
  }
}

test.each([
  ['[\n1,\n],\n\n', "3:1 Unexpected token ']'"],
  ['{\n "a": nope,\n "b": 1 }\n', "2:8 Unexpected token 'o'"],
  ['{\n "a": 1, // comment\n "b": 1 }\n', '2:10 Expected double-quoted property name'],
  ["[\n ['x'] ]\n", "2:3 Unexpected token '''"],
])('finds the position of the syntax error in %j', (text, problem) => {
  expect(syntaxProblem(text, 'JSON')).toBe(problem)
})

test('finds the line and column of each value of JSON in any layout', () => {
  const layout = fc.constantFrom<string | number>('', 1, 2, '\t')
  fc.assert(
    fc.property(fc.jsonValue(), layout, (value, indentation) => {
      const text = JSON.stringify(value, null, indentation)
      const lines = text.split('\n')
      const { findPosition } = parseText(text, 'JSON')
      const compare = (inside: unknown, pointer: string) => {
        const { line, column } = findPosition(pointer)
        const rest = [lines[line - 1]!.slice(column - 1), ...lines.slice(line)]
          .join('\n')
          .replace(/\s/g, '')
        const name = pointer.slice(pointer.lastIndexOf('/') + 1)
        const begin = JSON.stringify(inside).replace(/\s/g, '')
        const key = JSON.stringify(
          name.replaceAll('~1', '/').replaceAll('~0', '~'),
        ).replace(/\s/g, '')
        expect(
          rest.startsWith(begin) || rest.startsWith(`${key}:${begin}`),
          `${pointer} of ${text}`,
        ).toBe(true)
        if (typeof inside === 'object' && inside !== null)
          for (const [key, child] of Object.entries(inside))
            compare(child, `${pointer}/${escapePointer(key)}`)
      }
      compare(value, '')
    }),
  )
})

test('parses YAML with comments, and finds the line and column of each value', () => {
  const text =
    '# A bot.\nkind: bot\nhooks:\n  - at: turnStart # Each turn.\n    code: |\n' +
    '      const a = 1\n      return a\nx: &x { y: on }\nz: [*x, 2026-01-01]\n'
  const { value, findPosition } = parseText(text, 'YAML')
  expect(value).toEqual({
    kind: 'bot',
    hooks: [{ at: 'turnStart', code: 'const a = 1\nreturn a\n' }],
    x: { y: 'on' },
    z: [{ y: 'on' }, '2026-01-01'],
  })
  for (const [pointer, position] of [
    ['', '2:1'],
    ['/kind', '2:1'],
    ['/hooks', '3:1'],
    ['/hooks/0', '4:5'],
    ['/hooks/0/code', '5:5'],
    ['/hooks/0/none', '4:5'],
    ['/z/0', '9:5'],
    ['/z/0/y', '8:9'],
    ['/z/1', '9:9'],
    ['/none', '2:1'],
  ] as const)
    expect([pointer, Object.values(findPosition(pointer)).join(':')]).toEqual([
      pointer,
      position,
    ])
  expect(parseText('', 'YAML').value).toBeNull()
})

test.each([
  ['a: 1\nb: [1', '2:6 '],
  ['a: 1\na: 2', '2:1 Map keys must be unique'],
  ['a: 1\nb: .inf', '2:4 Infinity is not a number in JSON'],
  ['a: 1\n? [b]\n: 2', '2:3 The name must be a string'],
  ['a: !!binary YQ==', '1:4 Unresolved tag'],
  ['a: 1\n---\nb: 1', '2:1 Source contains multiple documents'],
  ['a: &a [*a]', '1:1 '],
  [
    `a: &a [x]\nb: &b [${'*a, '.repeat(20)}]\nc: [${'*b, '.repeat(20)}]`,
    '1:1 Excessive alias count',
  ],
])('reports YAML that is not a JSON document: %j', (text, problem) => {
  expect(syntaxProblem(text, 'YAML')).toMatch(problem)
})
