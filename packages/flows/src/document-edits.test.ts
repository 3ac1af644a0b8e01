// Edits of texts: their values, and the lines that they leave alone.
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { escapePointer } from './document/pointer.ts'
import {
  applyEdits,
  type DocumentEdit,
  DocumentEditError,
  diffDocuments,
  editDocument,
  mergeTexts,
} from './document-edits.ts'
import { parseText, type TextFormat } from './document-text.ts'

const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'type', 'name', 'flows') },
  fc.constantFrom(
    '',
    '__proto__',
    'a/b',
    '~',
    '1',
    'true',
    'null',
    '#',
    '- x',
    'ü: é',
    'constructor',
  ),
)
const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    'hello',
    'two\nlines\n',
    ' x',
    'a: b',
    '# no',
    'no',
    '{{ x }}',
    '\t',
    '|',
  ),
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1.5,
    1e21,
    '012',
    '1e3',
    'trailing\n\n',
    'a\r\nb',
    '"',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
const { document } = fc.letrec<{ document: unknown }>((tie) => ({
  document: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('document'), { maxLength: 4 }),
    fc.dictionary(key, tie('document'), { maxKeys: 4 }),
  ),
}))
const root = fc.oneof(
  fc.dictionary(key, document, { minKeys: 1, maxKeys: 5 }),
  fc.array(document, { minLength: 1, maxLength: 4 }),
)

/** Pointers of all values below the root. */
function pointers(value: unknown, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) => {
    const path = `${pointer}/${escapePointer(name)}`
    return [path, ...pointers(child, path)]
  })
}

const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((found, name) => (found as Record<string, unknown>)[name], value)

interface Choice {
  op: number
  at: number
  to: number
  key: string
  value: unknown
}
const choice: fc.Arbitrary<Choice> = fc.record({
  op: fc.nat(3),
  at: fc.nat(1000),
  to: fc.nat(1000),
  key,
  value: document,
})

/** Turns random numbers into an edit that fits the value. */
function toEdit(
  value: unknown,
  { op, at, to, key, value: added }: Choice,
): DocumentEdit | null {
  const all = pointers(value)
  const containers = ['', ...all].filter(
    (one) => typeof valueAt(value, one) === 'object' && valueAt(value, one),
  )
  if (containers.length === 0) return null
  const container = containers[to % containers.length]!
  const target = valueAt(value, container)
  const length = Array.isArray(target) ? target.length : 0
  const inside = `${container}/${Array.isArray(target) ? at % (length + 1) : escapePointer(key)}`
  if (op === 0 && all.length > 0)
    return { op: 'set', pointer: all[at % all.length]!, value: added }
  if (op === 1) return { op: 'insert', pointer: inside, value: added }
  if (all.length === 0) return null
  const from = all[at % all.length]!
  if (op === 2) return { op: 'remove', pointer: from }
  const edit: DocumentEdit = { op: 'move', from, pointer: inside }
  try {
    applyEdits(value, [edit])
    return edit
  } catch {
    return null
  }
}

function toEdits(value: unknown, choices: Choice[]): DocumentEdit[] {
  let now = value
  return choices.flatMap((one) => {
    const edit = toEdit(now, one)
    if (!edit) return []
    now = applyEdits(now, [edit])
    return [edit]
  })
}

const normal = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function checkEdits(text: string, format: TextFormat, choices: Choice[]) {
  const { value } = parseText(text, format)
  const edits = toEdits(value, choices)
  const edited = editDocument(text, format, edits)
  expect(parseText(edited, format).value).toEqual(normal(applyEdits(value, edits)))
  const steps = diffDocuments(value, applyEdits(value, edits))
  expect(applyEdits(value, steps)).toEqual(applyEdits(value, edits))
  expect(editDocument(text, format, diffDocuments(value, value))).toBe(text)
}

const layouts = fc.constantFrom<string | number>(2, '\t', 0, 4)

