// What a bot says first, as far as the document alone decides it: for chats that show it before the visitor
// writes, without a conversation.
import { findExpressions } from '../check/translations.ts'
import type { FlowDocument } from '../document/document.ts'
import { listFirstNodes } from '../wizards/reach.ts'
import { listCardTexts, withText } from './card-texts.ts'
import { findTextKey, listSharedKeys, listTextCards, toObject } from './catalogue.ts'
import { findText, openLanguages } from './languages.ts'

export interface Greeting {
  /** Markdown. */
  greeting: string
  /** Labels of its buttons. */
  suggestions: string[]
}

type Json = Record<string, unknown>

/** As the appearance of a chat has them. */
const [maxSuggestions, maxSuggestionLength, maxLength] = [6, 150, 2_000]

/**
 * Returns the greeting by language, or by an empty name for a bot of one language. Empty if code, a model, a
 * variable or a condition decides what the bot says first.
 */
export function findGreetings(document: FlowDocument): Record<string, Greeting> {
  const cards = findFirstCards(document)
  const { languages } = document
  if (!languages) return toRecord([['', toGreeting(cards)]])
  const texts = openLanguages(languages)
  const shared = listSharedKeys(listTextCards(document))
  const translate = (card: Json, language: string) =>
    listCardTexts(card).reduce((translated, { path, key, text }) => {
      const cardKey = findTextKey(card)
      if (cardKey === undefined) return translated
      const original = { key: `${cardKey}/${key}`, text, isShared: shared.has(cardKey) }
      return withText(translated, path, findText(original, language, languages, texts))
    }, card)
  return toRecord(
    [languages.default, ...Object.keys(languages.translations ?? {})].map((language) => [
      language,
      toGreeting(cards.map((card) => translate(card, language))),
    ]),
  )
}

const toRecord = (
  entries: [language: string, Greeting | null][],
): Record<string, Greeting> =>
  Object.fromEntries(
    entries.filter((entry): entry is [string, Greeting] => entry[1] !== null),
  )

/** Returns the cards of the step at which each conversation begins. */
function findFirstCards(document: FlowDocument): Json[] {
  const started = Object.values(document.triggers ?? {}).filter(
    ({ type }) => type === 'conversationStarted',
  )
  if (started.some(({ when }) => when !== undefined)) return []
  return (listFirstNodes(document)[0]?.cards ?? []) as Json[]
}

/** Takes the messages up to the first card that waits for an answer or does something else. */
function toGreeting(cards: Json[]): Greeting | null {
  const texts: string[] = []
  const labels: string[] = []
  for (const card of cards) {
    const message = findMessage(card)
    if (!message || !isFixed(message.text)) break
    texts.push(message.text)
    labels.push(...message.labels)
    if (card.type !== 'send') break
  }
  const greeting = texts.join('\n\n')
  if (greeting === '' || greeting.length > maxLength) return null
  const suggestions = labels.filter(
    (label) => label.length <= maxSuggestionLength && isFixed(label),
  )
  return { greeting, suggestions: [...new Set(suggestions)].slice(0, maxSuggestions) }
}

const isFixed = (text: string) => text.trim() !== '' && findExpressions(text)?.size === 0

/** Returns null for a card without a text. */
function findMessage(card: Json): { text: string; labels: string[] } | null {
  const message =
    card.type === 'send' ? card.message : card.type === 'capture' && card.question
  if (typeof message === 'string')
    return { text: message, labels: toLabels(card.options) }
  const { type, text, markdown, options } = toObject(message)
  const found =
    ['text', 'markdown', 'choice', 'dropdown'].includes(String(type)) &&
    (text ?? markdown)
  return typeof found === 'string' ? { text: found, labels: toLabels(options) } : null
}

const toLabels = (options: unknown): string[] =>
  (Array.isArray(options) ? options : [])
    .map((option) => toObject(option).label)
    .filter((label) => typeof label === 'string')
