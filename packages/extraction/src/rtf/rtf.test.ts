import { expect, test } from 'vitest'
import { rtfBlocks } from './rtf.ts'

const read = (body: string, head = '') =>
  rtfBlocks(Buffer.from(`{\\rtf1\\ansi\\ansicpg1252${head}${body}}`, 'latin1'))
const texts = (...document: Parameters<typeof read>) =>
  read(...document).map(({ text }) => text)

test('reads paragraphs, characters and escapes', () => {
  const body =
    "Caf\\'e9 \\u8217\\'92s \\{open\\} 9\\endash 17\\~h\\par\\pard Second\\line line\\tab end\\par"
  expect(texts(body)).toEqual(['Café ’s {open} 9–17 h', 'Second\nline end'])
})

test.each([
  ['by level of the outline', '{\\pard\\outlinelevel1 Hours\\par}', ''],
  [
    'by style',
    '\\pard\\s2 Hours\\par',
    '{\\stylesheet{\\s0 Normal;}{\\s2\\b heading 2;}}',
  ],
  [
    'by the level of a style in another language',
    '\\pard\\s5 Hours\\par',
    '{\\stylesheet{\\s5\\outlinelevel1 Kapitel;}}',
  ],
])('reads headings %s', (_, body, head) => {
  expect(read(`${body}\\pard Daily\\par`, head)).toEqual([
    { kind: 'heading', level: 2, text: 'Hours' },
    { kind: 'paragraph', text: 'Daily' },
  ])
})

test('reads lists with their labels, and tables', () => {
  const item = (label: string, text: string) => `{\\listtext ${label}\\tab}${text}\\par`
  const row = (...cells: string[]) =>
    `\\trowd\\cellx1\\cellx2\\intbl ${cells.map((cell) => `${cell}\\cell `).join('')}\\row`
  const body =
    `${item('1.', 'Knead')}${item('2.', 'Bake')}{\\pard ${item("\\'b7", 'Enjoy')}}` +
    `${row('Article', 'Price')}${row('Loaf\\par large', "3 \\'80")}\\pard After\\par`
  expect(read(body)).toEqual([
    { kind: 'list', text: '1. Knead\n2. Bake\n- Enjoy' },
    { kind: 'table', header: 'Article | Price', text: 'Loaf large | 3 €' },
    { kind: 'paragraph', text: 'After' },
  ])
})

const fonts =
  '{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 MS Mincho;}' +
  '{\\f3\\fcharset2 Symbol;}}'

test('decodes text by the character set of its font, and by that of the document', () => {
  const body =
    "{\\f1 \\'cf\\'f0\\'e8\\'e2\\'e5\\'f2}, {\\f2 \\'93\\'fa\\'96\\'7b\\'8c\\'ea}, " +
    "{\\f3 a\\'b0}, {\\f0 \\'e9}"
  expect(texts(body, fonts)).toEqual(['Привет, 日本語, α°, é'])
  expect(
    rtfBlocks(Buffer.from("{\\rtf1\\ansi\\ansicpg1250 \\'e8esky}", 'latin1')).map(
      ({ text }) => text,
    ),
  ).toEqual(['česky'])
})

test('does not guess the characters of a code page that it cannot decode', () => {
  expect(texts('\\pca plain', '')).toEqual(['plain'])
  expect(() => texts("\\pca gr\\'81n", '')).toThrow('code page 850')
})

test('omits comments, pictures, codes of fields, deleted and hidden text', () => {
  const body =
    'One{\\*\\annotation comment}{\\pict 89504e47}{\\*\\shppict{\\pict 00ff}}' +
    '{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt  link}}{\\deleted gone}{\\v hidden}' +
    '{\\object\\objemb{\\*\\objdata 0105}{\\result  Two}}{\\bin4 {{{{}\\par'
  expect(texts(body)).toEqual(['One link Two'])
})

test('reads notes after their paragraph, text boxes, and headers at the end', () => {
  const body =
    '{\\header Bakery Hill\\par}Open daily{\\footnote except Mondays\\par}.\\par ' +
    '{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv 1}}{\\shptxt Boxed\\par}}{\\shprslt Boxed}}{\\footer \\chpgn\\par}'
  expect(texts(body)).toEqual([
    'Open daily.',
    'except Mondays',
    'Boxed',
    '',
    'Bakery Hill',
  ])
})

test('marks struck and raised text, and prefers text in Unicode', () => {
  const body =
    "Was {\\strike 10} 8, {m{\\super 2}}, {\\upr{\\'3f\\'3f}{\\*\\ud{\\u26085 ?\\u26412 ?}}}\\par"
  expect(texts(body)).toEqual(['Was ~~10~~ 8, m², 日本'])
})

test('reads a document that ends early, and rejects other files', () => {
  expect(rtfBlocks(Buffer.from('{\\rtf1 One {\\b two')).map(({ text }) => text)).toEqual([
    'One two',
  ])
  expect(() => rtfBlocks(Buffer.from('plain'))).toThrow(/no document/)
  expect(() => read('{'.repeat(2_000))).toThrow(/nests deeper/)
})
