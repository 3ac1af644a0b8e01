// The texts that the page shows: of the draft, or, for people who may only edit texts, those that the server
// lists by their keys.
import {
  type BotText,
  type FoundTranslation,
  listTranslations,
  toTextEdits,
} from '@botstead/flows/texts'
import { useCallback, useMemo } from 'react'
import { useStudio } from '../draft/use-draft.tsx'

export interface TextRow
  extends Omit<BotText, 'flow' | 'node' | 'cardType' | 'isShared'> {
  flow?: string | undefined
  node?: string | undefined
  cardType?: string | undefined
  /** By language. */
  translations: Record<string, FoundTranslation>
}

/** Stays the same while the text is edited: its key changes with the first translation of its card. */
export const toId = ({ pointer, key }: Pick<TextRow, 'pointer' | 'key'>): string =>
  pointer ?? key

export interface TextSource {
  /** Language of the originals; undefined as long as the bot has one language. */
  original: string | undefined
  /** The other languages. */
  languages: string[]
  rows: TextRow[]
  mayWrite: boolean
  /** Without a language, changes the original. Without a text, removes a translation. */
  change: (row: TextRow, language: string | null, text: string | null) => void
}

/** Returns the texts of the draft. */
export function useDraftTexts(): TextSource {
  const { value, edit, isEditor } = useStudio()
  const {
    original,
    languages,
    texts: rows,
  } = useMemo(() => listTranslations(value), [value])
  const change = useCallback(
    ({ key }: TextRow, language: string | null, text: string | null) =>
      edit(toTextEdits(value, [{ key, language, text }]).edits),
    [edit, value],
  )
  return { original, languages, rows, mayWrite: isEditor, change }
}
