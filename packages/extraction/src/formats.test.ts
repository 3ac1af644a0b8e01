import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { detectFormat, type Format } from './formats.ts'
import { storable, toPassages } from './passages.ts'
import { readBlocks } from './readers.ts'
import { detectLanguage } from './text/language.ts'
import { searchableText, searchWords } from './text/searchable-text.ts'

const zipped = (parts: Record<string, string>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, text]) => [name, strToU8(text)]),
    ),
  )

async function passages(
  format: Format,
  content: string | Uint8Array,
  cutting: { min?: number; max?: number } = {},
) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const found = []
  for await (const one of toPassages(
    storable(await readBlocks(format, bytes, { cleanUp: true })),
    {
      title: 'T',
      min: 1,
      ...cutting,
    },
  ))
    found.push(one)
  return found.map(({ subtype, content, headings, page }) => [
    subtype,
    content,
    headings,
    ...(page === undefined ? [] : [page]),
  ])
}

const docx = zipped({
  'word/document.xml': `<w:document xmlns:w="w"><w:body>
    <w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:r><w:t>Handbook</w:t></w:r></w:p>
    <w:p><w:r><w:t>Works on </w:t></w:r><w:r><w:t>Mondays &amp; Fridays.</w:t></w:r>
      <w:del><w:r><w:delText>never</w:delText></w:r></w:del></w:p>
    <w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>one</w:t></w:r></w:p>
    <w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>two</w:t></w:r></w:p>
    <w:tbl><w:tr><w:tc><w:p><w:r><w:t>Name</w:t></w:r></w:p></w:tc>
      <w:tc><w:p><w:r><w:t>Age</w:t></w:r></w:p></w:tc></w:tr>
    <w:tr><w:tc><w:p><w:r><w:t>Ann</w:t></w:r></w:p></w:tc>
      <w:tc><w:p><w:r><w:t>7</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>`,
  'word/styles.xml':
    '<w:styles xmlns:w="w"><w:style w:styleId="H"><w:name w:val="heading 1"/></w:style></w:styles>',
})
const xlsx = zipped({
  'xl/workbook.xml':
    '<workbook><sheets><sheet name="Prices" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
  'xl/sharedStrings.xml':
    '<sst><si><t>Item</t></si><si><r><t>Ap</t></r><r><t>ple</t></r></si></sst>',
  'xl/worksheets/sheet1.xml':
    '<worksheet><sheetData>' +
    '<row><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Price</t></is></c></row>' +
    '<row><c r="A2" t="s"><v>1</v></c><c r="C2"><v>1.5</v></c></row>' +
    '</sheetData></worksheet>',
})
const slide = (title: string, text: string) =>
  '<p:sld><p:sp><p:nvPr><p:ph type="title"/></p:nvPr>' +
  `<a:p><a:r><a:t>${title}</a:t></a:r></a:p></p:sp>` +
  `<p:sp><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sp></p:sld>`
const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/${type}" Target="${target}"/>`
const pptx = zipped({
  '_rels/.rels': `<Relationships>${relation('a', 'officeDocument', '/ppt/presentation.xml')}</Relationships>`,
  'ppt/presentation.xml':
    '<p:presentation xmlns:x="http://purl.oclc.org/ooxml/officeDocument/relationships"><p:sldIdLst>' +
    '<p:sldId id="256" x:id="b"/><p:sldId id="257" x:id="c"/></p:sldIdLst></p:presentation>',
  'ppt/_rels/presentation.xml.rels':
    `<Relationships>${relation('c', 'slide', 'slides/Slide10.xml')}` +
    `${relation('b', 'slide', 'slides/slide2.xml')}</Relationships>`,
  'ppt/slides/_rels/slide2.xml.rels':
    '<Relationships>' +
    relation('a', 'notesSlide', '../notesSlides/notesSlide1.xml') +
    '</Relationships>',
  'ppt/slides/slide10.xml': slide('Last', 'Bye'),
  'ppt/slides/slide2.xml': slide('First', 'Hi'),
  'ppt/notesSlides/notesSlide1.xml':
    '<p:notes><p:sp><a:p><a:r><a:t>Smile</a:t></a:r></a:p></p:sp></p:notes>',
})

/** Returns a minimal PDF with one font and the text of each page. */
function pdf(...pages: string[]): Uint8Array {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, n) => `${4 + n * 2} 0 R`).join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...pages.flatMap((text, n) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${5 + n * 2} 0 R/Resources<</Font<</F ` +
        '3 0 R>>>>>>',
      `<</Length ${text.length}>>stream\n${text}\nendstream`,
    ]),
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((one, n) => {
    const place = text.length
    text += `${n + 1} 0 obj${one}endobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table =
    `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}trailer<</Root 1 0 R/Size ` +
    `${size}>>\nstartxref\n${text.length}\n%%EOF`
  return new TextEncoder().encode(text + table)
}
const write = (size: number, top: number, text: string) =>
  `BT /F ${size} Tf 50 ${top} Td (${text}) Tj ET `

