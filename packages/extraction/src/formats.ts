// Selects the format of a file by its media type or, for unspecific types, by its file extension.
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
  'odt',
  'ods',
  'odp',
  'epub',
  'rtf',
  'eml',
] as const
export type Format = (typeof formatNames)[number]

const office = 'application/vnd.openxmlformats-officedocument.'
const openDocument = 'application/vnd.oasis.opendocument.'
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
  [`${openDocument}text`]: 'odt',
  [`${openDocument}text-template`]: 'odt',
  [`${openDocument}spreadsheet`]: 'ods',
  [`${openDocument}spreadsheet-template`]: 'ods',
  [`${openDocument}presentation`]: 'odp',
  [`${openDocument}presentation-template`]: 'odp',
  'application/epub+zip': 'epub',
  'application/rtf': 'rtf',
  'text/rtf': 'rtf',
  'text/richtext': 'rtf',
  'message/rfc822': 'eml',
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
  odt: 'odt',
  ott: 'odt',
  ods: 'ods',
  ots: 'ods',
  odp: 'odp',
  otp: 'odp',
  epub: 'epub',
  rtf: 'rtf',
  eml: 'eml',
}
/**
 * Media types that clients use when they do not know the type: text may be Markdown, and bytes may
 * be anything.
 */
const vague =
  /^(?:application\/octet-stream|binary\/octet-stream|text\/plain|application\/zip)$/

/** Returns null for a file that is not indexed. `type` is in lower case without parameters. */
export function detectFormat(type: string, name: string): Format | null {
  const end = /\.(\w{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const named = Object.hasOwn(byEnd, end) ? byEnd[end]! : null
  if (vague.test(type)) return named ?? (type === 'text/plain' ? 'text' : null)
  if (Object.hasOwn(byType, type)) return byType[type]!
  return type.startsWith('text/') ? 'text' : null
}

/** The formats, for the owner of a file of another one. */
export const indexedFormats =
  'PDF, Word (.docx), PowerPoint (.pptx), Excel (.xlsx), OpenDocument (.odt, .ods, .odp), EPUB, RTF, ' +
  'e-mail (.eml), HTML, Markdown, CSV, TSV, or text'
