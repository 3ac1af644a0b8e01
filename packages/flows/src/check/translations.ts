// Checks translations. A wrong language or an expression that does not compile is an error, as anywhere
// else; a translation that reads other variables than its original, or belongs to no text, is a warning.
import { CodeError } from '../code/code-error.ts'
import { expressionsIn, hasOpenBraces } from '../code/template.ts'
import type { FlowDocument } from '../document/document.ts'
import { escapePointer } from '../document/pointer.ts'
import type { Problem } from '../document/problems.ts'
import {
  type BotText,
  listSharedKeys,
  listTextCards,
  listTexts,
} from '../texts/catalogue.ts'
import { openLanguage, standardPrefix, toLanguageTag } from '../texts/languages.ts'
import { checkTemplates } from './expressions.ts'
import { closestName } from './suggestion.ts'

type Translations = NonNullable<NonNullable<FlowDocument['languages']>['translations']>
type Entry = Translations[string][string]

const toText = (entry: Entry) => (typeof entry === 'string' ? entry : entry.text)
const at = (language: string, key?: string) =>
  `/languages/translations/${escapePointer(language)}${key === undefined ? '' : `/${escapePointer(key)}`}`

export function checkTranslations({ languages }: FlowDocument): Problem[] {
  if (!languages) return []
  const { default: original, translations = {} } = languages
  return [
    ...checkTag('/languages/default', original),
    ...Object.entries(translations).flatMap(([language, texts]) => [
      ...checkTag(at(language), language),
      ...Object.entries(texts).flatMap(([key, entry]) =>
        checkTemplates(at(language, key), toText(entry)),
      ),
    ]),
  ]
}

function checkTag(pointer: string, tag: string): Problem[] {
  const known = toLanguageTag(tag)
  if (known === tag) return []
  const message =
    known === null
      ? `is not a language tag of BCP 47: "${tag}". Use one such as "de" or "pt-BR"`
      : `must be written as "${known}"`
  return [{ pointer, message }]
}

export function findTranslationWarnings(document: FlowDocument): Problem[] {
  const { languages } = document
  if (!languages) return []
  const texts = listTexts(document)
  const byKey = new Map(texts.map((text) => [text.key, text]))
  const { default: original, translations = {} } = languages
  return [
    ...findShared(document),
    ...Object.entries(translations).flatMap(([language, entries]) => [
      ...Object.entries(entries).flatMap(([key, entry]) =>
        findFaults(at(language, key), toText(entry), byKey.get(key), key),
      ),
      ...(language === original ? [] : findGaps(language, texts, translations)),
    ]),
  ]
}

function findShared(document: FlowDocument): Problem[] {
  const cards = listTextCards(document)
  const shared = listSharedKeys(cards)
  return cards
    .filter(({ key }) => shared.has(key))
    .map(({ pointer, key }) => ({
      pointer: `${pointer}/textKey`,
      message: `is the key of several cards: "${key}". Give each another key`,
    }))
}

/** Compares a translation with its original. */
function findFaults(
  pointer: string,
  translation: string,
  original: BotText | undefined,
  key: string,
): Problem[] {
  if (!original)
    return key.startsWith(standardPrefix)
      ? []
      : [
          {
            pointer,
            message: 'belongs to no text of the bot. Correct the key, or remove it',
          },
        ]
  if (translation.trim() === '') return []
  const wanted = findExpressions(original.text)
  const found = findExpressions(translation)
  // Errors of expressions.ts.
  if (!wanted || !found) return []
  const missing = [...wanted].filter((expression) => !found.has(expression))
  const added = [...found].filter((expression) => !wanted.has(expression))
  return [
    ...missing.map(
      (expression) => `has no {{ ${expression} }}, which the original has. Add it`,
    ),
    ...added.map((expression) => describeAdded(expression, wanted)),
    ...(hasOpenBraces(translation) && !hasOpenBraces(original.text)
      ? ['has "{{" without "}}", so users see the braces. Add "}}", or write "\\{{"']
      : []),
  ].map((message) => ({ pointer, message }))
}

function describeAdded(expression: string, wanted: Iterable<string>): string {
  const closest = closestName(expression, wanted)
  return (
    `has {{ ${expression} }}, which the original does not have. ` +
    (closest ? `Did you mean \`${closest}\`?` : 'Remove it')
  )
}

/** Returns null for a text with an expression that does not compile. */
export function findExpressions(text: string): Set<string> | null {
  try {
    return new Set(
      expressionsIn(text).map((expression) => expression.replace(/\s+/g, ' ')),
    )
  } catch (error) {
    if (error instanceof CodeError) return null
    throw error
  }
}

/** One warning for all missing texts of a language, because a new one has no translation at all. */
function findGaps(
  language: string,
  texts: BotText[],
  translations: Translations,
): Problem[] {
  const opened = openLanguage(language, translations[language])
  const states = texts.map((text) => opened.find(text).state)
  const count = (wanted: string) => states.filter((state) => state === wanted).length
  const [missing, outdated] = [count('missing'), count('outdated')]
  const sentences = [
    ...(missing > 0
      ? [
          `has no translation of ${missing} ${missing === 1 ? 'text' : 'texts'}: people with this language ` +
            'read the original. Translate them, or leave them',
        ]
      : []),
    ...(outdated > 0
      ? [
          `has ${outdated} ${outdated === 1 ? 'translation' : 'translations'} of an earlier original, ` +
            'which people read. Check whether they still fit',
        ]
      : []),
  ]
  return sentences.map((message) => ({ pointer: at(language), message }))
}