test.each<[Format, string, string | Uint8Array, unknown[]]>([
  [
    'markdown',
    'headings, and what stands under them',
    '---\ntitle: x\n---\n# A\n\none **bold** [link](http://x)\n\n## B\n### C\n* l1\n* l2\n\n```js\n# ' +
      'no heading\n```\n# D\n> quote\n\n|a|b|\n|-|-|\n|1|2|\n',
    [
      ['paragraph', 'x\nA\none bold link', []],
      ['list', 'B\nC\n- l1\n- l2', ['x', 'A']],
      ['code', '# no heading', ['x', 'A', 'B', 'C']],
      ['blockquote', 'D\nquote', ['x']],
      ['table', 'a: 1 | b: 2', ['x', 'D']],
    ],
  ],
  [
    'markdown',
    'headings that are underlined, and those with nothing under them',
    'One\n===\n\nTwo\n---\n\nThree\n---\n',
    [
      ['title', 'One\nTwo', []],
      ['subtitle', 'Three', ['One']],
    ],
  ],
  [
    'html',
    'text without scripts',
    '<title>Site</title><nav>menu</nav><h1>Hi &amp; bye</h1><p>one<b> two</b><script>evil()</script><ul><li>a<li>b</ul><table><tr><th>x<th>y<tr><td>1<td>2</table><pre>a\n  b</pre>',
    [
      ['paragraph', 'Site\nHi & bye\none two', []],
      ['list', '- a\n- b', ['Site', 'Hi & bye']],
      ['table', 'x: 1 | y: 2', ['Site', 'Hi & bye']],
      ['code', 'a\n  b', ['Site', 'Hi & bye']],
    ],
  ],
  [
    'text',
    'paragraphs',
    'one\ntwo\n\n\r\nthree',
    [
      ['paragraph', 'one\ntwo', []],
      ['paragraph', 'three', []],
    ],
  ],
  [
    'text',
    'of Windows',
    new Uint8Array([0x47, 0x72, 0xfc, 0xdf, 0x65]),
    [['paragraph', 'Grüße', []]],
  ],
  [
    'text',
    'with a mark',
    new Uint8Array([0xff, 0xfe, 0x41, 0, 0xdf, 0]),
    [['paragraph', 'Aß', []]],
  ],
  ['text', 'with what cannot be kept', 'a\0b', [['paragraph', 'ab', []]]],
  [
    'csv',
    'quotes, and line breaks within',
    'a,b\r\n"x, ""y""\nz",2\r\n',
    [['table', 'a: x, "y" z | b: 2', []]],
  ],
  ['csv', 'semicolons', '\ufeffa;b\n1;2\n;', [['table', 'a: 1 | b: 2', []]]],
  ['csv', 'an unclosed quote', 'a,b\n"1,2', [['table', 'a: 1,2', []]]],
  [
    'csv',
    'text after a quote, and old ends of lines',
    '"x,y";b\r"1"2;3',
    [['table', 'x,y: 12 | b: 3', []]],
  ],
  ['csv', 'nothing but names', 'a,b', [['table', 'a | b', []]]],
  [
    'docx',
    'styles, lists and tables',
    docx,
    [
      ['paragraph', 'Handbook\nWorks on Mondays & Fridays.', []],
      ['list', '- one\n- two', ['Handbook']],
      ['table', 'Name: Ann | Age: 7', ['Handbook']],
    ],
  ],
  ['xlsx', 'sheets', xlsx, [['table', 'Prices\nItem: Apple | Price: 1.5', []]]],
  [
    'pptx',
    'slides in their order, with notes',
    pptx,
    [
      ['paragraph', 'First\nHi', [], 1],
      ['paragraph', 'Smile', ['First'], 1],
      ['paragraph', 'Last\nBye', [], 2],
    ],
  ],
  [
    'pdf',
    'headings by their size, on pages',
    pdf(
      write(24, 700, 'Guide') +
        write(10, 650, 'It begins here and goes on to the next line, which is hy-') +
        write(10, 638, 'phenated.'),
      write(10, 700, 'Page two.'),
    ),
    [
      [
        'paragraph',
        'Guide\nIt begins here and goes on to the next line, which is hyphenated.',
        [],
        1,
      ],
      ['paragraph', 'Page two.', ['Guide'], 2],
    ],
  ],
])('%s: %s', async (format, _, content, expected) =>
  expect(await passages(format, content)).toEqual(expected),
)

