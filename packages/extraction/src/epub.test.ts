import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import type { Block } from './blocks.ts'
import { epubBlocks } from './epub.ts'

const container =
  '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
const opf = `<package><manifest>
  <item id="b" href="text/second%20part.xhtml" media-type="application/xhtml+xml"/>
  <item id="a" href="text/first.xhtml" media-type="application/xhtml+xml"/>
  <item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
  <item id="p" href="cover.png" media-type="image/png"/></manifest>
  <spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>`
const page = (title: string, text: string) =>
  `<?xml version="1.0" encoding="utf-8"?><html><body><h1>${title}</h1><p>${text}</p></body></html>`
const book = {
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': container,
  'OEBPS/book.opf': opf,
  'OEBPS/nav.xhtml': page('Contents', 'first, second'),
  'OEBPS/text/first.xhtml': page('One', 'It begins in Übersee.'),
  'OEBPS/text/second part.xhtml': page('Two', 'It ends.'),
}

async function read(parts: Record<string, string>) {
  const entries = Object.entries(parts).map(
    ([path, text]) => [path, strToU8(text)] as const,
  )
  const blocks: Block[] = []
  for await (const block of epubBlocks(zipSync(Object.fromEntries(entries))))
    blocks.push(block)
  return blocks.map(({ kind, text }) => [kind, text])
}

test('reads the documents of a book in the order of its spine, without the table of contents', async () => {
  expect(await read(book)).toEqual([
    ['heading', 'One'],
    ['paragraph', 'It begins in Übersee.'],
    ['heading', 'Two'],
    ['paragraph', 'It ends.'],
  ])
})

test('names the cause for a book that is protected, incomplete, or no book', async () => {
  const protection =
    '<encryption><CipherReference URI="OEBPS/text/first.xhtml"/></encryption>'
  await expect(read({ ...book, 'META-INF/encryption.xml': protection })).rejects.toThrow(
    /protected/,
  )
  const { 'OEBPS/text/first.xhtml': _, ...incomplete } = book
  await expect(read(incomplete)).rejects.toThrow('"OEBPS/text/first.xhtml" is missing')
  await expect(read({ 'a.txt': 'a' })).rejects.toThrow(/no book/)
})

test('reads a book with obfuscated fonts', async () => {
  const fonts = '<encryption><CipherReference URI="OEBPS/fonts/a.otf"/></encryption>'
  expect(await read({ ...book, 'META-INF/encryption.xml': fonts })).toHaveLength(4)
})
