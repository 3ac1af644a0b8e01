import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coerceCell } from '../rows/cells.ts'
import { csvLine } from './csv.ts'
import { type ColumnSelection, type FileRecord, openRecords } from './file-records.ts'
import { inferColumns, inferShape } from './inference.ts'

async function* cut(content: Buffer, size: number) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}
async function openFile(
  content: string | Buffer,
  { key = '', size = 1_000, contentType = '', selection = {} as ColumnSelection } = {},
) {
  const { records, notes } = await openRecords({
    content: cut(Buffer.from(content), size),
    key,
    contentType,
    ...selection,
    readWorkbook: () => Promise.reject(new Error('is no workbook')),
  })
  const all: FileRecord[] = []
  for await (const record of records) all.push(record)
  return { records: all, notes: [...notes] }
}
const readRecords = async (content: string | Buffer, key = '', size = 1_000) =>
  (await openFile(content, { key, size })).records
const toValues = async (...what: Parameters<typeof readRecords>) =>
  (await readRecords(...what)).map(({ values, wrong }) => wrong ?? values)

const latin1 = (text: string) => Buffer.from(text, 'latin1')

const cell = fc.oneof(
  fc.constant(null),
  fc.string({
    unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', 'é', '💥', '|', '\t'),
  }),
)
test('reads written CSV, split at any position', async () => {
  const table = fc.array(
    fc.tuple(cell, cell, cell).filter((cells) => cells.some((text) => text !== null)),
  )
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (rows, size) => {
      const text = csvLine(['a', 'b', 'c']) + rows.map((row) => csvLine(row)).join('')
      const expected = rows.map((row) =>
        Object.fromEntries(
          row.flatMap((value, i) => (value === null ? [] : [['abc'[i], value]])),
        ),
      )
      expect(await toValues(text, 'x.csv', size)).toEqual(expected)
    }),
    { numRuns: 300 },
  )
})

test('reads written JSON, as an array and as lines', async () => {
  // Rejected, as in a case below.
  const hasPrototypes = (rows: unknown) => JSON.stringify(rows).includes('"__proto__"')
  const values = fc
    .array(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 3 })))
    // One object around a list is rejected, too.
    .filter((rows) => rows.length !== 1 && !hasPrototypes(rows))
  await fc.assert(
    fc.asyncProperty(values, fc.integer({ min: 1, max: 9 }), async (rows, size) => {
      const kept = JSON.parse(JSON.stringify(rows))
      expect(
        await toValues(JSON.stringify(rows, null, size % 3), 'x.json', size),
      ).toEqual(kept)
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
      if (lines !== '') expect(await toValues(lines, 'x.jsonl', size)).toEqual(kept)
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
    [expect.stringContaining('expected 1 cells, found 2: quote cells that'), { a: '3' }],
  ],
  ['NUL', 'a\nx\0\ny', [expect.stringMatching('NUL'), { a: 'y' }]],
  ['JSON by what it begins with', ' \n[{"a": 1}]', [{ a: 1 }]],
  [
    'JSON that is compressed',
    gzipSync('{"a":"\\""}\n{"a":"]"}'),
    [{ a: '"' }, { a: ']' }],
  ],
  [
    'JSON with prototypes',
    '{"__proto__": {"x": 1}, "a": 1}',
    [{ column: { x: 1 }, a: 1 }],
  ],
])('%s', async (_, content, expected) => {
  expect(await toValues(content)).toEqual(expected)
})

test.each([
  ['a record that never ends', `a\n"${'x'.repeat(1_100_000)}`, /exceeds/],
  ['a value that never ends', `[{"a": "${'x'.repeat(1_100_000)}`, /not terminated/],
])('%s is rejected before it fills the memory', async (_, content, reason) => {
  await expect(readRecords(content, '', 65_536)).rejects.toThrow(reason)
})