test('edits any document of JSON as its value', () => {
  fc.assert(
    fc.property(
      root,
      layouts,
      fc.array(choice, { maxLength: 4 }),
      fc.boolean(),
      (value, layout, choices, crlf) => {
        const text = JSON.stringify(value, null, layout)
        checkEdits(crlf ? text.replaceAll('\n', '\r\n') : text, 'JSON', choices)
      },
    ),
    { numRuns: 150 },
  )
})

/** The library writes some strings of several lines so that it cannot read them. */
function isYaml(text: string) {
  try {
    parseText(text, 'YAML')
    return true
  } catch {
    return false
  }
}

const yamlStyles = fc.record({
  indent: fc.constantFrom(2, 4),
  indentSeq: fc.boolean(),
  collectionStyle: fc.constantFrom('any' as const, 'flow' as const, 'block' as const),
  defaultStringType: fc.constantFrom(
    'PLAIN' as const,
    'QUOTE_DOUBLE' as const,
    'QUOTE_SINGLE' as const,
  ),
  lineWidth: fc.constantFrom(0, 20),
})

test('edits any document of YAML as its value', () => {
  fc.assert(
    fc.property(
      root,
      yamlStyles,
      fc.array(choice, { maxLength: 4 }),
      fc.boolean(),
      fc.boolean(),
      (value, style, choices, crlf, ended) => {
        const text = stringify(value, { ...style, aliasDuplicateObjects: false })
        const lines = ended ? text : text.replace(/\n$/, '')
        const written = crlf ? lines.replaceAll(/\r?\n/g, '\r\n') : lines
        fc.pre(isYaml(written))
        checkEdits(written, 'YAML', choices)
      },
    ),
    { numRuns: 150 },
  )
})

const examples = readdirSync('examples').flatMap((name) => {
  try {
    return [[name, readFileSync(`examples/${name}/bot.json`, 'utf8')]] as [
      string,
      string,
    ][]
  } catch {
    return []
  }
})

test.each(examples)('changes only the lines of the change in %s', (_name, text) => {
  const { value } = parseText(text, 'JSON')
  const lines = text.split('\n')
  fc.assert(
    fc.property(fc.nat(100_000), fc.constantFrom('changed', 7), (at, scalar) => {
      const all = pointers(value).filter((one) => typeof valueAt(value, one) !== 'object')
      const pointer = all[at % all.length]!
      const edits: DocumentEdit[] = [{ op: 'set', pointer, value: scalar }]
      const edited = editDocument(text, 'JSON', edits)
      expect(parseText(edited, 'JSON').value).toEqual(applyEdits(value, edits))
      const now = edited.split('\n')
      expect(now.length).toBe(lines.length)
      expect(now.filter((line, i) => line !== lines[i]).length).toBeLessThanOrEqual(1)
    }),
  )
  fc.assert(
    fc.property(fc.array(choice, { minLength: 1, maxLength: 5 }), (choices) =>
      checkEdits(text, 'JSON', choices),
    ),
  )
})

const yaml = `# A bot.
kind: bot   # always
flows:
    main:   # the first
        nodes:
            start:
                type: start
                cards:
                # greets
                - type: send
                  message: 'Hello'  # short
                - { type: send, message: "Again" } # flow
                # code
                - type: code
                  code: |
                      const a = 1

                      return a
            # the end

other: &shared
    x: 1
same: *shared
empty: []
none: {}
`

