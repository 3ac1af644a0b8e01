// Entry for importers: exports of other builders as documents. Runs in Node, in a thread of the server.
export { toDocumentText } from './imports/document-file.ts'
export { type ImportedBot, importBot, maxImportBytes } from './imports/import-bot.ts'
export { ImportError, type ImportFault } from './imports/import-error.ts'
export { type ImportReport, toReportText } from './imports/report.ts'
export { supportedBuilders } from './imports/supported-builders.ts'
