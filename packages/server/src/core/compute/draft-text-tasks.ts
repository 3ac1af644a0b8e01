// Lists and changes the texts of a draft for people who may edit nothing else.
import { findExpressions } from '@botstead/flows'
import { type DocumentVersion, editDocument } from '@botstead/flows/document-edits'
import {
  type BotText,
  indexTexts,
  listTranslations,
  type TextChange,
  type TranslatedTexts,
  toTextEdits,
} from '@botstead/flows/texts'
import {
  type DraftProblem,
  type DraftText,
  explain,
  parse,
  toDraftText,
} from './draft-tasks.ts'

/** Returns at most `limit` texts, after the first `from`. */
export const listDraftTexts = ({
  from,
  limit,
  ...version
}: DocumentVersion & { from: number; limit: number }): TranslatedTexts | DraftProblem =>
  explain(() => listTranslations(parse(version), from, from + limit))

export interface RequestedText extends TextChange {
  original: string
}

/** `index`: of the change. `expression`: one that the original does not have. */
export type TextFault = {
  fault: {
    index: number
    reason: 'unknown' | 'outdated' | 'language' | 'empty' | 'syntax' | 'expression'
    expression?: string
  }
}

/** Returns the text of the draft with all changes, or the first change that does not fit it. */
export const editDraftTexts = ({
  draft,
  changes,
}: {
  draft: DocumentVersion
  changes: RequestedText[]
}): DraftText | TextFault | DraftProblem =>
  explain(() => {
    const document = parse(draft)
    const texts = indexTexts(document)
    for (const [index, change] of changes.entries()) {
      const fault = findFault(change, texts.get(change.key))
      if (fault) return { fault: { index, ...fault } }
    }
    const { edits, rejected } = toTextEdits(document, changes)
    const [first] = rejected
    if (first) {
      const reason = first.reason === 'key' ? 'unknown' : first.reason
      return { fault: { index: changes.indexOf(first.change as RequestedText), reason } }
    }
    return toDraftText({ ...draft, text: editDocument(draft.text, draft.format, edits) })
  })

/** A repeated change of an original finds it changed already. */
function findFault(
  { language, text, original }: RequestedText,
  found: BotText | undefined,
): Omit<TextFault['fault'], 'index'> | null {
  if (!found) return { reason: 'unknown' }
  const isRepeated = language === null && found.text === text
  if (found.text !== original && !isRepeated) return { reason: 'outdated' }
  const [known, written] = [findExpressions(found.text), findExpressions(text ?? '')]
  if (!written) return { reason: 'syntax' }
  const other = [...written].find((expression) => !known?.has(expression))
  return other === undefined ? null : { reason: 'expression', expression: other }
}
