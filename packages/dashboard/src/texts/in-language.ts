// The language of the page. The server puts the script of its translation before the page's own, except for
// English (translations.ts).

interface Translation extends Record<string, unknown> {
  language: string
}

const { botsteadTexts: translation } = globalThis as { botsteadTexts?: Translation }

/** For formats and names: `en`, `pt-BR`. */
export const language = translation?.language ?? 'en'

/** Returns the translation of a part of the texts, which has the same type, or the English part. */
/* @__NO_SIDE_EFFECTS__ */
export const inLanguage = <Part>(name: string, english: Part): Part =>
  (translation?.[name] as Part | undefined) ?? english
