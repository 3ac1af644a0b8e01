// Keeps the files of a document and the draft of its bot the same while `botstead dev` runs: a saved file
// appears in the draft, and a change in the browser in the files, of which only the changed lines differ.
import {
  chmodSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { RequestError } from '@botstead/client'
import type { BotDraft, ChangeNote } from '@botstead/contract'
import {
  DocumentEditError,
  diffDocuments,
  editDocument,
} from '@botstead/flows/document-edits'
import { parseText, type TextFormat } from '@botstead/flows/document-text'
import { CliError } from '../failure.ts'
import type { Admin } from '../server/admin.ts'
import { listen } from '../server/listener.ts'
import { listFileNames, type ReadParts, readParts } from './bot-document.ts'

interface DraftSync {
  /** Whether the draft may have changed. */
  isDue(): boolean
  /** Brings changes of the files into the draft, and those of the draft into the files. */
  sync(): Promise<void>
}

/** The draft that the files had last; both sides are compared with it. */
interface Base {
  revision: number
  text: string
  format: TextFormat
  value: unknown
}

type Document = Record<string, unknown>

const toBase = ({
  revision,
  text,
  format,
}: Pick<BotDraft, 'revision' | 'text' | 'format'>): Base => ({
  revision,
  text,
  format,
  value: parseText(text, format).value,
})

/** Returns null if the server has no drafts. */
export async function openDraftSync(
  { client }: Admin,
  botId: string,
  path: string,
): Promise<DraftSync | null> {
  const params = { botId }
  const getDraft = async () => (await client.platform.getBotDraft({ params })).draft
  const first = await getDraft().catch((error) => {
    if (error instanceof RequestError && error.status === 404) return null
    throw error
  })
  // Of a server without drafts, or a bot made of code.
  if (!first) return null
  let base = toBase(await findPublished(first))
  let isDue = true
  await listen<ChangeNote>({
    open: (call) =>
      client.platform.listenToWorkspace({ query: { botId, topics: ['drafts'] } }, call),
    onSignal: () => {
      isDue = true
    },
    onState: () => {},
  })
  return { isDue: () => isDue, sync }

  /** The files began as the published document, also if the draft has changes since. */
  async function findPublished(draft: BotDraft) {
    const published = draft.publishedRevision
    if (published === null || published === draft.revision) return draft
    try {
      const { revision, text } = await client.platform.getDraftRevision({
        params: { botId, revision: String(published) },
      })
      return { ...revision, text }
    } catch (error) {
      if (error instanceof RequestError && error.status === 404) return draft
      throw error
    }
  }

  async function sync(): Promise<void> {
    isDue = false
    try {
      const parts = readParts(path)
      const local = toDocument(parts)
      const edits = diffDocuments(base.value, local)
      const text = editDocument(base.text, base.format, edits)
      const draft = edits.length > 0 ? await push(text) : await getDraft()
      if (!draft || draft.revision === base.revision) return
      const next = toBase(draft)
      if (writeFiles(path, parts, next.value as Document)) base = next
    } catch (error) {
      report(path, error)
    }
  }

  async function push(text: string): Promise<BotDraft> {
    const { revision: baseRevision, format } = base
    const body = { baseRevision, text, format }
    const { draft, overwritten } = await client.platform.saveBotDraft({ params, body })
    for (const { pointer } of overwritten)
      console.error(
        `${path}: ${pointer} was also changed in the browser; the file's value is kept`,
      )
    return draft
  }
}

function report(path: string, error: unknown): void {
  if (error instanceof CliError)
    console.error(`${error.message}; the draft was not changed`)
  else if (error instanceof RequestError || error instanceof DocumentEditError)
    console.error(`${path} and the draft of the bot differ: ${error.message}`)
  else throw error
}

/** The draft contains the code files, as a deployment does. */
function toDocument({ value, files }: ReadParts): Document {
  const document = value as Document
  const code = Object.fromEntries([...files].map(([key, { text }]) => [key, text]))
  return files.size === 0
    ? document
    : { ...document, files: { ...(document.files as object), ...code } }
}

/** Returns false if the files were left as they are. */
function writeFiles(path: string, parts: ReadParts, draft: Document): boolean {
  const { value, text, format, files } = parts
  const known = new Set(listFileNames(value))
  const unknown = listFileNames(draft).find((name) => !known.has(name))
  if (unknown !== undefined) {
    // Otherwise a member could read any file of the folder.
    console.error(
      `${path}: the draft names the file "${unknown}", which the document does not name; ` +
        'the files were not changed',
    )
    return false
  }
  const all = { ...(draft.files as Document | undefined) }
  for (const [key, file] of files) {
    const code = all[key]
    delete all[key]
    if (typeof code === 'string' && code !== file.text)
      replaceFile(file.path, file.text, code)
  }
  const { files: _files, ...rest } = draft
  const hasFiles = Object.keys(all).length > 0 || (value as Document).files !== undefined
  const target = hasFiles ? { ...rest, files: all } : rest
  const edited = editDocument(text, format, diffDocuments(value, target))
  if (edited !== text) replaceFile(path, text, edited)
  return true
}

/** Replaces a file at once, with its mode. Throws CliError if it was saved meanwhile. */
function replaceFile(path: string, before: string, after: string): void {
  const target = realpathSync(path)
  const next = `${target}.${process.pid}.tmp`
  const { mode } = statSync(target)
  writeFileSync(next, after, { mode })
  // The process may have a mask.
  chmodSync(next, mode)
  if (readFileSync(target, 'utf8') !== before)
    throw new CliError(`${path} was saved meanwhile`)
  renameSync(next, target)
  console.log(`${new Date().toTimeString().slice(0, 8)} ${path} changed in the browser`)
}
