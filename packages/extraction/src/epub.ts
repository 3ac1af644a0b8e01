// Books (EPUB 3.3 and 2): the documents of the spine in their order. Encrypted books are refused.
import { type Block, UnreadableFile } from './blocks.ts'
import { htmlBlocks } from './html/html.ts'
import { resolvePath } from './office/office-package.ts'
import { readXml } from './office/office-xml.ts'
import { openZip, type ZipArchive } from './office/zip-archive.ts'
import { decodeText } from './text/decoding.ts'

/** Throws UnreadableFile. */
export async function* epubBlocks(bytes: Uint8Array): AsyncGenerator<Block> {
  const zip = await openZip(bytes)
  if (await hasEncryptedText(zip))
    throw new UnreadableFile(
      'The book is protected against copying: its text cannot be read',
    )
  const paths = await readSpine(zip)
  const missing = paths.find((path) => !zip.has(path))
  if (missing !== undefined)
    throw new UnreadableFile(`The book is damaged: "${missing}" is missing`)
  for (const path of paths) yield* htmlBlocks(await readText(zip, path))
}

/** Paths of the documents of the book, without its table of contents. */
async function readSpine(zip: ZipArchive): Promise<string[]> {
  const main = await readMain(zip)
  const documents = new Map<string, string>()
  const order: string[] = []
  readXml(await readText(zip, main), {
    open(
      tag,
      { id = '', href = '', properties = '', 'media-type': type = '', idref = '' },
    ) {
      const isText = /xhtml|html/.test(type) && !/(?:^|\s)nav(?:\s|$)/.test(properties)
      if (tag === 'item' && isText) documents.set(id, resolvePath(main, href))
      else if (tag === 'itemref') order.push(idref)
    },
  })
  const spine = order.flatMap((id) => documents.get(id) ?? [])
  return spine.length > 0 ? spine : [...documents.values()]
}

/** Returns the path of the package document. */
async function readMain(zip: ZipArchive): Promise<string> {
  let main: string | undefined
  readXml(await readText(zip, 'META-INF/container.xml'), {
    open(tag, attributes) {
      if (tag === 'rootfile') main ??= attributes['full-path']
    },
  })
  const found = main ?? zip.paths.find((path) => path.endsWith('.opf'))
  if (found === undefined || !zip.has(found))
    throw new UnreadableFile('The file is no book: it has no package document')
  return found
}

/** Encrypted fonts are no obstacle. */
async function hasEncryptedText(zip: ZipArchive): Promise<boolean> {
  let isEncrypted = false
  readXml(await readText(zip, 'META-INF/encryption.xml'), {
    open(tag, { URI = '' }) {
      if (tag === 'CipherReference' && /\.x?html?$/i.test(URI)) isEncrypted = true
    },
  })
  return isEncrypted
}

async function readText(zip: ZipArchive, path: string): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of zip.read(path)) pieces.push(piece)
  return decodeText(Buffer.concat(pieces), { isMarkup: true })
}
