import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'
import { type FileRecord, openRecords } from './file-records.ts'
import { inferColumns, inferShape } from './inference.ts'

async function* cut(content: Buffer, size: number) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}
async function recordsOf(content: string | Buffer, key = '', size = 1_000): Promise<FileRecord[]> {
  const { records } = await openRecords(cut(Buffer.from(content), size), key, async () => [])
  const all: FileRecord[] = []
  for await (const record of records) all.push(record)
  return all
}
const valuesOf = async (...what: Parameters<typeof recordsOf>) =>
  (await recordsOf(...what)).map(({ values, wrong }) => wrong ?? values)

const cell = fc.oneof(
  fc.constant(null),
  fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', 'é', '💥', '|', '\t') }),
)
test('reads written CSV, split at any position', async () => {
  const table = fc.array(
    fc.tuple(cell, cell, cell).filter((cells) => cells.some((text) => text !== null)),
  )
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (rows, size) => {
      const text = csvLine(['a', 'b', 'c']) + rows.map((row) => csvLine(row)).join('')
      const expected = rows.map((row) =>
        Object.fromEntries(row.flatMap((value, i) => (value === null ? [] : [['abc'[i], value]]))),
      )
      expect(await valuesOf(text, 'x.csv', size)).toEqual(expected)
    }),
    { numRuns: 300 },
  )
})

test('reads written JSON, as an array and as lines', async () => {
  // Rejected, as in a case below.
  const hasPrototypes = (rows: unknown) => JSON.stringify(rows).includes('"__proto__"')
  const values = fc
    .array(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 3 })))
    .filter((rows) => !hasPrototypes(rows))
  await fc.assert(
    fc.asyncProperty(values, fc.integer({ min: 1, max: 9 }), async (rows, size) => {
      const kept = JSON.parse(JSON.stringify(rows))
      expect(await valuesOf(JSON.stringify(rows, null, size % 3), 'x.json', size)).toEqual(kept)
      expect(
        await valuesOf(rows.map((row) => JSON.stringify(row)).join('\n'), 'x.jsonl', size),
      ).toEqual(kept)
    }),
    { numRuns: 200 },
  )
})

test.each<[string, string | Buffer, unknown[]]>([
  ['semicolons', 'a;b\n1;2,5\n', [{ a: '1', b: '2,5' }]],
  [
    'tabs and old ends of lines',
    'a\tb\r1\t2\r3\t4',
    [
      { a: '1', b: '2' },
      { a: '3', b: '4' },
    ],
  ],
  ['empty lines', 'a\n\n1\n\r\n2\n\n', [{ a: '1' }, { a: '2' }]],
  ['the empty text, and none', 'a,b,c\n"",,x', [{ a: '', c: 'x' }]],
  ['quotes where none belong', 'a\nx"y\n"x"y\n', [{ a: 'x"y' }, { a: 'xy' }]],
  ['a mark at the beginning', '\uFEFFa\n1', [{ a: '1' }]],
  ['UTF-16', Buffer.from('\uFEFFa\né', 'utf16le'), [{ a: 'é' }]],
  [
    'names as no column has them',
    '$a.b,,"  x  ",__proto__\n1,2,3,4',
    [{ a_b: '1', 'column 2': '2', x: '3', column: '4' }],
  ],
  [
    'more cells than columns',
    'a\n1,2\n3',
    ['expected 1 cells, found 2: quote cells that contain the separator', { a: '3' }],
  ],
  ['NUL', 'a\nx\0\ny', [expect.stringMatching('NUL'), { a: 'y' }]],
  ['JSON by what it begins with', ' \n[{"a": 1}]', [{ a: 1 }]],
  ['JSON that is compressed', gzipSync('{"a":"\\""}\n{"a":"]"}'), [{ a: '"' }, { a: ']' }]],
  ['JSON with prototypes', '{"__proto__": {"x": 1}, "a": 1}', [{ column: { x: 1 }, a: 1 }]],
  ['nothing', '', []],
])('%s', async (_, content, expected) => {
  expect(await valuesOf(content)).toEqual(expected)
})

test.each([
  ['a record that never ends', `a\n"${'x'.repeat(1_100_000)}`, /exceeds/],
  ['a value that never ends', `[{"a": "${'x'.repeat(1_100_000)}`, /not terminated/],
])('%s is rejected before it fills the memory', async (_, content, reason) => {
  await expect(recordsOf(content, '', 65_536)).rejects.toThrow(reason)
})

test.each([
  [['1', '-2.5', '1e3', ''], { type: 'number' }],
  [[1, 2, null], { type: 'number' }],
  [['01', '2'], { type: 'string' }],
  [['12345678901234567890'], { type: 'string' }],
  [['true', 'FALSE'], { type: 'boolean' }],
  [['2026-01-02T03:04:05Z', '2026-01-02T03:04+02:00'], { type: 'string', format: 'date-time' }],
  [['2026-01-02'], { type: 'string' }],
  [['[1]', '[]'], { type: 'array' }],
  [['{"a":1}', {}], { type: 'object' }],
  [[1, 'x'], { type: 'string' }],
  [[null, ''], { type: 'string' }],
  [[], null],
])('%j is %j', (values, shape) => {
  expect(inferShape(values)).toEqual(shape)
})

test('infers columns up to the maximum', () => {
  expect(inferColumns([{ a: 1, b: 2 }, { c: 3 }], (name) => name === 'a', 1)).toEqual({
    b: { type: 'number' },
  })
})