test.each([
  [['1', '-2.5', '1e+21', ''], { type: 'number' }],
  [[1, 2, null], { type: 'number' }],
  [['01', '2'], { type: 'string' }],
  [['12345678901234567890'], { type: 'string' }],
  [['true', 'FALSE'], { type: 'boolean' }],
  [
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04+02:00'],
    { type: 'string', format: 'date-time' },
  ],
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

const is1252 = 'The text is not UTF-8: it was read as windows-1252'
const filler = 'x,y\n'.repeat(2_000)
test.each<[string, Buffer, string, unknown, string[]]>([
  ['windows-1252', latin1('n\nM\xfcller \x80'), '', { n: 'Müller €' }, [is1252]],
  ['UTF-8 with a mark', Buffer.from('\ufeffn\nMüller'), '', { n: 'Müller' }, []],
  ['UTF-8 that is cut anywhere', Buffer.from('n\nü€😀'), '', { n: 'ü€😀' }, []],
  [
    'UTF-16 with big ends',
    Buffer.from('\ufeffn\nü', 'utf16le').swap16(),
    '',
    { n: 'ü' },
    [],
  ],
  [
    'UTF-16 without a mark',
    Buffer.from('name\nMüller', 'utf16le'),
    '',
    { name: 'Müller' },
    [],
  ],
  [
    'a declared charset',
    latin1('n\n\xb3\xf3d\xbc'),
    'text/csv; charset=iso-8859-2',
    { n: 'łódź' },
    [],
  ],
  [
    'a declared one in quotes',
    latin1('n\n\x93a\x94'),
    'text/csv;charset="Windows-1252"',
    { n: '“a”' },
    [],
  ],
  [
    'an unknown declared one',
    latin1('n\n\xe4'),
    'text/csv; charset=x-none',
    { n: 'ä' },
    [is1252],
  ],
  [
    'a wrongly declared one',
    latin1('n\n\xe4'),
    'text/csv; charset=utf-8',
    { n: 'ä' },
    [is1252],
  ],
])('reads %s', async (_, content, contentType, expected, notes) => {
  for (const size of [1, 2, 3, 1_000]) {
    const file = await openFile(content, { size, contentType, key: 'a.csv' })
    expect([file.records[0]?.values, file.notes]).toEqual([expected, notes])
  }
})

test('reads windows-1252 whose first other byte comes late, and rejects a mixture', async () => {
  const late = await openFile(latin1(`a,b\n${filler}M\xfcller,\x80`), { size: 700 })
  expect(late.records.at(-1)?.values).toEqual({ a: 'Müller', b: '€' })
  for (const content of [
    Buffer.concat([Buffer.from(`a,b\né,ü\n${filler}`), latin1('M\xfcller,x')]),
    Buffer.concat([Buffer.from('a\néèà\n'), latin1('\xfc')]),
    latin1('a\n\x81\x8d\xfc'),
    Buffer.from('a\nü').subarray(0, -1),
  ].slice(0, 3))
    await expect(openFile(content, { size: 700 })).rejects.toThrow('save it as UTF-8')
})

test.each<[string, string, unknown]>([
  ['a hint', 'sep=;\nname;price\nTea;4,50', { name: 'Tea', price: '4,50' }],
  ['a quoted hint after a mark', '\ufeff"sep=|"\r\na|b\r\n1|2', { a: '1', b: '2' }],
  ['a hint of a tab', 'SEP=\t\na\tb\n1,5\t2', { a: '1,5', b: '2' }],
  ['another character', 'sep=^\na^b\n1^2', { a: '1', b: '2' }],
  [
    'a hint with separators after it',
    'sep=;;;\na;b;c\n1;2;3',
    { a: '1', b: '2', c: '3' },
  ],
  [
    'a comma in a header',
    'Name;Price (EUR, net)\nTea;4,50\nMilk;1,20',
    { Name: 'Tea', 'Price (EUR, net)': '4,50' },
  ],
  ['commas in all cells', 'a;b\n1,5;2,5\n3,5;4,5', { a: '1,5', b: '2,5' }],
  ['separators in quotes', '"a;x";"b;y"\n1;2', { 'a;x': '1', 'b;y': '2' }],
  ['one column', 'name\nAna', { name: 'Ana' }],
  ['one column of sentences', 'note\nyes; no\nno\nmaybe; later', { note: 'yes; no' }],
])('detects the separator: %s', async (_, content, expected) => {
  const [record] = await readRecords(content, 'a.csv')
  expect(record?.values).toEqual(expected)
})

test('counts the line of a hint', async () => {
  const records = await readRecords('sep=;\na;b\n1;2;3', 'a.csv')
  expect(records.map(({ place }) => place)).toEqual(['line 3'])
})

test.each<[string, string, unknown, string[]]>([
  [
    'equal',
    'a,a,a 2,a\n1,2,3,4',
    { a: '1', 'a 3': '2', 'a 2': '3', 'a 4': '4' },
    ['"a" is named "a 3"', '"a" is named "a 4"'],
  ],
  [
    'equal after a change',
    'a.b,a_b\n1,2',
    { a_b: '1', 'a_b 2': '2' },
    ['"a.b" is named "a_b"', '"a_b" is named "a_b 2"'],
  ],
  ['different in case', 'Name,name\n1,2', { Name: '1', name: '2' }, []],
  [
    'reserved',
    'id,createdAt,__proto__,constructor\n1,2,3,4',
    { 'id 2': '1', 'createdAt 2': '2', column: '3', constructor: '4' },
    [
      '"id" is named "id 2"',
      '"createdAt" is named "createdAt 2"',
      '"__proto__" is named "column"',
    ],
  ],
  [
    'of an export',
    'id,a,createdAt,updatedAt\n1,2,3,4',
    { id: '1', a: '2', createdAt: '3', updatedAt: '4' },
    [],
  ],
  [
    'long',
    `${'x'.repeat(40)},${'x'.repeat(41)}\n1,2`,
    { ['x'.repeat(30)]: '1', [`${'x'.repeat(28)} 2`]: '2' },
    [
      `"${'x'.repeat(40)}" is named "${'x'.repeat(30)}"`,
      `"${'x'.repeat(41)}" is named "${'x'.repeat(28)} 2"`,
    ],
  ],
  ['empty', ' ,b,\n1,2,3', { 'column 1': '1', b: '2', 'column 3': '3' }, []],
])('names columns whose headers are %s', async (_, content, values, notes) => {
  const file = await openFile(content, { key: 'a.csv' })
  expect(file.records[0]?.values).toEqual(values)
  expect(file.notes).toEqual(notes.map((note) => `The column ${note}`))
})

test('names keys of JSON like headers', async () => {
  const file = await openFile('{"a.b":1,"a_b":2}\n{"a_b":3,"id":4}\n{" id ":5,"id":6}')
  expect(file.records.map(({ values, wrong }) => wrong ?? values)).toEqual([
    { a_b: 1, 'a_b 2': 2 },
    { 'a_b 2': 3, 'id 2': 4 },
    { 'id 3': 5, 'id 2': 6 },
  ])
  const exported = await readRecords('[{"id":1,"a":2,"createdAt":"x","updatedAt":"y"}]')
  expect(exported[0]?.values).toMatchObject({ id: 1, a: 2 })
})

test('reports numbers of JSON that would lose digits', async () => {
  const numbers = [
    '12345678901234567890',
    '9007199254740993',
    '0.12345678901234567891',
    '1e400',
  ]
  const kept = [
    '9007199254740991',
    '0.30000000000000004',
    '1e300',
    '"12345678901234567890"',
    '-1.5E-7',
  ]
  const content = [...numbers, ...kept].map((number) => `{"a":[${number}]}`).join('\n')
  const records = await readRecords(content, 'a.jsonl')
  expect(records.map(({ wrong }) => wrong !== undefined)).toEqual([
    ...numbers.map(() => true),
    ...kept.map(() => false),
  ])
  expect(records[0]?.wrong).toBe(
    'the number 12345678901234567890 would lose digits: write it as a string',
  )
})

test.each<[string, string, string | Buffer, string]>([
  ['PDF', 'a.csv', '%PDF-1.7 …', 'a PDF document'],
  ['a picture', 'a.csv', Buffer.from('89504e470d0a1a0a', 'hex'), 'a picture'],
  ['RTF', '', '{\\rtf1 a}', 'an RTF document'],
  ['Parquet', 'a', 'PAR1xxxx', 'a Parquet file'],
  [
    'HTML named .xls',
    'a.xls',
    '\n<html xmlns:o="x"><table><tr><td>a</td></tr></table></html>',
    'an HTML page',
  ],
  ['a table of HTML', 'a.xls', '<table><tr><td>a</td></tr></table>', 'an HTML page'],
  ['a web archive', 'a.xls', 'MIME-Version: 1.0\nX', 'a web archive'],
  ['a vCard', 'a.vcf', 'BEGIN:VCARD\r\nFN:Ana', 'a vCard or calendar file'],
  ['XML', 'a.xml', '<?xml version="1.0"?><Workbook/>', 'XML'],
  [
    'binary content',
    'a.csv',
    Buffer.from(Array.from({ length: 300 }, (_, n) => (n * 7) % 32)),
    'binary',
  ],
  ['nothing', 'a.csv', '', 'empty'],
  [
    'a compressed zip',
    'a.xlsx.gz',
    gzipSync(Buffer.from('PK\x03\x04')),
    'a compressed zip',
  ],
])('rejects %s with the formats that work', async (_, key, content, reason) => {
  await expect(openFile(content, { key })).rejects.toThrow(
    new RegExp(`^The file is ${reason}.*: imports read CSV, JSON, XLSX and ODS files$`),
  )
})

test.each([
  ['JSON lines named .txt', 'a.txt', '{"a":1}\n{"a":2}', { a: 1 }],
  ['JSON named .csv', 'a.csv', '[\n {"a": 1}]', { a: 1 }],
  ['JSON with a mark', 'a.json', '\ufeff[{"a":1}]', { a: 1 }],
  [
    'CSV whose header begins with a bracket',
    'a.csv',
    '[a],b\n1,2',
    { '[a]': '1', b: '2' },
  ],
])('reads %s', async (_, key, content, expected) => {
  expect((await readRecords(content, key))[0]?.values).toEqual(expected)
})

test.each([
  '00123',
  '-01',
  '1e5',
  '1E5',
  '+5',
  '0x1F',
  'Infinity',
  'NaN',
  '-0',
  '-0.0',
  '1,234',
  '1_000',
  '12345678901234567890',
  '0.12345678901234567891',
  '1.',
  '١٢',
  '1e-400',
  '5 %',
])('keeps %j as a text', (text) => {
  expect(inferShape([text])).toEqual({ type: 'string' })
  expect('value' in coerceCell('number', text)).toBe(false)
})

test.each<[unknown[], string]>([
  [['12.50', '3.00', '7'], 'number'],
  [['1.9', '1.10', '1.11'], 'string'],
  [['0', '-1', '0.5', '1e+21', '1.5e-7', '9007199254740991'], 'number'],
  [['yes', 'no'], 'string'],
  [['TRUE', 'false'], 'boolean'],
  [['03/04/2026', '05/03/2026'], 'string'],
  [['2026-01-02T03:04:05.123456Z'], 'string'],
  [[true, 1], 'string'],
])('takes %j for %s', (values, type) => {
  expect(inferShape(values)).toEqual({ type })
})

test('keeps texts of JSON as texts, except dates', () => {
  expect(inferShape(['111', '222'], true)).toEqual({ type: 'string' })
  expect(inferShape(['true'], true)).toEqual({ type: 'string' })
  expect(inferShape(['[1]'], true)).toEqual({ type: 'string' })
  expect(inferShape([1, 2], true)).toEqual({ type: 'number' })
  expect(inferShape(['2026-01-02T03:04:05Z'], true)).toEqual({
    type: 'string',
    format: 'date-time',
  })
})

test('leaves records below a title out, and notes a title with separators', async () => {
  for (const title of ['Report', 'Report, 2026']) {
    const records = await readRecords(
      `${title}\n\nname;price\nTea;4,50\nMilk;1,20`,
      'a.csv',
    )
    expect(records.map(({ wrong = '' }) => wrong.includes('remove titles'))).toEqual([
      true,
      true,
      true,
    ])
  }
  const { notes } = await openFile('Report;;\nname;price;n\nTea;4,50;1', { key: 'a.csv' })
  expect(notes).toEqual([
    'Only the first of 3 columns has a name: remove titles above the names',
  ])
})

test('rejects JSON with one object around the rows', async () => {
  const rows = '[{"a":1},{"a":2}]'
  for (const content of [
    `{"data":${rows}}`,
    `{"total":2,"next":null,"customers": ${rows}}`,
  ])
    await expect(openFile(content, { key: 'a.json' })).rejects.toThrow(
      'imports read a list',
    )
  const [record] = await readRecords(
    `{"name":"Ana","city":"Rome","orders":${rows}}`,
    'a.json',
  )
  expect(record?.values).toMatchObject({ name: 'Ana' })
})

test.each<[string, string, Record<string, unknown>[]]>([
  ['names below empty records', ',,\n , ,\na,b,c\n1,2,3\n', [{ a: '1', b: '2', c: '3' }]],
  ['a line break in a name', '"unit\nprice",b\n1,2\n', [{ 'unit price': '1', b: '2' }]],
  [
    'separators after the last cell',
    'a,b\n1,2,\n3,4,,\n',
    [
      { a: '1', b: '2' },
      { a: '3', b: '4' },
    ],
  ],
])('reads %s', async (_, text, expected) => {
  expect(await toValues(text, 'x.csv')).toEqual(expected)
})

test.each<[string, string, Record<string, unknown>[]]>([
  ['a space before a quote', 'a, "b"\n1, "x, y"\n', [{ a: '1', b: 'x, y' }]],
  [
    'quotes behind a backslash',
    'a,b\n"x \\"y\\"",2\n"C:\\\\",3\n"\\"",4\n',
    [
      { a: 'x "y"', b: '2' },
      { a: 'C:\\\\', b: '3' },
      { a: '"', b: '4' },
    ],
  ],
  ['a backslash at the end of a quote', 'a,b\n"C:\\",2\n', [{ a: 'C:\\', b: '2' }]],
  [
    'no rows of separators, and no mark of the end',
    'a,b\n1,2\n,\n,,,\n\x1a',
    [{ a: '1', b: '2' }],
  ],
])('reads %s', async (_, text, expected) => {
  for (const size of [1, 1_000])
    expect(await toValues(text, 'x.csv', size)).toEqual(expected)
})

// Looking at the growing text of a cell after each quote would take hours.
test.each([
  ['in plain text', `x${'y"'.repeat(400_000)}`, `x${'y"'.repeat(400_000)}`],
  ['doubled', `"${'""'.repeat(400_000)}"`, '"'.repeat(400_000)],
  ['behind backslashes', `"a ${'\\"'.repeat(400_000)} b"`, `a ${'"'.repeat(400_000)} b`],
])('reads a cell of many quotes %s', async (_, cell, expected) => {
  const [record] = await readRecords(`a,b\n1,${cell}\n`, 'x.csv', 65_536)
  expect(record!.values.b === expected).toBe(true)
})

test.each<[string, Buffer, unknown]>([
  [
    'UTF-16 without a mark',
    Buffer.from('имя;город\nАнна;Москва\n', 'utf16le'),
    { имя: 'Анна', город: 'Москва' },
  ],
  [
    'Shift_JIS without kana',
    latin1('\x96\xbc\x91\x4f,\x89\xbf\x8a\x69\n\x93\x63\x92\x86,100\n'),
    { 名前: '田中', 価格: '100' },
  ],
  [
    'Big5',
    latin1('\xa6\x57\xa6\x72,\xab\xb0\xa5\xab\n\xa4\xfd\xa4\x6a,\xa5\x78\xa5\x5f\n'),
    { 名字: '王大', 城市: '台北' },
  ],
  [
    'windows-1253',
    latin1(
      '\xfc\xed\xef\xec\xe1;\xf0\xfc\xeb\xe7\n\xa2\xed\xed\xe1;\xc1\xe8\xde\xed\xe1\n',
    ),
    { όνομα: 'Άννα', πόλη: 'Αθήνα' },
  ],
  [
    'windows-1252',
    latin1('name,note\nZo\xeb,\x93don\x92t\x94 \x96 \xc4rger\n'),
    { name: 'Zoë', note: '“don’t” – Ärger' },
  ],
])('detects short texts in %s', async (_, content, expected) => {
  expect((await openFile(content)).records[0]!.values).toEqual(expected)
})

test('reads codes that are written as formulas, and reports them', async () => {
  const { records, notes } = await openFile(
    'ref,b\n="00123",1\n"=""A-7""",2\n=SUM(A1),3\n',
  )
  expect(records.map(({ values }) => values.ref)).toEqual(['00123', 'A-7', '=SUM(A1)'])
  expect(notes).toEqual(['Cells such as ="00123" were read as their texts'])
})

test.each(['Ann,30\nBob,25\n', 'Ann,a@example.com\n', 'Ann,2026-03-05\n'])(
  'reports values in place of names: %j',
  async (text) => {
    expect((await openFile(text)).notes.join()).toMatch(/^The first row has the value/)
  },
)

test('takes years for names', async () => {
  expect((await openFile('town,2025,2026\nRome,1,2\n')).notes).toEqual([])
})

test.each<[string, Buffer, string]>([
  ['windows-1251', latin1('a\n\xcc\xee\xf1\xea\xe2\xe0\n\xca\xe8\xe5\xe2\n'), 'Москва'],
  ['koi8-r', latin1('a\n\xed\xcf\xd3\xcb\xd7\xc1\n'), 'Москва'],
  [
    'shift_jis',
    latin1('a\n\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x83\x65\x83\x4c\n'),
    '日本語のテキ',
  ],
  ['iso-2022-jp', latin1('a\n\x1b$BJVIJ$O2DG=$G$9\x1b(B\n'), '返品は可能です'],
  ['gb18030', latin1('a\n\xd6\xd0\xce\xc4\xb2\xe2\xca\xd4\n'), '中文测试'],
])('detects text in %s', async (charset, content, expected) => {
  const { records, notes } = await openFile(content)
  expect(records[0]!.values).toEqual({ a: expected })
  expect(notes).toEqual([`The text is not UTF-8: it was read as ${charset}`])
})

test('prefers UTF-8 to a declaration that is wrong for certain', async () => {
  const options = { contentType: 'text/csv; charset=iso-8859-1' }
  expect((await openFile('a\nMüller\n', options)).records[0]!.values).toEqual({
    a: 'Müller',
  })
  const { records, notes } = await openFile(latin1('a\nM\xfcller\n'), options)
  expect([records[0]!.values, notes]).toEqual([{ a: 'Müller' }, []])
})

describe('of more than 100 columns', () => {
  const header = Array.from({ length: 150 }, (_, i) => `c${i + 1}`)
  const wide = csvLine(header) + csvLine(header.map((name) => name.toUpperCase()))
  const read = async (selection: ColumnSelection) => {
    const { records, notes } = await openFile(wide, { selection })
    return { values: records[0]!.values, notes }
  }

  test('reads the first ones, and those of the table', async () => {
    const { values, notes } = await read({ known: new Set(['c120']) })
    expect(Object.keys(values)).toEqual([...header.slice(0, 100), 'c120'])
    expect(values).toMatchObject({ c1: 'C1', c120: 'C120' })
    expect(notes).toEqual([
      'Columns after the first 100 were not read: choose columns to import others',
    ])
  })

  test('reads chosen ones only', async () => {
    const { values, notes } = await read({ chosen: new Set(['c2', 'c149']) })
    expect(values).toEqual({ c2: 'C2', c149: 'C149' })
    expect(notes).toEqual([])
  })
})