test.each<[Format, string | Uint8Array]>([
  ['pdf', 'no PDF'],
  ['pdf', pdf('')],
  ['docx', 'no zip'],
  ['xlsx', zipSync({ 'xl/workbook.xml': strToU8('x') }).slice(0, 40)],
])('rejects unreadable %s with a reason', (format, content) =>
  expect(passages(format, content)).rejects.toThrow(
    /^The (?:PDF|document) (?:is damaged|has no text)/,
  ),
)

test('names a hidden sheet of a workbook whose visible sheets have no text', () => {
  const ods = zipped({
    'content.xml':
      '<o:c><s:style s:name="h"><s:table-properties t:display="false"/></s:style><o:spreadsheet>' +
      '<t:table t:name="Visible"/><t:table t:name="Prices" t:style-name="h"><t:table-row><t:table-cell>' +
      '<x:p>Loaf</x:p></t:table-cell></t:table-row></t:table></o:spreadsheet></o:c>',
  })
  return expect(passages('ods', ods)).rejects.toThrow(
    'Only hidden sheets have text, such as "Prices"',
  )
})

test('rejects more text than the maximum', () =>
  expect(passages('markdown', '# a\n'.repeat(20_001))).rejects.toThrow(
    'too much text to index',
  ))

test('splits text into passages of bounded length without loss', async () => {
  const sentences = Array.from(
    { length: 60 },
    (_, n) => `Sentence number ${n} says something.`,
  )
  const long = await passages('text', sentences.join(' '), { max: 300 })
  expect(
    Math.max(...long.map(([, content]) => (content as string).length)),
  ).toBeLessThanOrEqual(300)
  expect(long.map(([, content]) => content).join(' ')).toBe(sentences.join(' '))
  expect(
    await passages('text', sentences.slice(0, 6).join('\n\n'), { min: 100 }),
  ).toHaveLength(2)
  expect(
    (await passages('text', '😀'.repeat(500), { max: 101 })).every(([, content]) =>
      (content as string).isWellFormed(),
    ),
  ).toBe(true)
})

describe('passages', () => {
  const contents = async (...given: Parameters<typeof passages>) =>
    (await passages(...given)).map(([, content]) => content as string)

  test('are the rows of a table, with the names of their columns', async () => {
    const table =
      '# Prices\n\n| Article | Size | Price |\n|---|---|---|\n| Stone | 38 cm | 24.90 € |\n| Pin | | 12 € |'
    expect(await contents('markdown', table)).toEqual([
      'Prices\nArticle: Stone | Size: 38 cm | Price: 24.90 €',
      'Article: Pin | Price: 12 €',
    ])
  })

  test('are rows alone without names of columns', async () => {
    expect(await contents('csv', 'Monday,9:00-18:00\nTuesday,9:00-12:00\n')).toEqual([
      'Monday | 9:00-18:00',
      'Tuesday | 9:00-12:00',
    ])
  })

  test('share passages in a large table, below its header', async () => {
    const rows = await contents('csv', `name,age\n${'Ann,7\n'.repeat(2_150)}`, {
      max: 100,
    })
    expect(rows.slice(0, 2_000).every((one) => one === 'name: Ann | age: 7')).toBe(true)
    const rest = rows.slice(2_000)
    expect(rest.length).toBeLessThan(20)
    expect(rest.every((one) => one.startsWith('name | age\nAnn | 7'))).toBe(true)
    expect(rest.flatMap((one) => one.split('\n').slice(1))).toHaveLength(150)
  })

  test('have a question with its answer', async () => {
    const text =
      'Intro.\n\nDo you deliver?\n\nYes, within a day.\n\nCan I pay by card?\n\nOf course.'
    expect(await contents('text', text)).toEqual([
      'Intro.',
      'Do you deliver?\n\nYes, within a day.',
      'Can I pay by card?\n\nOf course.',
    ])
    const lines = 'Do you deliver?\nYes, within a day.\nCan I pay by card?\nOf course.'
    expect(await contents('text', lines)).toEqual([
      'Do you deliver?\nYes, within a day.',
      'Can I pay by card?\nOf course.',
    ])
    expect(await contents('text', 'Why wait? Order now.\nAre you in?')).toHaveLength(1)
  })

  test('have a list with its introduction, also in each part of a long one', async () => {
    const items = Array.from({ length: 30 }, (_, n) => `- item number ${n}`).join('\n')
    const parts = await contents('markdown', `Some text.\n\nPlease bring:\n\n${items}`, {
      max: 300,
    })
    expect(parts[0]).toBe('Some text.')
    expect(parts.slice(1).every((part) => part.startsWith('Please bring:\n- item'))).toBe(
      true,
    )
    expect(parts.join('\n').match(/item number/g)).toHaveLength(30)
  })
})

