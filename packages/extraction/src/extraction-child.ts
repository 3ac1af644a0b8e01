// Runs in a child process and extracts text from one file at a time. The process can neither write
// files nor start processes. extraction.ts kills it when a file takes too long; its own guard kills
// it when it uses too much memory or the server has ended.
import { startMemoryGuard } from '@botstead/lib'
import { UnreadableFile } from './blocks.ts'
import type { ExtractionMessage, ExtractionRequest } from './extraction.ts'
import type { Format } from './formats.ts'
import { listSearchable, storable, toPassages } from './passages.ts'
import { readBlocks } from './readers.ts'
import { typeByContent } from './signature.ts'
import { detectLanguage } from './text/language.ts'
import { isSpelt } from './text/searchable-text.ts'
import { readFirstTable } from './workbooks/first-table.ts'

const passagesPerMessage = 100
const maxWords = 20_000
const sampleLength = 20_000

startMemoryGuard(Number(process.argv[2]))

const report = (message: ExtractionMessage) =>
  new Promise<void>((resolve) => process.send!(message, () => resolve()))

async function readContent(size: number): Promise<Uint8Array> {
  const content = new Uint8Array(size)
  let at = 0
  while (at < size) {
    const chunk = process.stdin.read(
      Math.min(size - at, process.stdin.readableLength || 1),
    ) as Buffer | null
    if (chunk === null)
      await new Promise((resolve) => process.stdin.once('readable', resolve))
    else {
      content.set(chunk, at)
      at += chunk.length
    }
  }
  return content
}

async function readRows({ size, limit }: ExtractionRequest): Promise<ExtractionMessage> {
  try {
    const end = await readFirstTable(await readContent(size), limit!, (lines) =>
      report({ kind: 'rows', lines }),
    )
    return { kind: 'rowsDone', ...end }
  } catch (error) {
    return refusal(error)
  }
}

const refusal = (error: unknown): ExtractionMessage => ({
  kind: 'refused',
  reason:
    error instanceof UnreadableFile
      ? error.message
      : 'The file is damaged, or its content does not match its media type',
})

/** Names the type of the content if it is another one: a name or a media type may be wrong. */
function toRefusal(
  error: unknown,
  found: string | null,
  format: Format,
): ExtractionMessage {
  if (!found || contentTypes[format]?.includes(found)) return refusal(error)
  const type = `${found}${hints[found] ?? ''}`
  const reason = `The content of the file has the type ${type}, not the one of its name or media type`
  return { kind: 'refused', reason }
}

const hints: Record<string, string> = {
  'application/x-ole-storage': ' (a document of Office 97, or one with a password)',
}
const zip = 'application/zip'
const openDocument = 'application/vnd.oasis.opendocument.'
const contentTypes: Partial<Record<Format, string[]>> = {
  pdf: ['application/pdf'],
  docx: [zip],
  xlsx: [zip],
  pptx: [zip],
  odt: [zip, `${openDocument}text`, `${openDocument}text-template`],
  ods: [zip, `${openDocument}spreadsheet`, `${openDocument}spreadsheet-template`],
  odp: [zip, `${openDocument}presentation`, `${openDocument}presentation-template`],
  epub: [zip, 'application/epub+zip'],
  rtf: ['application/rtf'],
}

async function extract({
  format,
  size,
  title,
  contentType,
  configuration,
}: ExtractionRequest & { format: Format }): Promise<ExtractionMessage> {
  const content = await readContent(size)
  // Before the reader of PDFs takes the memory.
  const type = typeByContent(content)
  const { parsing, chunking } = configuration ?? {}
  const words = new Set<string>()
  let sample = ''
  let batch: (ExtractionMessage & { kind: 'passages' })['passages'] = []
  try {
    const cleanUp = parsing?.smartCleanup === true
    const blocks = await readBlocks(format, content, { cleanUp, contentType })
    for await (const passage of toPassages(storable(blocks), {
      min: parsing?.minimumParagraphLength,
      max: chunking?.maximumChunkLength,
      title,
    })) {
      if (sample.length < sampleLength) sample += `${passage.content} `
      for (const word of listSearchable(passage))
        if (words.size < maxWords && isSpelt(word)) words.add(word)
      batch.push(passage)
      if (batch.length < passagesPerMessage) continue
      await report({ kind: 'passages', passages: batch })
      batch = []
    }
    if (sample === '') throw new UnreadableFile('The file has no text')
  } catch (error) {
    return toRefusal(error, type, format)
  }
  if (batch.length > 0) await report({ kind: 'passages', passages: batch })
  return { kind: 'done', language: await detectLanguage(sample), words: [...words] }
}

process.on('disconnect', () => process.exit())
process.on('message', async ({ format, ...request }: ExtractionRequest) =>
  report(
    await (format === 'rows'
      ? readRows({ ...request, format })
      : extract({ ...request, format })),
  ),
)
await report({ kind: 'ready' })
