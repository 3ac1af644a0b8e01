// Writes the document of an import as a file.
import { stringify } from 'yaml'
import type { FlowDocument } from '../document/document.ts'
import type { TextFormat } from '../document-text.ts'

export const toDocumentText = (document: FlowDocument, format: TextFormat): string =>
  format === 'JSON'
    ? `${JSON.stringify(document, null, 2)}\n`
    : stringify(document, { lineWidth: 100 })