test.each([
  ['朝食は何時ですか', ['朝食', '何時']],
  ['ですか', ['です']],
  ['E-4021 とは', ['e', '4021']],
])('searches the words of "%s" without particles', (query, words) =>
  expect(searchWords(query).flatMap(({ parts }) => parts)).toEqual(
    expect.arrayContaining(words),
  ),
)

test.each([
  ['application/pdf', 'a', 'pdf'],
  ['text/plain', 'a.md', 'markdown'],
  ['application/octet-stream', 'x/a.DOCX', 'docx'],
  ['text/x-rst', 'a', 'text'],
  ['image/png', 'a.txt', null],
  ['application/vnd.oasis.opendocument.text', 'a', 'odt'],
  ['application/octet-stream', 'a.EML', 'eml'],
  ['application/octet-stream', 'a.constructor', null],
  ['constructor', 'a', null],
])('reads %s named %s as %s', (type, name, format) =>
  expect(detectFormat(type, name)).toBe(format),
)

test.each([
  ['Die Straße ist für den Verkehr gesperrt, und das wird auch so bleiben.', 'german'],
  ['The road is closed to traffic and it will stay that way.', 'english'],
  [
    'La route est fermée à la circulation et elle le restera pour les mois qui viennent.',
    'french',
  ],
  [
    'La carretera está cerrada al tráfico y así seguirá por los meses que vienen.',
    'spanish',
  ],
  ['Дорога закрыта для движения', 'russian'],
  ['道は閉鎖されています', 'simple'],
  ['x1 y2', 'simple'],
  ['Article | Price\nBaking stone | 24.90 €\nRolling pin | 12.50 €', 'english'],
  ['Öffnungszeiten Montag bis Freitag 9–18 Uhr', 'german'],
  ['¿Cuánto cuesta el envío?', 'spanish'],
  ['When are you open?', 'english'],
])('%s is %s', async (text, language) =>
  expect(await detectLanguage(text)).toBe(language),
)

test.each([
  ['Crème brûlée', 'creme brulee'],
  ['createMessage(file_id)', 'createmessage create message file id fileid'],
  ['東京都', '東京 京都'],
  ['サーバー ｻｰﾊﾞｰ', 'サー ーバ バー サー ーバ バー'],
  ['서울에 값은', '서울 울에 값은 값'],
  ['ສະບາຍ', 'ສະ ະບ ບາ າຍ'],
  ['Straße don’t', 'strasse don t'],
  ['Ärger-Ω', 'arger ω argerω'],
  ['كِتَابٌ كـتاب שָׁלוֹם', 'كتاب كتاب שלום'],
  ['ещё Kranken\u00adhaus', 'еще krankenhaus'],
  ['٤٠٢١ ４０２１', '4021 4021 40214021'],
])('searches %s as "%s"', (text, words) => expect(searchableText(text)).toBe(words))

test.each([
  ['E-4021', ['E4021', 'e-4021', 'E 4021', 'e 4021', 'E_4021', 'E/4021', 'E–4021']],
  ['12.345.678', ['12345678', '12 345 678', '12,345,678', "12'345'678"]],
  ['AB-1234-X', ['AB1234X', 'AB-1234X', 'AB.1234.X', 'AB 1234-X']],
  ['ISO 9001:2015', ['ISO9001', 'iso 9001', 'ISO 9001', 'ISO-9001']],
  ['a.b/c_d1', ['abcd1', 'a-b-c-d1']],
  ['DE89 3704 0044 0532 0130 00', ['DE89370400440532013000']],
  ['v1.82.0', ['1.82.0', 'V 1.82.0', 'v1820']],
  ['wi-fi', ['wifi', 'Wi-Fi', 'wi fi']],
  [
    'info@acme-shop.example',
    ['acmeshop.example', 'acme-shop.example', 'INFO@ACME-SHOP.EXAMPLE'],
  ],
])('finds the code %s by other spellings, and they find it', (code, spellings) => {
  for (const spelling of spellings) {
    expect([spelling, findsAll(spelling, code)]).toEqual([spelling, true])
    expect([spelling, findsAll(code, spelling) || spelling.length < code.length]).toEqual(
      [spelling, true],
    )
  }
  expect(findsAll(code, 'Clean the housing weekly, from 9 to 5.')).toBe(false)
})

/** Whether a text has each word of a search: the parts of a code, or their joined spelling. */
function findsAll(query: string, text: string): boolean {
  const words = new Set(searchableText(text).split(' '))
  return searchWords(query).every(
    ({ parts, joined }) =>
      parts.every((part) => words.has(part)) || (joined !== null && words.has(joined)),
  )
}
