// Word documents (ECMA-376, WordprocessingML): paragraphs by style, lists, tables, text boxes, notes, then
// headers and footers. Omits comments, and deleted and hidden text.
import { type Block, oneLine, toMargins } from '../blocks.ts'
import { htmlBlocks } from '../html/html.ts'
import { parseNumbering } from './docx-numbering.ts'
import { DocxStory, type StoryParts } from './docx-story.ts'
import { parseStyles } from './docx-styles.ts'
import { selectAlternatives } from './office-alternatives.ts'
import { readDrawings } from './office-drawings.ts'
import { type OfficePackage, openPackage, type Relation } from './office-package.ts'
import { readXml } from './office-xml.ts'

export async function docxBlocks(bytes: Uint8Array): Promise<Block[]> {
  const office = await openPackage(bytes)
  const relations = await office.relations(office.main)
  const readPart = async (type: string) => {
    const path = toPath(relations, type)
    return path === undefined ? '' : office.text(path)
  }
  const styles = parseStyles(await readPart('styles'))
  const lists = parseNumbering(await readPart('numbering'))
  const empty: StoryParts = { styles, lists, notes: new Map(), inserted: new Map() }
  const notes = new Map([
    ...(await readNotes(office, toPath(relations, 'footnotes'), empty)),
    ...(await readNotes(office, toPath(relations, 'endnotes'), empty)),
  ])
  const body = await readStory(office, office.main, { ...empty, notes })
  return [...body, ...(await readMargins(office, relations, empty))]
}

/** Of a document without relationships, the usual part. */
const toPath = (relations: Relation[], type: string) =>
  relations.length === 0
    ? `word/${type}.xml`
    : relations.find((relation) => relation.type === type)?.target

async function readStory(
  office: OfficePackage,
  path: string,
  parts: StoryParts,
): Promise<Block[]> {
  const xml = await office.text(path)
  const inserted = new Map(await readChunks(office, path))
  for (const [id, lines] of await readDrawings(office, path))
    inserted.set(id, [{ kind: 'list', text: lines.join('\n') }])
  const story = parseStory(xml, { ...parts, inserted })
  // A field that never ends would hide the rest of the document.
  return (
    story.hasOpenField ? parseStory(xml, { ...parts, inserted }, false) : story
  ).end()
}

function parseStory(xml: string, parts: StoryParts, knowsFields = true): DocxStory {
  const story = new DocxStory(parts, knowsFields)
  readXml(
    xml,
    selectAlternatives({
      open: (tag, attributes) => story.open(tag, attributes),
      text: (content) => story.text(content),
      close: (tag) => story.close(tag),
    }),
  )
  return story
}

/** Documents of other formats inside: HTML and text. */
async function readChunks(
  office: OfficePackage,
  path: string,
): Promise<[string, Block[]][]> {
  const chunks: [string, Block[]][] = []
  for (const { id, type, target, isExternal } of await office.relations(path)) {
    if (type !== 'aFChunk' || isExternal || !/\.(?:x?html?|txt)$/i.test(target)) continue
    const text = await office.text(target)
    chunks.push([
      id,
      /\.txt$/i.test(target) ? [{ kind: 'paragraph', text }] : htmlBlocks(text),
    ])
  }
  return chunks
}

/** Returns the texts of footnotes or endnotes by kind and id. */
async function readNotes(
  office: OfficePackage,
  path: string | undefined,
  parts: StoryParts,
): Promise<[string, string][]> {
  if (path === undefined) return []
  const notes: [string, string][] = []
  let story = new DocxStory(parts)
  let key = ''
  const isNote = (tag: string) => tag === 'footnote' || tag === 'endnote'
  const handlers = selectAlternatives({
    open(tag, attributes) {
      if (isNote(tag)) {
        story = new DocxStory(parts)
        key = `${tag} ${attributes.id}`
      }
      story.open(tag, attributes)
    },
    text: (content) => story.text(content),
    close(tag) {
      story.close(tag)
      if (isNote(tag)) notes.push([key, toText(story)])
    },
  })
  readXml(await office.text(path), handlers)
  return notes
}

const toText = (story: DocxStory) =>
  oneLine(
    story
      .end()
      .map(({ text }) => text)
      .join(' '),
  )

/** Reads headers and footers. */
async function readMargins(
  office: OfficePackage,
  relations: Relation[],
  parts: StoryParts,
): Promise<Block[]> {
  const found: Block[] = []
  for (const { type, target, isExternal } of relations)
    if ((type === 'header' || type === 'footer') && !isExternal)
      found.push(...(await readStory(office, target, parts)))
  return toMargins(found)
}
