// Texts of a dialogue: each in the language of the document, and in its other languages if the wizard knows
// it there.
import { listFallbacks } from '../texts/languages.ts'
import { catalogue } from './texts/catalogue.ts'
import type { TextId } from './texts/en.ts'

/**
 * Returns the text in a language, or null if it is not known there. Texts of the catalogue have that of the
 * fallback then.
 */
export type Text = (language: string, fallback?: string) => string | null

/** Returns the catalogue's language for a tag: `de` for `de-CH`. */
export const toKnownLanguage = (tag: string): string | undefined =>
  listFallbacks(tag).find((one) => Object.hasOwn(catalogue, one))

/**
 * Braces of expressions, `@user.name`, and a brace or backslash that would change an expression behind it,
 * also one that follows the text.
 */
const special =
  /[{\\]*(?<![\w.+-])@(?=(?:workflow|conversation|user|bot|session|turn|env|event)\.)|[{\\]+$|\{\{/g

/** Returns the template that users read as this text: nothing in it is an expression. */
export const toTemplate = (text: string): string =>
  text.replaceAll(special, (found) =>
    found === '{{' ? '\\{{' : `{{ ${JSON.stringify(found)} }}`,
  )

export const expression =
  (code: string): Text =>
  () =>
    `{{ ${code} }}`

/** Joins texts; without one of them, there is none. */
export const joined =
  (parts: Text[], separator = ''): Text =>
  (language, fallback) => {
    const texts = parts.map((part) => part(language, fallback))
    return texts.includes(null) ? null : texts.join(separator)
  }

const withParts = (pattern: string, parts: Record<string, Text>): Text[] =>
  pattern
    .split(/(\{\w+\})/)
    .filter((piece) => piece !== '')
    .map((piece) => parts[piece.slice(1, -1)] ?? (() => piece))

/** Returns a text of the catalogue. `{name}` in it becomes the part of this name. */
export const standard =
  (id: TextId, parts: Record<string, Text> = {}): Text =>
  (language, fallback) => {
    const known = toKnownLanguage(language) ?? fallback
    if (known === undefined) return null
    return joined(withParts(catalogue[known]![id], parts))(language, fallback)
  }

/** Returns the id of the text in the catalogue, if its author has not changed it. */
const findStandard = (text: string, language: string): TextId | undefined =>
  Object.entries(catalogue[toKnownLanguage(language) ?? 'en']!).find(
    ([, one]) => one === text,
  )?.[0] as TextId | undefined

/** Returns the text that the form had; a standard one in all languages. */
export function written(text: string, language: string): Text {
  const found = findStandard(text, language)
  if (found !== undefined) return standard(found)
  const template = toTemplate(text)
  return (wanted) => (wanted === language ? template : null)
}

/** Returns the words of a list of the catalogue in these languages, such as `skip, none`. */
export const wordsIn = (id: TextId, languages: string[]): string[] => [
  ...new Set(
    languages.flatMap((language) =>
      catalogue[toKnownLanguage(language) ?? 'en']![id].split(',').map((word) =>
        word.trim(),
      ),
    ),
  ),
]
