// Entry for the texts of a document in several languages: a list of them, edits, and files for
// translators. Runs in browsers.
export {
  type BotText,
  indexTexts,
  listTranslations,
  readLanguages,
  type TranslatedText,
  type TranslatedTexts,
} from './texts/catalogue.ts'
export { isFormula, TextFileError } from './texts/csv-file.ts'
export {
  type FoundTranslation,
  listFallbacks,
  type Translation,
  type TranslationState,
  toLanguageTag,
} from './texts/languages.ts'
export {
  type TextChange,
  toNewLanguage,
  toRemovedLanguage,
  toTextEdits,
  withTextKeys,
} from './texts/text-edits.ts'
export {
  exportCsv,
  exportXliff,
  type ImportPlan,
  planImport,
  readTextFile,
  toPlace,
} from './texts/transfer.ts'
