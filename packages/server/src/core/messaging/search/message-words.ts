// The words by which messages are found. Messages and searches go through the same functions.
import { createHash } from 'node:crypto'
import {
  type SearchWord,
  searchableText,
  searchableWords,
  searchWords,
} from '@botstead/extraction'

/** Fields of payloads with text for people: of texts, voice notes, cards, choices and blocs. */
const textFields = new Set([
  'text',
  'markdown',
  'title',
  'subtitle',
  'label',
  'transcript',
])
const maxCharacters = 20_000
const maxValues = 1_000
/** Longer words are found by their beginning. */
const maxWordLength = 64
const maxSearched = 16

/** Returns the lexemes of a message, without repetitions. */
export function wordsOfMessage(botId: string, payload: unknown): string[] {
  const mark = toMark(botId)
  return [...new Set(searchableWords(searchableText(joinTexts(payload))))].map((word) =>
    toLexeme(mark, word),
  )
}

/**
 * Returns a tsquery for messages with every word; the last word may be incomplete. Null for a text
 * without words. Further words than the first 16 are ignored.
 */
export function toWordQuery(botId: string, text: string): string | null {
  const mark = toMark(botId)
  const words = searchWords(text).slice(0, maxSearched)
  if (words.length === 0) return null
  return words.map((word, at) => toTerm(mark, word, at === words.length - 1)).join(' & ')
}

/** A code is found by its parts, or in one word. */
function toTerm(mark: string, { parts, joined }: SearchWord, isLast: boolean): string {
  const quoted = (word: string, isBeginning: boolean) =>
    `'${toLexeme(mark, word)}'${isBeginning ? ':*' : ''}`
  const all = parts
    .map((part, at) => quoted(part, isLast && at === parts.length - 1))
    .join(' & ')
  return joined === null ? all : `((${all}) | ${quoted(joined, isLast)})`
}

/** Words consist of letters, marks and digits. */
const toLexeme = (mark: string, word: string) =>
  mark + [...word].slice(0, maxWordLength).join('')

/**
 * Returns the beginning of a bot's lexemes. If two bots have the same, searches only read more rows
 * than they need.
 */
const toMark = (botId: string) =>
  createHash('sha256').update(botId).digest('hex').slice(0, 5)

/** Joins the texts of a payload, up to 20,000 characters of the first 1,000 values. */
function joinTexts(payload: unknown): string {
  const texts: string[] = []
  const pending: [field: string, value: unknown][] = [['', payload]]
  let characters = 0
  for (let read = 0; read < maxValues && characters < maxCharacters; read++) {
    const next = pending.pop()
    if (!next) break
    const [field, value] = next
    if (typeof value === 'string' && textFields.has(field)) {
      texts.push(value)
      characters += value.length
    } else if (typeof value === 'object' && value !== null)
      pending.push(...toEntries(field, value).reverse())
  }
  return texts.join('\n').slice(0, maxCharacters)
}

/** Values of a list belong to the field of the list. */
const toEntries = (field: string, value: object): [string, unknown][] =>
  Array.isArray(value)
    ? value.slice(0, maxValues).map((one) => [field, one])
    : Object.entries(value).slice(0, maxValues)
