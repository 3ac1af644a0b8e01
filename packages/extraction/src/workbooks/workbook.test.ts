import { strToU8, type Zippable, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { readFirstTable } from './first-table.ts'
import type { CellView, WorkbookRow } from './sheets.ts'
import { openWorkbook } from './workbook.ts'

interface Parts {
  /** The content of `sheetData`, or of the whole sheets by name. */
  rows: string
  styles?: string
  strings?: string
  /** Attributes of `workbookPr`. */
  properties?: string
}

const transitional = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relation = (id: string, type: string, target: string, namespace = transitional) =>
  `<Relationship Id="${id}" Type="${namespace}/${type}" Target="${target}"/>`
const relations = (...all: string[]) =>
  strToU8(`<Relationships>${all.join('')}</Relationships>`)

function xlsx({ rows, styles = '', strings, properties = '' }: Parts): Uint8Array {
  return zipSync({
    '_rels/.rels': relations(relation('r1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': strToU8(
      `<workbook><workbookPr ${properties}/><sheets>` +
        '<sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': relations(
      relation('r1', 'worksheet', 'worksheets/sheet1.xml'),
      relation('r2', 'sharedStrings', 'sharedStrings.xml'),
      relation('r3', 'styles', 'styles.xml'),
    ),
    'xl/worksheets/sheet1.xml': strToU8(
      `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ),
    'xl/styles.xml': strToU8(`<styleSheet>${styles}</styleSheet>`),
    ...(strings !== undefined && {
      'xl/sharedStrings.xml': strToU8(`<sst>${strings}</sst>`),
    }),
  })
}

async function toRows(
  bytes: Uint8Array,
  view: CellView = 'data',
): Promise<WorkbookRow[]> {
  const rows: WorkbookRow[] = []
  const [sheet] = (await openWorkbook(bytes)).filter(({ isHidden }) => !isHidden)
  for await (const row of sheet!.rows(view)) rows.push(row)
  return rows
}
const toCells = async (parts: Parts, view?: CellView) =>
  (await toRows(xlsx(parts), view)).map(({ cells }) => cells)

/** The values of one number in each format. */
async function formatted(
  value: number | string,
  formats: (number | string)[],
  view: CellView = 'data',
  properties = '',
) {
  const codes = formats.map((format, at) =>
    typeof format === 'string'
      ? `<numFmt numFmtId="${200 + at}" formatCode="${format.replaceAll('"', '&quot;')}"/>`
      : '',
  )
  const styles = formats.map(
    (format, at) => `<xf numFmtId="${typeof format === 'string' ? 200 + at : format}"/>`,
  )
  const cells = formats.map((_, at) => `<c s="${at}"><v>${value}</v></c>`).join('')
  const [row] = await toCells(
    {
      rows: `<row>${cells}</row>`,
      styles: `<numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.join('')}</cellXfs>`,
      properties,
    },
    view,
  )
  return row
}

test('reads cells of all types', async () => {
  const rows =
    '<row r="2"><c r="A2" t="b"><v>1</v></c><c r="B2" t="b"><v>0</v></c><c r="C2" t="e"><v>#N/A</v></c>' +
    '<c r="D2" t="str"><f>A1</f><v>00123</v></c>' +
    '<c r="E2" t="inlineStr"><is><r><t>a</t></r><r><t xml:space="preserve"> b</t></r>' +
    '<rPh sb="0" eb="1"><t>x</t></rPh></is></c>' +
    '<c r="F2" t="s"><v>0</v></c><c r="G2"><v>1.50</v></c>' +
    '<c r="H2" t="n"><v>0.30000000000000004</v></c>' +
    '<c r="I2" t="d"><v>2026-03-05T10:30:00</v></c>' +
    '<c r="J2"><v>12345678901234567890</v></c><c r="K2"><f>A1</f></c>' +
    '<c r="L2" t="b"><f>A1=1</f><v>1</v></c><c r="M2"><v>1E-3</v></c></row>'
  const strings =
    '<si><r><t>Sum</t></r><r><rPr><b/></rPr><t>me</t></r>' +
    '<rPh sb="0" eb="2"><t>reading</t></rPh><phoneticPr fontId="1"/></si>'
  const bytes = xlsx({ rows, strings })
  expect(await toRows(bytes)).toEqual([
    {
      number: 2,
      cells: [
        true,
        false,
        null,
        '00123',
        'a b',
        'Summe',
        1.5,
        0.30000000000000004,
        '2026-03-05T10:30:00.000Z',
        '12345678901234567890',
        null,
        true,
        0.001,
      ],
    },
  ])
  const [{ cells }] = (await toRows(bytes, 'text')) as [WorkbookRow]
  expect(cells).toEqual([
    'TRUE',
    'FALSE',
    '#N/A',
    '00123',
    'a b',
    'Summe',
    '1.5',
    '0.3',
    '2026-03-05 10:30',
    '12345678901234567890',
    null,
    'TRUE',
    '0.001',
  ])
})

test('reads cells and rows without references, in gaps, and with prefixes', async () => {
  const rows =
    '<x:row><x:c><x:v>1</x:v></x:c><x:c r="D1"><x:v>4</x:v></x:c><x:c><x:v>5</x:v></x:c></x:row><x:row/>' +
    '<x:row><x:c r="b3"><x:v>2</x:v></x:c><x:c r="A3"><x:v>1</x:v></x:c><x:c r="C3" s="1"/></x:row>'
  expect(await toRows(xlsx({ rows }))).toEqual([
    { number: 1, cells: [1, null, null, 4, 5] },
    { number: 3, cells: [1, 2] },
  ])
})

test('decodes escaped characters once', async () => {
  const texts = [
    'a_x000D_\nb',
    '_x005F_x000D_',
    '_x00e9_ _X000D_ _x12_',
    '_xD83D__xDE00_',
  ]
  const strings = texts.map((text) => `<si><t>${text}</t></si>`).join('')
  const shared = texts.map((_, at) => `<c t="s"><v>${at}</v></c>`).join('')
  const written =
    '<c t="str"><v>x_x0009_y</v></c><c t="inlineStr"><is><t>_x0041_</t></is></c>'
  expect(await toCells({ rows: `<row>${shared}${written}</row>`, strings })).toEqual([
    ['a\r\nb', '_x000D_', 'é _X000D_ _x12_', '😀', 'x\ty', 'A'],
  ])
})

test('rejects cells whose shared text is missing', async () => {
  const rows = '<row><c t="s"><v>3</v></c></row>'
  await expect(toRows(xlsx({ rows, strings: '<si><t>a</t></si>' }))).rejects.toThrow(
    'the text of cell A1 in sheet "A" is missing',
  )
  await expect(toRows(xlsx({ rows }))).rejects.toThrow('is missing')
})

test.each<[string, (number | string)[]]>([
  ['built-in dates', [14, 15, 16, 17, 27, 30, 36, 50, 57, 58]],
  [
    'codes of dates',
    [
      'yyyy-mm-dd',
      '[$-409]d. mmmm yyyy;@',
      '[$-F800]dddd, mmmm dd, yyyy',
      'dd"."mm"."yy',
      '[Red]d/m/yyyy',
      'mmm',
      'mm/yy',
      'yyyy"年"m"月"d"日"',
      '[$-411]ggge"年"m"月"',
      'd\\.m\\.',
    ],
  ],
])('reads %s', async (_, formats) => {
  expect(await formatted(46086, formats)).toEqual(
    formats.map(() => '2026-03-05T00:00:00.000Z'),
  )
})

test('reads numbers in formats with letters of texts, colours and conditions', async () => {
  const formats = [
    0,
    1,
    2,
    3,
    4,
    11,
    12,
    13,
    37,
    44,
    48,
    49,
    'General',
    '0 "days"',
    '#,##0.00\\ "h"',
    '[Red]0',
    '[>100]0;[Blue]0',
    '0.00E+00',
    '[$USD-409] 0',
    '0_d',
    '0*d',
    '@',
    '0;"yes"',
    '#,##0;[Red]-#,##0',
    '"month" 0',
    '[$€-407] #,##0.00',
  ]
  expect(await formatted(46086, formats)).toEqual(formats.map(() => 46086))
})

test('reads times and durations as on a clock', async () => {
  const formats = [
    18,
    20,
    21,
    45,
    46,
    'h:mm',
    'h:mm:ss AM/PM',
    '[h]:mm',
    '[mm]:ss',
    'hh:mm:ss.000',
  ]
  expect(await formatted(0.4375, formats)).toEqual([
    '10:30',
    '10:30',
    '10:30:00',
    '10:30:00',
    '10:30:00',
    '10:30',
    '10:30:00',
    '10:30',
    '10:30:00',
    '10:30:00.000',
  ])
  expect(await formatted(1.260416666666667, ['[h]:mm', '[h]:mm:ss', 46])).toEqual([
    '30:15',
    '30:15:00',
    '30:15:00',
  ])
  expect(await formatted(-0.5, ['[h]:mm'])).toEqual(['-12:00'])
  expect(await formatted(0.00001157407, ['h:mm'])).toEqual(['00:00:01'])
  expect(await formatted(46086.4375, ['h:mm', 22])).toEqual([
    '2026-03-05T10:30:00.000Z',
    '2026-03-05T10:30:00.000Z',
  ])
})

test('reads dates of both calendars, also those before March 1900', async () => {
  const dates = async (...serials: number[]) =>
    (await Promise.all(serials.map((serial) => formatted(serial, [14])))).map(
      (row) => row?.[0],
    )
  expect(await dates(1, 59, 60, 61, 2958465, 2958466, -1, 0)).toEqual([
    '1900-01-01T00:00:00.000Z',
    '1900-02-28T00:00:00.000Z',
    60,
    '1900-03-01T00:00:00.000Z',
    '9999-12-31T00:00:00.000Z',
    2958466,
    -1,
    0,
  ])
  for (const flag of ['1', 'true'])
    expect(await formatted(44624.4375, [22], 'data', `date1904="${flag}"`)).toEqual([
      '2026-03-05T10:30:00.000Z',
    ])
  expect(await formatted(0, [14], 'data', 'date1904="1"')).toEqual([
    '1904-01-01T00:00:00.000Z',
  ])
  expect(await formatted(46086, [14], 'data', 'date1904="0"')).toEqual([
    '2026-03-05T00:00:00.000Z',
  ])
  // 10:20, stored with six digits
  expect(await formatted(46086.430556, [22, 'h:mm:ss.000'])).toEqual([
    '2026-03-05T10:20:00.000Z',
    '2026-03-05T10:20:00.038Z',
  ])
})

test('shows values as a person reads them', async () => {
  expect(await formatted(46115, [14, 22], 'text')).toEqual(['2026-04-03', '2026-04-03'])
  expect(await formatted(46115.75, [14, 22], 'text')).toEqual([
    '2026-04-03 18:00',
    '2026-04-03 18:00',
  ])
  expect(await formatted(0.125, [9, 10, '0.0%', 0], 'text')).toEqual([
    '13%',
    '12.50%',
    '12.5%',
    '0.125',
  ])
  expect(await formatted(123, ['00000', '0'], 'text')).toEqual(['00123', '123'])
})

test.each<[number, [format: number | string, shown: string][]]>([
  [
    1234.5,
    [
      ['#,##0.00 "€"', '1,234.50 €'],
      ['#,##0.00\\ [$€-407]', '1,234.50 €'],
      ['[$£-809]#,##0.00', '£1,234.50'],
      ['[$-407]#,##0.00', '1,234.50'],
      ['_-* #,##0.00\\ "zł"_-', '1,234.50 zł'],
      ['0 "kg"', '1235 kg'],
      ['0.0,"k"', '1.2k'],
      ['General" pcs"', '1234.5 pcs'],
      ['[>=1000]0.0,"t";0" kg"', '1.2t'],
      ['# ?/?', '1234 1/2'],
      ['0.00E+00', '1.23E+03'],
      ['[h]:mm', '29628:00'],
      [4, '1,234.50'],
      [44, '1,234.50'],
      [12, '1234 1/2'],
      ['General', '1234.5'],
      ['[0', '1234.5'],
    ],
  ],
  [
    -3,
    [
      ['0.00;[Red]\\(0.00\\)', '(3.00)'],
      ['0" °C"', '-3 °C'],
      ['"plus" 0;"minus" 0', 'minus 3'],
    ],
  ],
  [
    0,
    [
      ['0;-0;"none"', 'none'],
      ['0.0%', '0.0%'],
    ],
  ],
])('shows %d by its format', async (value, cases) => {
  const shown = await formatted(
    value,
    cases.map(([format]) => format),
    'text',
  )
  expect(shown).toEqual(cases.map(([, text]) => text))
})

test('keeps zeros and parts of codes in tables', async () => {
  const codes = [
    '00000',
    '"A-"0000',
    '000\\-00\\-0000',
    '00000\\-0000',
    '+0',
    '[<=9999999]###\\-####;0',
  ]
  expect(await formatted(4711, codes)).toEqual([
    '04711',
    'A-4711',
    '000-00-4711',
    '00000-4711',
    '+4711',
    4711,
  ])
  const numbers = [
    '0',
    '#,##0',
    '0.00',
    '00.00',
    '0000%',
    '# ?/?',
    '0 "kg"',
    '#,##0.00 "€"',
    '-0',
    '#\\ ##0',
  ]
  expect(await formatted(4711, numbers)).toEqual(numbers.map(() => 4711))
})

test('finds dates in later sections', async () => {
  expect(await formatted(46086, ['[=0]"";dd/mm/yyyy'], 'text')).toEqual(['2026-03-05'])
})

test('shows formats of texts', async () => {
  const styles =
    '<numFmts><numFmt numFmtId="200" formatCode="0;-0;0;&quot;No. &quot;@"/></numFmts>' +
    '<cellXfs><xf numFmtId="200"/><xf numFmtId="49"/></cellXfs>'
  const rows = '<row><c t="str" s="0"><v>7a</v></c><c t="str" s="1"><v>7b</v></c></row>'
  expect(await toCells({ rows, styles }, 'text')).toEqual([['No. 7a', '7b']])
  expect(await toCells({ rows, styles })).toEqual([['7a', '7b']])
})

test('writes raised, lowered and struck text as such', async () => {
  const part = (text: string, style: string) => `<r><rPr>${style}</rPr><t>${text}</t></r>`
  const power = `<r><t>10</t></r>${part('6', '<vertAlign val="superscript"/>')}<r><t> m</t></r>`
  const water = `<r><t>H</t></r>${part('2', '<vertAlign val="subscript"/>')}<r><t>O</t></r>`
  const price =
    `${part('99 ', '<strike/>')}${part('€', '<b/><strike val="1"/>')}` +
    `${part(' 79 €', '<strike val="0"/>')}`
  const rows =
    `<row><c t="inlineStr"><is>${power}</is></c><c t="s"><v>0</v></c><c t="s"><v>1</v></c>` +
    '<c s="1"><v>99</v></c><c s="1" t="s"><v>0</v></c><c s="0"><v>79</v></c></row>'
  const strings = `<si>${water}</si><si>${price}</si>`
  const styles =
    '<fonts><font><strike val="0"/></font><font><strike/></font></fonts>' +
    '<cellXfs><xf numFmtId="0" fontId="0"/><xf numFmtId="0" fontId="1"/></cellXfs>'
  const bytes = xlsx({ rows, strings, styles })
  expect((await toRows(bytes, 'text'))[0]!.cells).toEqual([
    '10⁶ m',
    'H₂O',
    '~~99 €~~ 79 €',
    '~~99~~',
    '~~H₂O~~',
    '79',
  ])
  const { rows: read, notes } = await firstTable(bytes)
  expect(read).toEqual([['10⁶ m', 'H₂O', '99 € 79 €', 99, 'H₂O', 79]])
  expect(notes).toEqual(['Struck-out values were imported like others: C1 and 2 more'])
})

const sheet = (text: string) =>
  strToU8(
    `<worksheet><sheetData><row><c t="inlineStr"><is><t>${text}</t></is></c></row></sheetData></worksheet>`,
  )

/** Sheets with names, states and contents; null has no rows. */
function book(...sheets: [string, string, Uint8Array | null][]): Zippable {
  const empty = strToU8('<worksheet><sheetData/></worksheet>')
  return {
    'xl/workbook.xml': strToU8(
      `<workbook><sheets>${sheets
        .map(
          ([name, state], at) => `<sheet name="${name}" state="${state}" r:id="r${at}"/>`,
        )
        .join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': relations(
      ...sheets.map(([name], at) =>
        name.startsWith('Chart')
          ? relation(`r${at}`, 'chartsheet', `chartsheets/sheet${at}.xml`)
          : relation(`r${at}`, 'worksheet', `/xl/worksheets/sheet${at}.xml`),
      ),
    ),
    ...Object.fromEntries(
      sheets.map(([, , content], at) => [
        `xl/worksheets/sheet${at}.xml`,
        content ?? empty,
      ]),
    ),
  }
}

async function firstTable(
  bytes: Uint8Array,
  limit = { maxCharacters: 10_000, cuts: false },
) {
  const written: string[] = []
  const end = await readFirstTable(
    bytes,
    limit,
    async (lines) => void written.push(lines),
  )
  const rows = written
    .join('')
    .split('\n')
    .filter((line) => line !== '')
  return { rows: rows.map((line) => JSON.parse(line).cells), ...end }
}

test('takes the first visible sheet with rows, and names the others', async () => {
  const sheets = book(
    ['Lists', 'hidden', sheet('a')],
    ['Codes', 'veryHidden', sheet('b')],
    ['Chart1', 'visible', null],
    ['Empty', 'visible', null],
    ['People', 'visible', sheet('Ana')],
    ['Later', 'visible', sheet('c')],
    ['Empty too', '', null],
  )
  expect(await firstTable(zipSync(sheets))).toEqual({
    rows: [['Ana']],
    isCut: false,
    notes: ['Read the sheet "People" only, not "Later"'],
  })
  await expect(
    firstTable(zipSync(book(['Lists', 'hidden', sheet('a')]))),
  ).rejects.toThrow('no rows in a visible sheet')
})

test('counts cells without a stored value', async () => {
  const rows =
    '<row><c t="e"><v>#REF!</v></c><c t="e"><v>#N/A</v></c><c><f>A1</f></c><c><v>1</v></c></row>'
  const bytes = xlsx({
    rows: `${rows}</sheetData><mergeCells><mergeCell ref="A1:B2"/></mergeCells><sheetData>`,
  })
  expect((await firstTable(bytes)).notes).toEqual([
    'Cells with errors such as #N/A are empty: A1 and 1 more',
    'Formulas without a stored value are empty: C1',
    'Only the first of merged cells has their value: A1:B2',
  ])
})

test('cuts a preview, and rejects more than the maximum of an import', async () => {
  const rows = '<row><c><v>1</v></c></row>'.repeat(1_000)
  const limit = { maxCharacters: 1_000, cuts: true }
  const { rows: first, isCut } = await firstTable(xlsx({ rows }), limit)
  expect([first.length < 100, isCut]).toEqual([true, true])
  await expect(firstTable(xlsx({ rows }), { ...limit, cuts: false })).rejects.toThrow(
    'exceeds 1000 characters',
  )
})

test('limits rows, cells and the length of a row', async () => {
  const long = `<row><c t="str"><v>${'x'.repeat(1_048_576)}</v></c></row>`
  await expect(firstTable(xlsx({ rows: long }))).rejects.toThrow('Row 1 exceeds 1048576')
  await expect(toRows(xlsx({ rows: '<row/>'.repeat(1_048_577) }))).rejects.toThrow(
    'exceeds 1048576 rows',
  )
  await expect(toRows(xlsx({ rows: '<row r="1048577"/>' }))).rejects.toThrow('rows')
  await expect(
    toRows(xlsx({ rows: '<row><c r="XFD1"><v>1</v></c></row>'.repeat(700) })),
  ).rejects.toThrow('exceeds 10000000 cells')
  await expect(
    toRows(xlsx({ rows: '<row><c r="XFE1"><v>1</v></c></row>' })),
  ).rejects.toThrow('beyond the last column')
})

test('rejects a sheet that is cut off, and one without its part', async () => {
  const parts = book(['A', 'visible', sheet('a').slice(0, 90)])
  await expect(firstTable(zipSync(parts))).rejects.toThrow('its end is missing')
  delete parts['xl/worksheets/sheet0.xml']
  await expect(firstTable(zipSync(parts))).rejects.toThrow('the sheet "A" is missing')
})

const compound = (text: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(text, 'utf16le')])
test.each<[string, Uint8Array, string]>([
  ['.xls', compound('Workbook'), 'Excel 97 to 2003'],
  ['an encrypted workbook', compound('EncryptedPackage'), 'protected by a password'],
  ['.xlsb', zipSync({ 'xl/workbook.bin': strToU8('x') }), '.xlsb'],
  ['.numbers', zipSync({ 'Index/Document.iwa': strToU8('x') }), 'Numbers'],
  ['a zip', zipSync({ 'a.csv': strToU8('x') }), 'no workbook'],
  [
    '.docx',
    zipSync({
      '_rels/.rels': relations(relation('r', 'officeDocument', 'word/document.xml')),
      'word/document.xml': strToU8('<w:document/>'),
    }),
    'no workbook',
  ],
  ['.odt', zipSync({ 'content.xml': strToU8('<office:text/>') }), 'no workbook'],
  ['a damaged zip', xlsx({ rows: '' }).slice(0, 200), 'damaged'],
])('rejects %s by its name', (_, bytes, reason) =>
  expect(openWorkbook(bytes)).rejects.toThrow(reason),
)

test('reads a strict workbook in UTF-16 with names in other places and cases', async () => {
  const strict = 'http://purl.oclc.org/ooxml/officeDocument/relationships'
  const utf16 = (xml: string) =>
    Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${xml}`, 'utf16le')
  const bytes = zipSync({
    '_rels/.rels': strToU8(
      `<Relationships>${relation('a', 'officeDocument', 'Book/Main.xml', strict)}</Relationships>`,
    ),
    'book/main.xml': utf16(
      `<x:workbook xmlns:x="urn:x" xmlns:q="${strict}"><x:sheets>` +
        '<x:sheet name="A" sheetId="3" q:id="s"/></x:sheets></x:workbook>',
    ),
    'Book/_rels/main.xml.rels': relations(
      relation('s', 'worksheet', '../DATA/S.XML', strict),
      relation('t', 'sharedStrings', 'Texts.xml', strict),
    ),
    'data/s.xml': utf16(
      '<x:worksheet xmlns:x="urn:x"><x:sheetData><x:row><x:c t="s"><x:v>0</x:v></x:c></x:row></x:sheetData></x:worksheet>',
    ),
    'book/texts.xml': utf16('<x:sst xmlns:x="urn:x"><x:si><x:t>Zoë</x:t></x:si></x:sst>'),
  })
  expect((await firstTable(bytes)).rows).toEqual([['Zoë']])
})

const ods = (content: string) =>
  zipSync({
    mimetype: strToU8('application/vnd.oasis.opendocument.spreadsheet'),
    'content.xml': strToU8(
      `<office:document-content>${content}</office:document-content>`,
    ),
  })

test('reads ODS', async () => {
  const cell = (type: string, attributes: string, text: string) =>
    `<table:table-cell office:value-type="${type}" ${attributes} calcext:value-type="${type}"><text:p>${text}</text:p></table:table-cell>`
  const cells =
    cell('string', '', 'A<text:s text:c="2"/>b<text:line-break/>c</text:p><text:p>d') +
    cell('float', 'office:value="1.5"', '1,50') +
    cell('percentage', 'office:value="0.5"', '50%') +
    cell('date', 'office:date-value="2026-03-05"', '05.03.26') +
    cell('date', 'office:date-value="2026-03-05T10:30:00"', '05.03.26 10:30') +
    cell('time', 'office:time-value="PT36H15M00S"', '36:15') +
    cell('boolean', 'office:boolean-value="true"', 'WAHR') +
    '<table:table-cell table:number-columns-repeated="2"/>' +
    '<table:table-cell table:formula="x" calcext:value-type="error" office:value-type="string"><text:p>#N/A</text:p></table:table-cell>' +
    '<table:table-cell office:value-type="string"><office:annotation><text:p>note</text:p></office:annotation><text:p>00123</text:p></table:table-cell>' +
    '<table:table-cell table:number-columns-repeated="16373"/>'
  const bytes = ods(
    '<office:automatic-styles><style:style style:name="ta2"><style:table-properties table:display="false"/></style:style></office:automatic-styles>' +
      '<office:body><office:spreadsheet><table:table table:name="Hidden" table:style-name="ta2"><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>' +
      `<table:table table:name="A" table:style-name="ta1"><table:table-row table:number-rows-repeated="2"><table:table-cell/></table:table-row><table:table-row table:number-rows-repeated="2">${cells}</table:table-row>` +
      '<table:table-row table:number-rows-repeated="1048572"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table></office:spreadsheet></office:body>',
  )
  const expected = [
    'A  b\nc\nd',
    1.5,
    0.5,
    '2026-03-05T00:00:00.000Z',
    '2026-03-05T10:30:00.000Z',
    '36:15',
    true,
    null,
    null,
    null,
    '00123',
  ]
  expect(await toRows(bytes)).toEqual([
    { number: 3, cells: expected },
    { number: 4, cells: expected },
  ])
  expect((await firstTable(bytes)).notes).toEqual([
    'Cells with errors such as #N/A are empty: J3',
  ])
})

test('reads codes, and raised, lowered and struck text of ODS', async () => {
  const number = (value: string, shown: string) =>
    `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${shown}</text:p></table:table-cell>`
  const style = (name: string, properties: string) =>
    `<style:style style:name="${name}"><style:text-properties ${properties}/></style:style>`
  const span = (name: string, text: string) =>
    `<text:span text:style-name="${name}">${text}</text:span>`
  const text = (content: string, name = '') =>
    `<table:table-cell office:value-type="string" table:style-name="${name}"><text:p>${content}</text:p></table:table-cell>`
  const bytes = ods(
    '<office:automatic-styles>' +
      style('T1', 'style:text-position="super 58%"') +
      style('T2', 'style:text-position="-33% 58%"') +
      style('T3', 'style:text-line-through-style="solid"') +
      style('ce1', 'style:text-line-through-style="solid"') +
      '</office:automatic-styles><office:body><office:spreadsheet><table:table table:name="A"><table:table-row>' +
      number('123', '00123') +
      number('12', 'A-0012') +
      number('0', '000') +
      number('1234.5', '01.234,50') +
      number('1234', '1.234') +
      text(`10${span('T1', '6')} H${span('T2', '2')}O ${span('T3', '99 €')} 79 €`) +
      text('old', 'ce1') +
      '</table:table-row></table:table></office:spreadsheet></office:body>',
  )
  const { rows, notes } = await firstTable(bytes)
  expect(rows).toEqual([
    ['00123', 'A-0012', '000', 1234.5, 1234, '10⁶ H₂O 99 € 79 €', 'old'],
  ])
  expect(notes).toEqual(['Struck-out values were imported like others: F1 and 1 more'])
  expect((await toRows(bytes, 'text'))[0]!.cells.slice(5)).toEqual([
    '10⁶ H₂O ~~99 €~~ 79 €',
    '~~old~~',
  ])
})

test('repeats merged cells in each row of a text', async () => {
  const rows =
    '<row><c t="str"><v>City</v></c><c t="str"><v>Day</v></c></row>' +
    '<row><c t="str"><v>Rome</v></c><c t="str"><v>Mo</v></c></row><row>' +
    '<c r="B3" t="str"><v>Tu</v></c></row>' +
    '<row><c r="B4" t="str"><v>We</v></c></row>' +
    `<row><c t="str"><v>${'x'.repeat(201)}</v></c></row><row><c r="B6" t="str"><v>Th</v></c></row>`
  const merged = ['A2:A3', 'A5:A6', 'A1:B1', 'XFE1:XFE3'].map(
    (ref) => `<mergeCell ref="${ref}"/>`,
  )
  const bytes = xlsx({
    rows: `${rows}</sheetData><mergeCells>${merged.join('')}</mergeCells><sheetData>`,
  })
  expect(
    (await toRows(bytes, 'text')).map(({ cells }) =>
      cells.map((cell) => String(cell).slice(0, 9)),
    ),
  ).toEqual([
    ['City', 'Day'],
    ['Rome', 'Mo'],
    ['Rome', 'Tu'],
    ['null', 'We'],
    ['xxxxxxxxx'],
    ['null', 'Th'],
  ])
  expect((await toRows(bytes))[2]!.cells).toEqual([null, 'Tu'])
})
