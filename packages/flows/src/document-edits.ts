// Entry that edits the text of a document, JSON or YAML: only the lines of a change differ. Also merges
// texts that several people changed. Runs in browsers.
export { diffDocuments } from './edits/diff.ts'
export { applyEdits, type DocumentEdit, DocumentEditError } from './edits/edit.ts'
export { editDocument } from './edits/edit-text.ts'
export {
  type DocumentVersion,
  type MergedText,
  mergeTexts,
  type Overwritten,
} from './edits/merge.ts'
