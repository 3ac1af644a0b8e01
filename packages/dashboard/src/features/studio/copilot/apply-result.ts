// Brings the result of the copilot into the draft, which others and oneself may have changed
// meanwhile.
import { diffDocuments, mergeTexts } from '@botstead/flows/document-edits'
import { parseText } from '@botstead/flows/document-text'
import type { Edit } from '../draft/edits.ts'
import type { Json } from '../flows/bot-document.ts'

export interface CopilotResult {
  format: 'JSON' | 'YAML'
  baseText: string
  text: string
}

/** Returns the values before and after. */
export const readResult = ({
  format,
  baseText,
  text,
}: CopilotResult): { before: Json; after: Json } => ({
  before: parseText(baseText, format).value as Json,
  after: parseText(text, format).value as Json,
})

/** Returns the edits that bring the result into the present draft. */
export function toEdits(
  { format, baseText, text }: CopilotResult,
  now: { text: string; format: 'JSON' | 'YAML' },
): Edit[] {
  const theirs = { text: now.text, format: now.format }
  const merged = mergeTexts({
    base: { text: baseText, format },
    mine: { text, format },
    theirs,
  })
  return diffDocuments(
    parseText(theirs.text, theirs.format).value,
    parseText(merged.text, merged.format).value,
  )
}
