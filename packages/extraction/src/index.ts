export { depthGuard, UnreadableFile } from './blocks.ts'
export {
  CsvError,
  CsvReader,
  type CsvRecord,
  detectDialect,
  formulaText,
} from './csv/csv-reader.ts'
export {
  type Extracted,
  type Extraction,
  type ExtractionConfiguration,
  type ExtractionOptions,
  ExtractionRejected,
  openExtraction,
} from './extraction.ts'
export { detectFormat, type Format, indexedFormats } from './formats.ts'
export {
  type ExtractedPassage,
  listSearchable,
  type Subtype,
  toSearchable,
} from './passages.ts'
export { signatureLength, typeByContent } from './signature.ts'
export { decodeText } from './text/decoding.ts'
export { detectEncoding, detectUtf16 } from './text/encoding-detection.ts'
export { detectLanguage, type Language } from './text/language.ts'
export {
  isSpelt,
  plainText,
  type SearchWord,
  searchableText,
  searchableWords,
  searchWords,
  wordsVersion,
} from './text/searchable-text.ts'
export { decodeWindows1252 } from './text/windows-1252.ts'
export type { TableEnd, TableLimit } from './workbooks/first-table.ts'
export type { CellValue, WorkbookRow } from './workbooks/sheets.ts'
