import { expect, test } from 'vitest'
import { pdfBlocks } from './pdf.ts'

interface Page {
  content: string
  /** Objects in /Annots. */
  annotations?: string[]
  rotate?: number
}

/** Fonts: F is Helvetica, J a Japanese font that is not in the file, X one without names of characters. */
const fonts = [
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  '<</Type/Font/Subtype/Type0/BaseFont/HeiseiMin-W3/Encoding/UniJIS-UCS2-H/DescendantFonts[<</Type/Font' +
    '/Subtype/CIDFontType0/BaseFont/HeiseiMin-W3/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)' +
    '/Supplement 2>>/FontDescriptor<</Type/FontDescriptor/FontName/HeiseiMin-W3/Flags 6/FontBBox[0 0 1 1]' +
    '/ItalicAngle 0/Ascent 1/Descent 0/StemV 1>>>>]>>',
  '<</Type/Font/Subtype/Type0/BaseFont/Own/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype' +
    '/CIDFontType2/BaseFont/Own/CIDSystemInfo<</Registry(Own)/Ordering(Own)/Supplement 0>>>>]>>',
]

function pdf(pages: Page[]): Uint8Array {
  const first = 3 + fonts.length
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]/DR<<>>>>>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, n) => `${first + n * 2} 0 R`).join(' ')}]>>`,
    ...fonts,
    ...pages.flatMap(({ content, annotations = [], rotate = 0 }, n) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Rotate ${rotate}/Contents ${first + n * 2 + 1} 0 R` +
        `/Annots[${annotations.join('')}]/Resources<</Font<</F 3 0 R/J 4 0 R/X 5 0 R>>>>>>`,
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
    ]),
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((one, n) => {
    const place = text.length
    text += `${n + 1} 0 obj${one}endobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  text += `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}trailer<</Root 1 0 R/Size ${size}>>`
  return new TextEncoder().encode(
    `${text}\nstartxref\n${text.lastIndexOf('xref\n0')}\n%%EOF`,
  )
}

const write = (left: number, top: number, text: string, font = 'F') =>
  `BT /${font} 10 Tf ${left} ${top} Td ${text.startsWith('<') ? text : `(${text})`} Tj ET `
const widget = (rect: string, more: string) =>
  `<</Type/Annot/Subtype/Widget/Rect[${rect}]/F 4${more}>>`

async function texts(...pages: Page[]): Promise<string[]> {
  const found: string[] = []
  for await (const { text } of pdfBlocks(pdf(pages))) found.push(text)
  return found
}

test('reads Japanese in a font that is not in the file', async () =>
  expect(await texts({ content: write(50, 700, '<8FD454C1306F53EF80FD>', 'J') })).toEqual(
    ['返品は可能'],
  ))

test('reads values of fields beside their labels, and text boxes', async () => {
  const content =
    write(50, 700, 'Number:') +
    write(300, 700, 'Country:') +
    write(50, 650, 'Agreed') +
    write(50, 600, 'End')
  const annotations = [
    widget('100 695 200 715', '/FT/Tx/T(a)/V(PX-7731-B)'),
    widget(
      '350 695 450 715',
      '/FT/Ch/Ff 131072/T(b)/V(no)/Opt[[(no)(Norway)][(se)(Sweden)]]',
    ),
    widget('100 645 110 660', '/FT/Btn/T(c)/V/Yes/AS/Yes/AP<</N<</Yes null/Off null>>>>'),
    widget('400 645 500 660', '/FT/Tx/Ff 8192/T(d)/V(secret)'),
    '<</Type/Annot/Subtype/FreeText/Rect[50 500 200 520]/DA(/F 10 Tf)/Contents(Paid on Monday)>>',
    '<</Type/Annot/Subtype/Text/Rect[50 400 60 410]/Contents(internal note)>>',
    '<</Type/Annot/Subtype/FreeText/F 2/Rect[50 450 200 470]/DA(/F 10 Tf)/Contents(hidden)>>',
  ]
  const [...found] = await texts({ content, annotations })
  expect(found).toEqual([
    'Number: PX-7731-B Country: Norway',
    'Agreed ☑',
    'End',
    'Paid on Monday',
  ])
})

test('reads a form without other text', async () =>
  expect(
    await texts({
      content: '',
      annotations: [widget('1 1 90 20', '/FT/Tx/T(a)/V(only value)')],
    }),
  ).toEqual(['only value']))

test('reads text along the side of a turned page', async () => {
  const turned = (left: number, text: string) =>
    `BT /F 10 Tf 0 1 -1 0 ${left} 100 Tm (${text}) Tj 60 0 Td (${text}) Tj ET `
  expect(
    await texts({ content: turned(300, 'one') + turned(312, 'two'), rotate: 90 }),
  ).toEqual(['one one two two'])
})

test('joins parts of codes, and lines without spaces', async () =>
  expect(
    await texts(
      {
        content:
          write(50, 700, 'Order AB-') +
          write(50, 688, '1234 or hy-') +
          write(50, 676, 'phen'),
      },
      { content: write(50, 700, '<8FD454C1>', 'J') + write(50, 688, '<306F53EF>', 'J') },
    ),
  ).toEqual(['Order AB-1234 or hyphen', '返品は可']))

test.each<[string, Page, RegExp]>([
  ['scans', { content: '0 0 100 100 re f' }, /has no text: pages that are images.*OCR/],
  [
    'text in unknown characters',
    { content: write(50, 700, '<00010002>', 'X') },
    /fonts do not tell/,
  ],
  [
    'text whose characters are the numbers of drawings',
    { content: write(50, 700, '<2A3434362603411A41>', 'X') },
    /fonts do not tell/,
  ],
])('explains why it does not read %s', (_, page, reason) =>
  expect(texts(page)).rejects.toThrow(reason),
)

test('writes raised and lowered numbers as such', async () => {
  const content =
    'BT /F 12 Tf 50 700 Td (Area 10) Tj /F 7 Tf 4 Ts (6) Tj /F 12 Tf 0 Ts ( m) Tj /F 7 Tf 4 Ts (2) Tj ' +
    '/F 12 Tf 0 Ts (, CO) Tj /F 7 Tf -2 Ts (2) Tj /F 12 Tf 0 Ts ( 1) Tj /F 7 Tf 4 Ts (st) Tj ET ' +
    // A smaller text in another column.
    'BT /F 12 Tf 50 650 Td (Year) Tj ET BT /F 8 Tf 300 653 Td (2026) Tj ET'
  const [first, ...others] = await texts({ content })
  expect(first).toBe('Area 10⁶ m², CO₂ 1st')
  expect(others.join(' ')).toContain('2026')
})

test('reads text with a few symbols of unknown characters', async () => {
  const content = write(50, 700, '<F0B7>', 'X') + write(60, 700, ' Price list of spring')
  expect((await texts({ content })).join()).toContain('Price list of spring')
})
