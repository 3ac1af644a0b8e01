// Detects the format of a file of rows by its first bytes, and rejects other formats with their name.
import { ApiError } from '@botstead/contract'

const readable = 'CSV, JSON, XLSX and ODS files'

const bytes = (text: string) => Buffer.from(text, 'latin1')
/** Zips, and compound files: those of Excel 97 to 2003, and encrypted workbooks. */
const workbookStarts = [
  bytes('PK\x03\x04'),
  bytes('PK\x05\x06'),
  bytes('\xd0\xcf\x11\xe0'),
]
const otherStarts: [Buffer, string][] = [
  [bytes('%PDF-'), 'a PDF document'],
  [bytes('\x89PNG'), 'a picture'],
  [bytes('\xff\xd8\xff'), 'a picture'],
  [bytes('GIF8'), 'a picture'],
  [bytes('RIFF'), 'a picture, audio or video file'],
  [bytes('{\\rtf'), 'an RTF document'],
  [bytes('PAR1'), 'a Parquet file'],
  [bytes('SQLite format 3'), 'a SQLite database'],
  [bytes('7z\xbc\xaf'), 'a 7z archive'],
  [bytes('Rar!'), 'a RAR archive'],
  [bytes('BZh'), 'a bzip2 archive'],
  [bytes('\xfd7zXZ'), 'an xz archive'],
  [bytes('\x28\xb5\x2f\xfd'), 'a Zstandard archive'],
]

const begins = (head: Buffer, start: Buffer) =>
  head.subarray(0, start.length).equals(start)

export const isWorkbook = (head: Buffer) =>
  workbookStarts.some((start) => begins(head, start))
export const isGzip = (head: Buffer) => head[0] === 0x1f && head[1] === 0x8b

const unreadable = (what: string) =>
  new ApiError('InvalidDataFormat', `The file is ${what}: imports read ${readable}`)

/** Throws InvalidDataFormat for bytes that are no text. */
export function rejectOtherFormats(head: Buffer): void {
  if (head.length === 0) throw unreadable('empty')
  if (isWorkbook(head)) throw unreadable('a compressed zip: upload it as it is')
  const other = otherStarts.find(([start]) => begins(head, start))
  if (other) throw unreadable(other[1])
}

const sampleLength = 4_096
const minControls = 8
const maxControlShare = 0.02

/** Throws InvalidDataFormat for markup and for binary content. */
export function rejectOtherTexts(text: string): void {
  const sample = text.slice(0, sampleLength)
  if (
    /^\s*<(?:!doctype html|html|head|body|meta|style|table|\w+:\w+|div|script)\b/i.test(
      sample,
    )
  )
    throw unreadable('an HTML page, even if a spreadsheet program opens it')
  if (/^\s*<(?:\?xml|!--|!doctype)/i.test(sample)) throw unreadable('XML')
  if (/^MIME-Version:/i.test(sample)) throw unreadable('a web archive (MHTML)')
  if (/^BEGIN:V(?:CARD|CALENDAR)\r?\n/i.test(sample))
    throw unreadable('a vCard or calendar file')
  const controls = sample.match(controlCharacters)?.length ?? 0
  if (controls >= minControls && controls > sample.length * maxControlShare)
    throw unreadable('binary')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they mark binary content
const controlCharacters = /[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f]/g

/**
 * Returns whether a text is JSON, by the file's name or its beginning. A header of CSV does not begin
 * with an object.
 */
export function isJson(key: string, text: string): boolean {
  if (/\.(?:json|jsonl|ndjson)(?:\.gz)?$/i.test(key)) return true
  const isCsv = /\.(?:csv|tsv)(?:\.gz)?$/i.test(key)
  return (isCsv ? /^\s*(?:\[\s*)?\{\s*(?:"|\})/ : /^\s*[[{]/).test(text)
}
