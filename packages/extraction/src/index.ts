export { depthGuard, UnreadableFile } from './blocks.ts'
export {
  CsvError,
  CsvReader,
  type CsvRecord,
  detectDialect,
  formulaText,
} from './csv/csv-reader.ts'
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
export { detectFormat, type Format, indexedFormats } from './formats.ts'
export { detectLanguage, type Language } from './language.ts'
export {
  type ExtractedPassage,
  listSearchable,
  type Subtype,
  toSearchable,
} from './passages.ts'
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
export { decodeWindows1252 } from './windows-1252.ts'
export type { TableEnd, TableLimit } from './workbooks/first-table.ts'
export type { CellValue, WorkbookRow } from './workbooks/sheets.ts'
