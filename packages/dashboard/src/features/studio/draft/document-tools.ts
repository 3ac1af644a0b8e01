// The functions that read and change documents, in a file that loads beside the page.
import {
  applyEdits,
  DocumentEditError,
  diffDocuments,
  editDocument,
  mergeTexts,
} from '@botstead/flows/document-edits'
import { parseText } from '@botstead/flows/document-text'
import type { DocumentTools } from './draft-server.ts'
import { MissingPart } from './edits.ts'

export const documentTools: DocumentTools = {
  parse: ({ text, format }) => parseText(text, format).value,
  apply(value, edits) {
    try {
      return applyEdits(value, edits)
    } catch (error) {
      if (error instanceof DocumentEditError) throw new MissingPart(error.pointer)
      throw error
    }
  },
  edit: ({ text, format }, edits) => editDocument(text, format, edits),
  rebase(base, edits, theirs) {
    const mine = {
      format: base.format,
      text: editDocument(base.text, base.format, edits),
    }
    const merged = mergeTexts({ base, mine, theirs })
    const [before, after] = [theirs, merged].map(
      ({ text, format }) => parseText(text, format).value,
    )
    return diffDocuments(before, after)
  },
}
