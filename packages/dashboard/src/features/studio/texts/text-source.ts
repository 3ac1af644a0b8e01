// The texts that the page shows: of the draft, or, for people who may only edit texts, those that the server
// lists by their keys.
import {
  type BotText,
  type FoundTranslation,
  listTexts,
  openLanguage,
  readLanguages,
  toTextEdits,
} from '@botstead/flows/texts'
import { useCallback, useMemo } from 'react'
import { useStudio } from '../draft/use-draft.tsx'
import type { Json } from '../flows/bot-document.ts'

export interface TextRow extends Omit<BotText, 'flow' | 'node' | 'cardType' | 'isShared'> {
  flow?: string | undefined
  node?: string | undefined
  cardType?: string | undefined
  /** By language. */
  translations: Record<string, FoundTranslation>
}

/** Stays the same while the text is edited: its key changes with the first translation of its card. */
export const toId = ({ pointer, key }: Pick<TextRow, 'pointer' | 'key'>): string => pointer ?? key

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
  const source = useMemo(() => toSource(value), [value])
  const change = useCallback(
    ({ key }: TextRow, language: string | null, text: string | null) =>
      edit(toTextEdits(value, [{ key, language, text }]).edits),
    [edit, value],
  )
  return { ...source, mayWrite: isEditor, change }
}

function toSource(document: Json): Pick<TextSource, 'original' | 'languages' | 'rows'> {
  const { original, translations } = readLanguages(document)
  const opened = Object.entries(translations).map(
    ([language, texts]) => [language, openLanguage(language, texts)] as const,
  )
  const rows = listTexts(document).map((text) => ({
    ...text,
    translations: Object.fromEntries(
      opened.map(([language, texts]) => [language, texts.find(text)]),
    ),
  }))
  return { original, rows, languages: Object.keys(translations).filter((one) => one !== original) }
}
