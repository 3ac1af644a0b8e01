// Finds the text in a language: the translation, that of a more general language, or the original. Runs in
// browsers.
import { allSentences, translatedSentences } from '../captures/sentences.ts'

/** A translation as the document has it. Without `original`, it is never outdated. */
export type Translation = string | { text: string; original?: string | undefined }

export interface Languages {
  /** BCP 47 tag of the texts in the flows. */
  default: string
  /** By language, then by the key of the text. */
  translations?: Record<string, Record<string, Translation>> | undefined
}

/** Returns the canonical form of a language tag of BCP 47, or null for another text. `pt_br` is `pt-BR`. */
export function toLanguageTag(tag: unknown): string | null {
  if (typeof tag !== 'string' || tag.length > 100) return null
  try {
    return new Intl.Locale(tag.replaceAll('_', '-')).baseName
  } catch {
    return null
  }
}

/** Returns the language and those that are more general: `zh-Hant-TW`, `zh-Hant`, `zh`. */
export function listFallbacks(language: string): string[] {
  const parts = language.split('-')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('-'))
}

interface Original {
  key: string
  text: string
  /** Several cards have its key: only translations of the same text are meant. */
  isShared?: boolean
}

/** `outdated`: made of an earlier original. */
export type TranslationState = 'translated' | 'outdated' | 'missing'

export interface FoundTranslation {
  state: TranslationState
  /** Null if it is missing. */
  text: string | null
}

const missing: FoundTranslation = { state: 'missing', text: null }

/** The translations of one language. */
export interface LanguageTexts {
  find(original: Original): FoundTranslation
}

/** Standard sentences are in English, whichever language the bot has. */
export const standardPrefix = '$standard/'

const isFilled = (text: unknown): text is string =>
  typeof text === 'string' && text.trim() !== ''

const toPart = (translation: Translation | undefined) =>
  typeof translation === 'object' && translation !== null
    ? translation
    : { text: translation, original: undefined }

const cardKey = (key: string) => key.slice(0, key.indexOf('/') + 1)

/** Returns the sentences of the engine in the language; their originals are in English. */
function findStandardTexts(language: string): Record<string, string> {
  if (language === 'en') return allSentences
  return Object.hasOwn(translatedSentences, language)
    ? translatedSentences[language]!
    : {}
}

/**
 * Opens the translations of the document into a language, with those of the engine for its own sentences.
 * Accepts values of any form, because drafts may have them.
 */
export function openLanguage(
  language: string,
  translations: Record<string, Translation> | undefined,
): LanguageTexts {
  const byKey = new Map<string, { text: string; original: string | undefined }>()
  const [general = ''] = language.split('-')
  for (const [name, text] of Object.entries(findStandardTexts(general)))
    byKey.set(standardPrefix + name, { text, original: undefined })
  /** Texts of cards whose elements have changed places. */
  const byOriginal = new Map<string, string>()
  for (const [key, translation] of Object.entries(translations ?? {})) {
    const { text, original } = toPart(translation)
    if (!isFilled(text)) continue
    byKey.set(key, { text, original })
    if (original !== undefined) byOriginal.set(`${cardKey(key)}\n${original}`, text)
  }
  return {
    find({ key, text, isShared }) {
      const found = byKey.get(key)
      const isCurrent = found && (found.original === undefined || found.original === text)
      if (isCurrent && !(isShared && found.original === undefined))
        return { state: 'translated', text: found.text }
      const moved = byOriginal.get(`${cardKey(key)}\n${text}`)
      if (moved !== undefined) return { state: 'translated', text: moved }
      return found && !isShared ? { state: 'outdated', text: found.text } : missing
    },
  }
}

/** Returns the text that a person with this language reads: never an empty one in place of another. */
export function findText(
  original: Original,
  language: string | null,
  { default: fallback }: Languages,
  texts: ReadonlyMap<string, LanguageTexts>,
): string {
  const source = original.key.startsWith(standardPrefix) ? 'en' : fallback
  for (const tag of [...(language === null ? [] : listFallbacks(language)), fallback]) {
    if (tag === source) return original.text
    const found = texts.get(tag)?.find(original).text
    if (found != null) return found
  }
  return original.text
}

/** Also opens the language of the bot, into which sentences of the engine are translated. */
export const openLanguages = ({
  default: original,
  translations = {},
}: Languages): Map<string, LanguageTexts> =>
  new Map(
    Object.entries({ [original]: {}, ...translations }).map(([language, texts]) => [
      language,
      openLanguage(language, texts),
    ]),
  )
