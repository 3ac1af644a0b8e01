export { depthGuard, UnreadableFile } from './blocks.ts'
export { decodeText } from './decoding.ts'
export { detectEncoding, detectUtf16 } from './encoding-detection.ts'
export {
  type Extracted,
  type Extraction,
  type ExtractionConfiguration,
  type ExtractionOptions,
  ExtractionRejected,
  openExtraction,
} from './extraction.ts'
export { type Format, formatOf, indexedFormats } from './formats.ts'
export { languageOf } from './language.ts'
export type { ExtractedPassage, Subtype } from './passages.ts'
export {
  isSpelt,
  plainText,
  type SearchWord,
  searchableText,
  searchableWords,
  searchWords,
  wordsVersion,
} from './searchable-text.ts'
export { signatureLength, typeByContent } from './signature.ts'
export type { TableEnd, TableLimit } from './workbooks/first-table.ts'
export type { CellValue, WorkbookRow } from './workbooks/sheets.ts'
