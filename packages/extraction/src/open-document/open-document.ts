// OpenDocument texts and presentations (1.3, part 3): become HTML, because its reader knows headings,
// lists and tables. Omits comments, and deleted and hidden text. Headers and footers follow at the end.
import { type Block, toMargins, UnreadableFile } from '../blocks.ts'
import { htmlBlocks } from '../html/html.ts'
import { toText } from '../office/office-package.ts'
import { readXml } from '../office/office-xml.ts'
import { openZip, type ZipArchive } from '../office/zip-archive.ts'
import { addStyles, type DocumentStyles } from './document-styles.ts'
import { OpenDocumentHtml } from './open-document-html.ts'

/** Throws UnreadableFile. */
export async function openDocumentBlocks(bytes: Uint8Array): Promise<Block[]> {
  const zip = await openZip(bytes)
  if (!zip.has('content.xml'))
    throw new UnreadableFile('The document is damaged: it has no content.xml')
  if ((await toText(zip, 'META-INF/manifest.xml')).includes('encryption-data'))
    throw new UnreadableFile(
      'The document is protected by a password: save it without one',
    )
  const content = await toText(zip, 'content.xml')
  const master = await toText(zip, 'styles.xml')
  const styles: DocumentStyles = { texts: new Map(), lists: new Map() }
  for (const xml of [master, content]) addStyles(xml, styles)
  const objects = await readObjects(zip, styles)
  const body = htmlBlocks(toHtml(content, styles, isBody, objects))
  return [...body, ...toMargins(htmlBlocks(toHtml(master, styles, isMargin)))]
}

const isBody = (tag: string) => tag === 'body'
const isMargin = (tag: string) => /^(?:header|footer)(?:-left|-first)?$/.test(tag)

/** Returns formulas, and the tables of charts and of embedded sheets, as HTML by their folder. */
async function readObjects(
  zip: ZipArchive,
  styles: DocumentStyles,
): Promise<Map<string, string>> {
  const objects = new Map<string, string>()
  for (const path of zip.paths) {
    const folder = /^(Object \d+)\/content\.xml$/.exec(path)?.[1]
    if (folder === undefined) continue
    const xml = await toText(zip, path)
    const formula = /<(math:)?math[\s>][\s\S]*<\/\1?math>/.exec(xml)
    objects.set(folder, formula ? toPlainFormula(formula) : toHtml(xml, styles, isBody))
  }
  return objects
}

/** Names of formulas may have a prefix. */
const toPlainFormula = ([formula, prefix]: RegExpExecArray) =>
  prefix ? formula.replaceAll(`<${prefix}`, '<').replaceAll(`</${prefix}`, '</') : formula

function toHtml(
  xml: string,
  styles: DocumentStyles,
  isRead: (tag: string) => boolean,
  objects = new Map<string, string>(),
): string {
  const html = new OpenDocumentHtml(styles, isRead, objects)
  readXml(xml, html)
  return html.end()
}
