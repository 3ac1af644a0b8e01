import { Readable } from 'node:stream'
import { strToU8, zipSync } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { type ExtractionRequest, openExtraction } from './extraction.ts'

const extraction = openExtraction({ memoryMb: 384, timeoutMs: 60_000 })
afterAll(() => extraction.close())

const take = (
  format: ExtractionRequest['format'],
  content: Uint8Array,
  by = extraction,
) =>
  by.extract(
    { format, size: content.length, title: 'T', configuration: null },
    Readable.from([content]),
  )
const good = async () =>
  (await take('text', strToU8('still there'))).passages.map(({ content }) => content)

test('extracts files one after the other', async () => {
  const { passages, language, words } = await take(
    'markdown',
    strToU8(
      '# The title\n\nThis is what it is about, and it is in the language of the English.',
    ),
  )
  expect([
    passages.length,
    language,
    words.includes('title'),
    words.includes('about'),
  ]).toEqual([1, 'english', true, true])
  expect(await good()).toEqual(['still there'])
})

/** Returns a document that declares this unpacked size. */
function document(xml: Uint8Array, size: number): Uint8Array {
  const zip = zipSync({ 'word/document.xml': xml })
  const view = new DataView(zip.buffer, zip.byteOffset)
  view.setUint32(view.getUint32(zip.length - 6, true) + 24, size, true)
  return zip
}
const zeros = new Uint8Array(5 * 1_048_576)

test.each<[string, ExtractionRequest['format'], () => Uint8Array, RegExp]>([
  [
    'unpacks to too much',
    'docx',
    () => document(zeros, 300 * 1_048_576),
    /unpacked bytes/,
  ],
  ['nests without end', 'html', () => strToU8('<div>'.repeat(2_000)), /nests deeper/],
  [
    'nests without end',
    'docx',
    () => zipSync({ 'word/document.xml': strToU8(`<w:p>${'<w:r>'.repeat(2_000)}`) }),
    /nests deeper/,
  ],
  ['is cut off', 'pdf', () => strToU8('%PDF-1.7\n1 0 obj<</Type'), /damaged/],
  ['is none', 'pdf', () => strToU8('no PDF'), /damaged/],
  ['has no text', 'html', () => strToU8('<div id="root"></div>'), /has no text/],
  ['is an image', 'docx', () => strToU8('GIF89a'), /image\/gif/],
  ['has another character set', 'text', () => new Uint8Array(200), /not text/],
])('rejects a file that %s, and reads the next', async (_, format, content, reason) => {
  await expect(take(format, content())).rejects.toThrow(reason)
  expect(await good()).toEqual(['still there'])
})

test('survives a file with a false size', async () => {
  await take('docx', document(zeros, 100)).catch(() => {})
  expect(await good()).toEqual(['still there'])
})

/** A small file that unpacks to a large one: each cell of a row repeats a long text. */
function swelling(): Uint8Array {
  const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(50)}</row>`
  return zipSync({
    'xl/workbook.xml': strToU8(
      '<workbook><sheets><sheet name="s" r:id="r"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships><Relationship Id="r" Target="worksheets/s.xml"/></Relationships>',
    ),
    'xl/sharedStrings.xml': strToU8(
      `<sst><si><t>${'a'.repeat(2_000_000)}</t></si></sst>`,
    ),
    'xl/worksheets/s.xml': strToU8(`<worksheet>${row.repeat(100)}</worksheet>`),
  })
}

test('ends only the process of a file that takes all memory or time', {
  timeout: 60_000,
}, async () => {
  // The process takes about 160 MB before it reads a file.
  const small = openExtraction({ memoryMb: 256 })
  await expect(take('xlsx', swelling(), small)).rejects.toThrow(
    'exceeds the memory limit',
  )
  expect((await take('text', strToU8('a'), small)).passages).toHaveLength(1)
  await small.close()
  const hasty = openExtraction({ timeoutMs: 1 })
  await expect(take('csv', strToU8('a,b\n'.repeat(100_000)), hasty)).rejects.toThrow(
    'takes longer',
  )
  await hasty.close()
})

test('does not blame the file when its content breaks off', async () => {
  const broken = Readable.from(
    (async function* () {
      yield strToU8('a')
      throw new Error('the disk is gone')
    })(),
  )
  await expect(
    extraction.extract(
      { format: 'text', size: 10, title: 'T', configuration: null },
      broken,
    ),
  ).rejects.toThrow('the disk is gone')
  expect(await good()).toEqual(['still there'])
})
