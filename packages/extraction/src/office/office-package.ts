// Reads Office documents as packages (ECMA-376, part 2): parts are found by relationships, and the case
// of their names has no meaning.
import { UnreadableFile } from '../blocks.ts'
import { readXml } from './office-xml.ts'
import { openZip, type ZipArchive } from './zip-archive.ts'

export interface Relation {
  id: string
  /** The last segment of the type's address: `worksheet`, `notesSlide`. */
  type: string
  /** Path of the part, or an address outside of the package. */
  target: string
  isExternal: boolean
}

export interface OfficePackage {
  /** Path of the main part: `xl/workbook.xml`, `word/document.xml`, `ppt/presentation.xml`. */
  main: string
  /** Paths of all parts, as written. */
  paths: string[]
  has(path: string): boolean
  /** Returns a part's text, empty for a missing part. Throws UnreadableFile. */
  text(path: string): Promise<string>
  /** Streams a part's text. Throws UnreadableFile. */
  stream(path: string): AsyncGenerator<string>
  /** Returns the relationships of a part in their order. Throws UnreadableFile. */
  relations(path: string): Promise<Relation[]>
}

/** Throws UnreadableFile, also for a zip that is no Office document. */
export const openPackage = async (bytes: Uint8Array): Promise<OfficePackage> =>
  toPackage(await openZip(bytes))

export async function toPackage(zip: ZipArchive): Promise<OfficePackage> {
  const text = (path: string) => toText(zip, path)
  const relations = async (path: string) =>
    parseRelations(await text(relationsPath(path)), path)
  const main = (await relations('')).find(({ type }) => type === 'officeDocument')?.target
  const found = [main, ...usualMains].find((path) => path !== undefined && zip.has(path))
  if (found === undefined)
    throw new UnreadableFile('The document is damaged: it has no main part')
  return {
    main: found,
    paths: zip.paths,
    has: zip.has,
    text,
    stream: (path) => streamText(zip, path),
    relations,
  }
}

/** Of packages without a relationship to their main part. */
const usualMains = ['xl/workbook.xml', 'word/document.xml', 'ppt/presentation.xml']

/** `_rels/.rels` for the package itself, `xl/_rels/workbook.xml.rels` for `xl/workbook.xml`. */
function relationsPath(path: string): string {
  const name = path.lastIndexOf('/') + 1
  return `${path.slice(0, name)}_rels/${path.slice(name)}.rels`
}

function parseRelations(xml: string, source: string): Relation[] {
  const relations: Relation[] = []
  readXml(xml, {
    open(tag, { Id = '', Type = '', Target = '', TargetMode = '' }) {
      if (tag !== 'Relationship') return
      const isExternal = TargetMode === 'External'
      const type = Type.slice(Type.lastIndexOf('/') + 1)
      const target = isExternal ? Target : resolvePath(source, Target)
      relations.push({ id: Id, type, target, isExternal })
    },
  })
  return relations
}

/** Resolves a target that is relative to its source, or begins with a slash, to a path in the package. */
export function resolvePath(source: string, target: string): string {
  const folders = target.startsWith('/') ? [] : source.split('/').slice(0, -1)
  for (const segment of unescaped(target.replaceAll('\\', '/')).split('/')) {
    if (segment === '..') folders.pop()
    else if (segment !== '' && segment !== '.') folders.push(segment)
  }
  return folders.join('/')
}

function unescaped(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}

/** Returns a part's text, empty for a missing part. Throws UnreadableFile. */
export async function toText(zip: ZipArchive, path: string): Promise<string> {
  const pieces: string[] = []
  for await (const piece of streamText(zip, path)) pieces.push(piece)
  return pieces.join('')
}

/** Parts are UTF-8, or UTF-16 with a byte order mark. */
export async function* streamText(zip: ZipArchive, path: string): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  try {
    for await (const chunk of zip.read(path)) {
      decoder ??= new TextDecoder(markedEncoding(chunk), { fatal: true })
      yield decoder.decode(chunk, { stream: true })
    }
    yield decoder?.decode() ?? ''
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile(`The document is damaged: "${path}" is not UTF-8`, {
      cause: error,
    })
  }
}

function markedEncoding([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}