test.each<[string, DocumentEdit[], string, string]>([
  [
    'a scalar, with its quotes and comment',
    [{ op: 'set', pointer: '/flows/main/nodes/start/cards/0/message', value: "It's" }],
    "message: 'Hello'  # short",
    "message: 'It''s'  # short",
  ],
  [
    'a value in brackets',
    [{ op: 'set', pointer: '/flows/main/nodes/start/cards/1/message', value: 'X' }],
    '"Again" } # flow',
    '"X" } # flow',
  ],
  [
    'lines of a block',
    [
      {
        op: 'set',
        pointer: '/flows/main/nodes/start/cards/2/code',
        value: 'return 2\nend\n',
      },
    ],
    'code: |\n                      const a = 1\n\n                      return a\n',
    'code: |\n                      return 2\n                      end\n',
  ],
  [
    'a new card',
    [
      {
        op: 'insert',
        pointer: '/flows/main/nodes/start/cards/1',
        value: { type: 'send', message: 'New' },
      },
    ],
    '# short\n',
    '# short\n                - type: send\n                  message: New\n',
  ],
  [
    'a removed card',
    [{ op: 'remove', pointer: '/flows/main/nodes/start/cards/1' }],
    '                - { type: send, message: "Again" } # flow\n',
    '',
  ],
  [
    'a renamed key',
    [{ op: 'move', from: '/flows/main', pointer: '/flows/first' }],
    'main:   # the first',
    'first:   # the first',
  ],
  [
    'a moved card',
    [
      {
        op: 'move',
        from: '/flows/main/nodes/start/cards/1',
        pointer: '/flows/main/nodes/start/cards/0',
      },
    ],
    `- type: send
                  message: 'Hello'  # short
                - { type: send, message: "Again" } # flow
`,
    `- { type: send, message: "Again" } # flow
                - type: send
                  message: 'Hello'  # short
`,
  ],
  [
    'an empty list',
    [{ op: 'insert', pointer: '/empty/0', value: { a: 1 } }],
    'empty: []',
    'empty:\n  - a: 1',
  ],
  [
    'an empty object',
    [{ op: 'set', pointer: '/none/b', value: [] }],
    'none: {}',
    'none:\n    b: []',
  ],
  [
    'a last key',
    [{ op: 'set', pointer: '/last', value: 'x' }],
    'none: {}\n',
    'none: {}\nlast: x\n',
  ],
])('changes only the lines of %s', (_name, edits, from, to) => {
  expect(yaml.split(from)).toHaveLength(2)
  for (const eol of ['\n', '\r\n']) {
    const text = yaml.replaceAll('\n', eol)
    const expected = yaml.replace(from, () => to).replaceAll('\n', eol)
    expect(editDocument(text, 'YAML', edits)).toBe(expected)
  }
})

test('changes only the lines of a scalar between comments', () => {
  const { value } = parseText(yaml, 'YAML')
  const all = pointers(value).filter((one) => typeof valueAt(value, one) !== 'object')
  const own = all.filter((one) => !/^\/(same|other)/.test(one))
  fc.assert(
    fc.property(fc.constantFrom(...own), scalar, (pointer, added) => {
      const [begin, end] = [yaml.split('\n'), yaml.split('\n').reverse()]
      const edited = editDocument(yaml, 'YAML', [{ op: 'set', pointer, value: added }])
      const line = parseText(yaml, 'YAML').findPosition(pointer).line
      expect(edited.split('\n').slice(0, line - 1)).toEqual(begin.slice(0, line - 1))
      const after = pointer.endsWith('/code') ? 8 : begin.length - line
      expect(edited.split('\n').reverse().slice(0, after)).toEqual(end.slice(0, after))
    }),
  )
})

test.each<[DocumentEdit]>([
  [{ op: 'set', pointer: '/other/x', value: 2 }],
  [{ op: 'set', pointer: '/same/x', value: 2 }],
  [{ op: 'remove', pointer: '/other' }],
  [{ op: 'insert', pointer: '/same/y', value: 2 }],
  [{ op: 'move', from: '/other/x', pointer: '/x' }],
])('rejects the edit %j of a value that an alias repeats', (edit) => {
  expect(() => editDocument(yaml, 'YAML', [edit])).toThrow(DocumentEditError)
})

test.each<[DocumentEdit, string]>([
  [{ op: 'set', pointer: '/none/x/y', value: 1 }, '/none/x/y is not in the document'],
  [
    { op: 'set', pointer: '/empty/1', value: 1 },
    '/empty/1 is not in the document: the list has 0 items',
  ],
  [{ op: 'remove', pointer: '/toString' }, '/toString is not in the document'],
  [{ op: 'remove', pointer: '' }, 'The document cannot be removed'],
  [
    { op: 'move', from: '/flows', pointer: '/flows/x' },
    '/flows/x is inside of the moved value',
  ],
])('rejects the edit %j', (edit, message) => {
  expect(() => editDocument(yaml, 'YAML', [edit])).toThrow(message)
})

