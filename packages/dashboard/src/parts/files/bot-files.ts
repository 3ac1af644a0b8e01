// Reads a bot from files that the user chose: a document with the code files that it names, as the
// command `deploy` does, or a bundle of code.
import { texts } from '../../texts/texts.ts'
import { DocumentRejected, InputError } from '../forms/input-error.ts'

const t = texts.bots.files

interface BotFile {
  /** Relative to the chosen folder, with `/`. */
  path: string
  text: () => Promise<string>
}

interface KnowledgeFile {
  /** The knowledge base, as the document names it. */
  base: string
  name: string
  text: string
}

type Json = Record<string, unknown>

export interface BotSource {
  /** Suggested for the bot. */
  name: string
  /** The file that was read. */
  file: string
  /** `text`: the document as its author wrote it. */
  content: { code: string } | { document: Json; knowledge: KnowledgeFile[]; text: string }
  codeFiles: number
  /** Its documents are samples. */
  isExample?: boolean
}

/** The server rejects larger bundles and documents. */
const maxBytes = 50_000_000
const skipped = /(^|\/)(node_modules|\.git)\//

/** Paths begin with the chosen folder, which is left out. */
export function toBotFiles(files: File[]): BotFile[] {
  return files.flatMap((file) => {
    const path = file.webkitRelativePath || file.name
    if (skipped.test(path)) return []
    const text = async () => {
      if (file.size > maxBytes) throw new InputError(t.tooLarge(file.name))
      return file.text()
    }
    return [{ path, text }]
  })
}

export const fromTexts = (files: Record<string, string>): BotFile[] =>
  Object.entries(files).map(([path, text]) => ({ path, text: async () => text }))

const toFolder = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)
const toBase = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** Throws InputError. */
export async function readBot(files: BotFile[]): Promise<BotSource> {
  const main = findMain(files)
  const folder = toFolder(main.path)
  const file = toBase(main.path)
  const named = file.replace(/\.(c?js|json|ya?ml)$/, '')
  const name =
    (/^(bot|index)$/.test(named) && folder.split('/').filter(isTelling).at(-1)) || named
  if (/\.c?js$/.test(file)) {
    const content = { code: await main.text() }
    return { name, file, content, codeFiles: 0 }
  }
  const text = await main.text()
  const given = await parseDocument(file, text)
  const found = await readCode(given, folder, files)
  const document = Object.keys(found).length
    ? { ...given, files: { ...(given.files as object | undefined), ...found } }
    : given
  const knowledge = await readKnowledge(document, folder, files)
  const content = { document, knowledge, text }
  return { name, file, content, codeFiles: Object.keys(found).length }
}

const isTelling = (name: string) =>
  name !== '' && name !== 'dist' && !name.startsWith('.')

/** The bot's document, otherwise the only bundle, otherwise the only other document. */
function findMain(files: BotFile[]): BotFile {
  const depth = ({ path }: BotFile) => path.split('/').length
  const highest = (found: BotFile[]) => {
    const top = Math.min(...found.map(depth))
    return found.filter((each) => depth(each) === top)
  }
  const matching = (pattern: RegExp) =>
    highest(files.filter(({ path }) => pattern.test(path)))
  for (const pattern of [
    /(^|\/)bot\.(json|ya?ml)$/,
    /(^|\/)(\.botpress\/)?dist\/(index|bot)\.cjs$/,
    /\.cjs$/,
    /^[^/]+\.js$/,
    /^[^/]+\.(json|ya?ml)$/,
  ]) {
    const [main, other] = matching(pattern)
    if (main && other) throw new InputError(t.several, `${main.path}, ${other.path}`)
    if (main) return main
  }
  throw new InputError(t.none, t.noneHint)
}

async function parseDocument(name: string, text: string): Promise<Json> {
  const value = await parse(name, text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InputError(t.notDocument(name))
  return value as Json
}

export const isYaml = (name: string) => /\.ya?ml$/.test(name)

async function parse(name: string, text: string): Promise<unknown> {
  if (isYaml(name)) return parseWithPlace(name, text, 'YAML')
  try {
    return JSON.parse(text)
  } catch {
    // Only an error needs the parser that finds places, which is loaded on demand.
    return parseWithPlace(name, text, 'JSON')
  }
}

/** Throws DocumentRejected with the line and column of a syntax error. */
async function parseWithPlace(
  name: string,
  text: string,
  format: 'JSON' | 'YAML',
): Promise<unknown> {
  const { DocumentSyntaxError, parseText } = await import('@botstead/flows/document-text')
  try {
    return parseText(text, format).value
  } catch (error) {
    if (!(error instanceof DocumentSyntaxError)) throw error
    const { message, position } = error
    const place = `${name}:${position.line}:${position.column}`
    throw new DocumentRejected(t.invalid(name), [{ place, message }])
  }
}

/** Skips missing files: the server reports them with their place in the document. */
async function readCode(document: Json, folder: string, files: BotFile[]) {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const byBase = new Map(files.map((file) => [toBase(file.path), file]))
  const isFlat = files.every(({ path }) => !path.includes('/'))
  const found: Record<string, string> = {}
  for (const key of new Set(filesIn(document).map((file) => file.replace(/^\.\//, '')))) {
    // Files chosen one by one have no folder.
    const file =
      byPath.get(folder + key) ?? (isFlat ? byBase.get(toBase(key)) : undefined)
    if (file) found[key] = await file.text()
  }
  return found
}

/** The file of each `{"file": "…"}` in the value, whether it is code or not. */
function filesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const values = Object.values(value)
  const { file } = value as { file?: unknown }
  return [
    ...(typeof file === 'string' && values.length === 1 ? [file] : []),
    ...values.flatMap(filesIn),
  ]
}

/** `knowledge/<base>/<file>`, for knowledge bases of the document. */
async function readKnowledge(document: Json, folder: string, files: BotFile[]) {
  const bases = (document.knowledgeBases ?? {}) as Record<string, { name?: string }>
  const found: KnowledgeFile[] = []
  for (const { path, text } of files) {
    const [root, base = '', ...rest] = path.startsWith(folder)
      ? path.slice(folder.length).split('/')
      : []
    if (root !== 'knowledge' || rest.length === 0 || !Object.hasOwn(bases, base)) continue
    found.push({
      base: bases[base]?.name ?? base,
      name: rest.join('/'),
      text: await text(),
    })
  }
  return found
}
