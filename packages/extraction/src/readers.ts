// The readers of all formats. Only the process that reads files loads them.
import type { Blocks } from './blocks.ts'
import { csvBlocks } from './csv/csv.ts'
import { epubBlocks } from './epub.ts'
import { detectFormat, type Format } from './formats.ts'
import { htmlBlocks } from './html/html.ts'
import { markdownBlocks } from './html/markdown.ts'
import { mailBlocks } from './mail.ts'
import { docxBlocks } from './office/docx.ts'
import { pptxBlocks } from './office/pptx.ts'
import { xlsxBlocks } from './office/xlsx.ts'
import { openDocumentBlocks } from './open-document/open-document.ts'
import { rtfBlocks } from './rtf/rtf.ts'
import { decodeText } from './text/decoding.ts'
import { textBlocks } from './text/plain-text.ts'

/** Throws Unreadable, or any error that a reader throws for a damaged file. */
export async function readBlocks(
  format: Format,
  bytes: Uint8Array,
  { cleanUp, contentType }: { cleanUp: boolean; contentType?: string | undefined },
): Promise<Blocks> {
  const reader = Object.hasOwn(byteReaders, format) ? byteReaders[format] : undefined
  if (reader) return reader(bytes)
  if (format === 'eml') return mailBlocks(bytes, attachmentReader({ cleanUp }))
  // The largest library, which most processes never need.
  if (format === 'pdf') return (await import('./pdf.ts')).pdfBlocks(bytes, { cleanUp })
  const text = decodeText(bytes, { contentType, isMarkup: format === 'html' })
  if (format === 'html') return htmlBlocks(text)
  if (format === 'markdown') return markdownBlocks(text)
  if (format === 'text') return textBlocks(text)
  return csvBlocks(text, format === 'tsv' ? '\t' : undefined)
}

/** Workbooks of both kinds have one reader. */
const byteReaders: Partial<
  Record<Format, (bytes: Uint8Array) => Blocks | Promise<Blocks>>
> = {
  docx: docxBlocks,
  xlsx: xlsxBlocks,
  pptx: pptxBlocks,
  odt: openDocumentBlocks,
  ods: xlsxBlocks,
  odp: openDocumentBlocks,
  epub: epubBlocks,
  rtf: rtfBlocks,
}

/** An e-mail inside of an e-mail is read as a part of it. */
const attachmentReader =
  ({ cleanUp }: { cleanUp: boolean }) =>
  (type: string, name: string, bytes: Uint8Array): Promise<Blocks> | null => {
    const format = detectFormat(type, name)
    return format && format !== 'eml'
      ? readBlocks(format, bytes, { cleanUp, contentType: type })
      : null
  }