test('replaces an alias by a value', () => {
  expect(editDocument(yaml, 'YAML', [{ op: 'set', pointer: '/same', value: 5 }])).toBe(
    yaml.replace('*shared', '5'),
  )
})

test('finds few and small edits', () => {
  const card = (message: string) => ({ type: 'send', message })
  const before = { cards: [card('a'), card('b'), card('c')], nodes: { x: { id: 1 } } }
  expect(
    diffDocuments(before, {
      cards: [card('a'), card('B'), card('c')],
      nodes: { y: { id: 1 } },
    }),
  ).toEqual([
    { op: 'set', pointer: '/cards/1/message', value: 'B' },
    { op: 'move', from: '/nodes/x', pointer: '/nodes/y' },
  ])
  expect(diffDocuments(before.cards, [card('b'), card('c'), card('a')])).toEqual([
    { op: 'move', from: '/0', pointer: '/2' },
  ])
  expect(
    diffDocuments(before.cards, [card('a'), card('n'), card('b'), card('c')]),
  ).toEqual([{ op: 'insert', pointer: '/1', value: card('n') }])
})

const merged = (base: unknown, mine: unknown, theirs: unknown) => {
  const text = (value: unknown) => ({
    text: JSON.stringify(value, null, 2),
    format: 'JSON' as const,
  })
  const result = mergeTexts({ base: text(base), mine: text(mine), theirs: text(theirs) })
  return [JSON.parse(result.text), result.overwritten]
}

test('merges changes of objects and lists', () => {
  const base = {
    a: 1,
    b: 1,
    list: [
      { id: 'x', n: 1 },
      { id: 'y', n: 1 },
    ],
  }
  const mine = { a: 2, b: 1, list: [{ id: 'y', n: 2 }, { id: 'm' }, { id: 'x', n: 1 }] }
  const theirs = { a: 3, list: [{ id: 't' }, { id: 'x', n: 3 }, { id: 'y', n: 1 }] }
  expect(merged(base, mine, theirs)).toEqual([
    { a: 2, list: [{ id: 't' }, { id: 'y', n: 2 }, { id: 'm' }, { id: 'x', n: 3 }] },
    [{ pointer: '/a', theirs: 3 }],
  ])
  // A change survives a deletion, and both may insert the same.
  expect(merged([{ id: 'x', n: 1 }], [], [{ id: 'x', n: 2 }])).toEqual([
    [{ id: 'x', n: 2 }],
    [],
  ])
  expect(merged([1], [1, 2], [1, 2, 3])).toEqual([[1, 2, 3], []])
})

test('keeps comments of both in a merge', () => {
  const version = (text: string) => ({ text, format: 'YAML' as const })
  const base = version('a: 1\nb: 1\nc: 1\nd: 1\ne: 1\n')
  const mine = version('# mine\na: 1\nb: 2\nc: 1\nd: 1\ne: 1\n')
  const theirs = version('a: 1\nb: 1\nc: 1\nd: 1\ne: 3 # theirs\n')
  expect(mergeTexts({ base, mine, theirs }).text).toBe(
    '# mine\na: 1\nb: 2\nc: 1\nd: 1\ne: 3 # theirs\n',
  )
})

test('loses no change of two people in unrelated values', () => {
  fc.assert(
    fc.property(
      root,
      fc.array(choice, { maxLength: 3 }),
      fc.array(choice, { maxLength: 3 }),
      (base, one, other) => {
        const mine = applyEdits(base, toEdits(base, one))
        const theirs = applyEdits(base, toEdits(base, other))
        expect(
          merged({ m: base, t: base }, { m: mine, t: base }, { m: base, t: theirs }),
        ).toEqual([{ m: normal(mine), t: normal(theirs) }, []])
        expect(merged(base, mine, mine)).toEqual([normal(mine), []])
        expect(merged(base, mine, base)).toEqual([normal(mine), []])
      },
    ),
  )
})
