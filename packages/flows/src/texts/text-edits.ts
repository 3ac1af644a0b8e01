// Edits of a document that change texts by their keys, and nothing else. Runs in browsers.
import { escapePointer } from '../document/pointer.ts'
import { applyEdits, type DocumentEdit } from '../edits/edit.ts'
import { listCardTexts } from './card-texts.ts'
import {
  type BotText,
  findTextKey,
  indexTexts,
  listTextCards,
  toObject,
} from './catalogue.ts'

export interface TextChange {
  key: string
  /** Null for the original. */
  language: string | null
  /** Null or blank removes a translation. */
  text: string | null
  /** Text of which the translation was made; by default the current one. */
  original?: string | undefined
}

interface TextEdits {
  edits: DocumentEdit[]
  /** Changes that name an unknown key or language, or remove an original. */
  rejected: { change: TextChange; reason: 'key' | 'language' | 'empty' }[]
}

const translationsPointer = '/languages/translations'

const isBlank = (text: string | null): text is null | '' =>
  text === null || text.trim() === ''

/** Returns the edits for changes of texts. A card gets a key with the first translation of its texts. */
export function toTextEdits(document: unknown, changes: TextChange[]): TextEdits {
  const writer = new TextWriter(document)
  const rejected: TextEdits['rejected'] = []
  for (const change of changes) {
    const reason = writer.add(change)
    if (reason !== null) rejected.push({ change, reason })
  }
  return { edits: writer.edits, rejected }
}

class TextWriter {
  readonly edits: DocumentEdit[] = []
  #texts: Map<string, BotText>
  #languages: Record<string, unknown>
  #default: unknown
  #hasTranslations: boolean
  #cards
  #keys: Set<string>
  #assigned = new Map<string, string>()
  #written = new Set<string>()

  constructor(document: unknown) {
    const languages = toObject(toObject(document).languages)
    this.#default = languages.default
    this.#languages = toObject(languages.translations)
    this.#hasTranslations = this.#languages === languages.translations
    this.#texts = indexTexts(document)
    const cards = listTextCards(document)
    this.#cards = new Map(cards.map((card) => [card.key, card]))
    this.#keys = new Set(this.#cards.keys())
  }

  /** Returns the reason if the change does not fit the document. */
  add(change: TextChange): TextEdits['rejected'][number]['reason'] | null {
    const found = this.#texts.get(change.key)
    if (!found) return 'key'
    const language = change.language ?? this.#default
    if (language === this.#default && found.pointer !== null) {
      if (isBlank(change.text)) return 'empty'
      this.edits.push({ op: 'set', pointer: found.pointer, value: change.text })
      return null
    }
    if (typeof language !== 'string' || !this.#isOpen(language)) return 'language'
    this.#translate(found, language, change)
    return null
  }

  /** Sentences of the engine are in English, and may be translated into the language of the bot, too. */
  #isOpen(language: string): boolean {
    if (Object.hasOwn(this.#languages, language)) return true
    if (language !== this.#default) return false
    const pointer = `${translationsPointer}/${escapePointer(language)}`
    this.edits.push(
      this.#hasTranslations
        ? { op: 'set', pointer, value: {} }
        : { op: 'set', pointer: translationsPointer, value: { [language]: {} } },
    )
    this.#hasTranslations = true
    this.#languages = { ...this.#languages, [language]: {} }
    return true
  }

  #translate({ key, text: original }: BotText, language: string, change: TextChange) {
    const name = isBlank(change.text) ? key : this.#toKept(key)
    const pointer = `${translationsPointer}/${escapePointer(language)}/${escapePointer(name)}`
    const known = toObject(this.#languages[language])
    if (isBlank(change.text)) {
      if (Object.hasOwn(known, name) || this.#written.has(pointer))
        this.edits.push({ op: 'remove', pointer })
      this.#written.delete(pointer)
      return
    }
    this.#written.add(pointer)
    const value = { text: change.text, original: change.original ?? original }
    this.edits.push({ op: 'set', pointer, value })
  }

  /** Returns the key of a text with a key of its card that survives moves. Adds it to the card. */
  #toKept(key: string): string {
    const end = key.indexOf('/')
    const card = this.#cards.get(key.slice(0, end))
    if (!card || findTextKey(card.card)) return key
    const known = this.#assigned.get(card.key)
    const kept = known ?? toNewKey(card, this.#keys)
    if (known === undefined) {
      this.#assigned.set(card.key, kept)
      this.#keys.add(kept)
      this.edits.push({ op: 'set', pointer: `${card.pointer}/textKey`, value: kept })
    }
    return kept + key.slice(end)
  }
}

/**
 * Gives all cards with texts a key, before a file with the keys leaves: another card may be at the place of a
 * card when the file comes back.
 */
export function withTextKeys(document: unknown): {
  edits: DocumentEdit[]
  document: unknown
} {
  const cards = listTextCards(document)
  const keys = new Set(cards.map(({ key }) => key))
  const edits = cards
    .filter(({ card }) => !findTextKey(card) && listCardTexts(card).length > 0)
    .map((card): DocumentEdit => {
      const key = toNewKey(card, keys)
      keys.add(key)
      return { op: 'set', pointer: `${card.pointer}/textKey`, value: key }
    })
  return { edits, document: applyEdits(document, edits) }
}

/**
 * Returns a key with the name of the node and a hash of the card: two people who translate two cards at once
 * need different ones, and the same one for the same card.
 */
function toNewKey(
  { node, card }: { node: string; card: object },
  taken: ReadonlySet<string>,
) {
  const name = /^[A-Za-z][A-Za-z0-9_-]*/.exec(node)?.[0].slice(0, 40) ?? 'text'
  const wanted = `${name}-${toHash(JSON.stringify(card))}`
  for (let number = 1; ; number++) {
    const key = number === 1 ? wanted : `${wanted}-${number}`
    if (!taken.has(key)) return key
  }
}

/** Returns six characters (FNV-1a). */
function toHash(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return (hash >>> 0).toString(36).padStart(6, '0').slice(-6)
}

/** Returns the edits that add a language. The first one needs the language of the texts in the flows. */
export function toNewLanguage(
  document: unknown,
  language: string,
  original: string,
): DocumentEdit[] {
  const { languages } = toObject(document)
  const { translations } = toObject(languages)
  if (toObject(languages).default === undefined)
    return [
      {
        op: 'set',
        pointer: '/languages',
        value: { default: original, translations: { [language]: {} } },
      },
    ]
  if (typeof translations !== 'object' || translations === null)
    return [{ op: 'set', pointer: translationsPointer, value: { [language]: {} } }]
  return [
    {
      op: 'set',
      pointer: `${translationsPointer}/${escapePointer(language)}`,
      value: {},
    },
  ]
}

/** Returns the edit that removes a language with its translations. */
export const toRemovedLanguage = (language: string): DocumentEdit => ({
  op: 'remove',
  pointer: `${translationsPointer}/${escapePointer(language)}`,
})
