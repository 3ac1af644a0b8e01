import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { decodeWindows1252 } from '../text/windows-1252.ts'
import { openPackage } from './office-package.ts'
import { readXml } from './office-xml.ts'

const relations = (...targets: string[]) =>
  strToU8(
    `<p:Relationships xmlns:p="http://schemas.openxmlformats.org/package/2006/relationships">${targets
      .map((target, at) => {
        const kind = at === 0 ? 'officeDocument' : 'worksheet'
        return `<p:Relationship Id="r${at}" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/${kind}" Target="${target}"/>`
      })
      .join('')}</p:Relationships>`,
  )

test('finds parts by relationships, in any case, with slashes and backslashes', async () => {
  const document = await openPackage(
    zipSync({
      '_RELS/.rels': relations('/Book/Main.xml'),
      'book\\main.xml': strToU8('<main/>'),
      'Book/_rels/Main.XML.rels': relations(
        'other.xml',
        '../Sheets/One%20two.xml',
        '/a.xml',
      ),
      'sheets/one two.xml': Buffer.from('\ufeff<one/>é', 'utf16le'),
    }),
  )
  expect(document.main).toBe('Book/Main.xml')
  expect(await document.text(document.main)).toBe('<main/>')
  expect(await document.relations(document.main)).toEqual([
    { id: 'r0', type: 'officeDocument', target: 'Book/other.xml', isExternal: false },
    { id: 'r1', type: 'worksheet', target: 'Sheets/One two.xml', isExternal: false },
    { id: 'r2', type: 'worksheet', target: 'a.xml', isExternal: false },
  ])
  expect(await document.text('Sheets/One two.xml')).toBe('<one/>é')
  expect([document.has('a.xml'), await document.text('a.xml')]).toEqual([false, ''])
})

test('opens packages without a relationship to their main part', async () => {
  const { main } = await openPackage(
    zipSync({ 'Word/Document.xml': strToU8('<document/>') }),
  )
  expect(main).toBe('word/document.xml')
})

test.each<[string, Uint8Array]>([
  ['no zip', strToU8('PK but not a zip')],
  ['another zip', zipSync({ 'readme.txt': strToU8('a') })],
])('rejects %s', (_, bytes) =>
  expect(openPackage(bytes)).rejects.toThrow('The document is damaged'),
)

test('rejects changed content and bytes that are not UTF-8', async () => {
  const bytes = zipSync({ 'xl/workbook.xml': [strToU8('<workbook/>'), { level: 0 }] })
  bytes[Buffer.from(bytes).indexOf('<workbook') + 1] = 0x57
  await expect((await openPackage(bytes)).text('xl/workbook.xml')).rejects.toThrow(
    'damaged',
  )
  const latin = await openPackage(
    zipSync({ 'xl/workbook.xml': Uint8Array.of(0x3c, 0xe9) }),
  )
  await expect(latin.text('xl/workbook.xml')).rejects.toThrow('is not UTF-8')
})

test('reports attributes of relationships by any prefix, beside others of the same name', () => {
  const found: object[] = []
  readXml(
    '<a:list xmlns:q="http://x/relationships"><a:one id="256" q:id="rId2" b:val="1"/></a:list>',
    {
      open: (tag, attributes) => void (tag === 'one' && found.push(attributes)),
    },
  )
  expect(found).toEqual([{ id: '256', 'r:id': 'rId2', val: '1' }])
})

test('decodes windows-1252', () => {
  expect(decodeWindows1252(Uint8Array.of(0x80, 0x41, 0x92, 0x96, 0x9f, 0xa0, 0xfc))).toBe(
    '€A’–Ÿ\u00a0ü',
  )
})
