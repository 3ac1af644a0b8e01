// Selects the reader for a file by its media type or, for unspecific types, by its file extension.
import type { Blocks } from './blocks.ts'
import { csvBlocks } from './csv.ts'
import { decodeText } from './decoding.ts'
import { htmlBlocks } from './html/html.ts'
import { markdownBlocks } from './html/markdown.ts'
import { docxBlocks } from './office/docx.ts'
import { pptxBlocks } from './office/pptx.ts'
import { xlsxBlocks } from './office/xlsx.ts'
import { textBlocks } from './plain-text.ts'

const formatNames = [
  'pdf',
  'html',
  'markdown',
  'text',
  'csv',
  'tsv',
  'docx',
  'xlsx',
  'pptx',
] as const
export type Format = (typeof formatNames)[number]

const office = 'application/vnd.openxmlformats-officedocument.'
const byType: Record<string, Format> = {
  'application/pdf': 'pdf',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/markdown': 'markdown',
  'text/mdx': 'markdown',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/json': 'text',
  'application/yaml': 'text',
  'application/xml': 'text',
  'application/x-ndjson': 'text',
  [`${office}wordprocessingml.document`]: 'docx',
  [`${office}spreadsheetml.sheet`]: 'xlsx',
  [`${office}presentationml.presentation`]: 'pptx',
  [`${office}wordprocessingml.template`]: 'docx',
  [`${office}spreadsheetml.template`]: 'xlsx',
  [`${office}presentationml.template`]: 'pptx',
  [`${office}presentationml.slideshow`]: 'pptx',
  'application/vnd.ms-word.document.macroenabled.12': 'docx',
  'application/vnd.ms-word.template.macroenabled.12': 'docx',
  'application/vnd.ms-excel.sheet.macroenabled.12': 'xlsx',
  'application/vnd.ms-excel.template.macroenabled.12': 'xlsx',
  'application/vnd.ms-powerpoint.presentation.macroenabled.12': 'pptx',
  'application/vnd.ms-powerpoint.template.macroenabled.12': 'pptx',
  'application/vnd.ms-powerpoint.slideshow.macroenabled.12': 'pptx',
}
const byEnd: Record<string, Format> = {
  pdf: 'pdf',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  txt: 'text',
  csv: 'csv',
  tsv: 'tsv',
  docx: 'docx',
  docm: 'docx',
  dotx: 'docx',
  dotm: 'docx',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  xltx: 'xlsx',
  xltm: 'xlsx',
  pptx: 'pptx',
  pptm: 'pptx',
  potx: 'pptx',
  potm: 'pptx',
  ppsx: 'pptx',
  ppsm: 'pptx',
}
/**
 * Media types that clients use when they do not know the type: text may be Markdown, and bytes may
 * be anything.
 */
const vague = /^(?:application\/octet-stream|binary\/octet-stream|text\/plain|application\/zip)$/

/** Returns null for a file that is not indexed. `type` is in lower case without parameters. */
export function formatOf(type: string, name: string): Format | null {
  const end = /\.(\w{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const named = Object.hasOwn(byEnd, end) ? byEnd[end]! : null
  if (vague.test(type)) return named ?? (type === 'text/plain' ? 'text' : null)
  if (Object.hasOwn(byType, type)) return byType[type]!
  return type.startsWith('text/') ? 'text' : null
}

/** The formats, for the owner of a file of another one. */
export const indexedFormats =
  'PDF, Word (.docx), PowerPoint (.pptx), Excel (.xlsx), HTML, Markdown, CSV, TSV, or text'

/** Throws Unreadable, or any error that a reader throws for a damaged file. */
export async function blocksOf(
  format: Format,
  bytes: Uint8Array,
  { cleanUp, contentType }: { cleanUp: boolean; contentType?: string | undefined },
): Promise<Blocks> {
  if (format === 'docx') return docxBlocks(bytes)
  if (format === 'xlsx') return xlsxBlocks(bytes)
  if (format === 'pptx') return pptxBlocks(bytes)
  // The largest library, which most processes never need.
  if (format === 'pdf') return (await import('./pdf.ts')).pdfBlocks(bytes, { cleanUp })
  const text = decodeText(bytes, { contentType, isMarkup: format === 'html' })
  if (format === 'html') return htmlBlocks(text)
  if (format === 'markdown') return markdownBlocks(text)
  if (format === 'text') return textBlocks(text)
  return csvBlocks(text, format === 'tsv' ? '\t' : undefined)
}
